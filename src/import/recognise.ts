import type { FileKind } from './files.ts';

/** What a text looks like: a kind that is read, or a sentence that says what it is and what to save in its place. */
export type Looks = { readonly kind: FileKind } | { readonly other: string };

/** What the first lines of a file look like; undefined: like anything, as a log may. */
export function recognise(head: string): Looks | undefined {
  const known = looks.find(({ pattern }) => pattern.test(head));
  if (!known) return isBinary(head) ? { other: 'is no text' } : undefined;
  return known.is;
}

/** NULs, or much that no text has. */
function isBinary(head: string): boolean {
  const strange = head.match(/[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g)?.length ?? 0;
  return head.includes('\0') ? strange > head.length / 100 : strange > head.length / 10;
}

const kind = (name: FileKind): Looks => ({ kind: name });
const other = (what: string): Looks => ({ other: what });

const csvFields =
  'timestamp|index|name|gpu_name|count|uuid|gpu_uuid|pci\\.bus_id|gpu_bus_id|driver_version|pstate|persistence_mode|utilization\\.(?:gpu|memory)|memory\\.(?:used|total|free)|power\\.draw|temperature\\.gpu|clocks\\.';

/** The first that matches holds. All look at beginnings of lines: a log may quote any of it in its middle. */
const looks: readonly { readonly pattern: RegExp; readonly is: Looks }[] = [
  { pattern: /^\s*top - \d\d:\d\d:\d\d/, is: kind('top') },
  {
    pattern: /^Mem: \d+K used, \d+K free/,
    is: other("is BusyBox's top, which has no threads with shares of one core: save /proc/PID/task/*/stat (--stat)"),
  },
  {
    pattern: /^# gpu +pid +type/,
    is: other('is nvidia-smi pmon, of which nothing is read: save nvidia-smi dmon (--dmon)'),
  },
  { pattern: /^#\s?(?:Date,? +Time,? +|Time,? +)?gpu\b/, is: kind('dmon') },
  { pattern: /^== \d{9,11}(?:\.\d+)?\s*\n/, is: kind('stat') },
  {
    pattern: /^\d+ \(.{1,64}\) [RSDTtZXIP] \d+ \d+ \d+ /,
    is: other('is /proc/PID/task/*/stat without the lines `== EPOCH` before each round (docs/import.md)'),
  },
  { pattern: /^Linux \S+ \([^)]*\)[^\n]*\(\d+ CPU\)/, is: kind('pidstat') },
  {
    pattern: /^(?:\w{3} \w{3} .*\n)?\+-+\+\n\| NVIDIA-SMI/,
    is: other('is the table of plain nvidia-smi: save nvidia-smi --query-gpu=... --format=csv -l 1'),
  },
  {
    pattern: /^\s*(?:<\?xml[^>]*>\s*(?:<!DOCTYPE[^>]*>\s*)?<nvidia_smi_log|=+NVSMI LOG=+)/,
    is: other('is nvidia-smi -q, a single moment: save nvidia-smi --query-gpu=... --format=csv -l 1'),
  },
  {
    pattern: /^(?:gpu_uuid|gpu_name|pid|uuid), (?:pid|process_name|used)/,
    is: other('is nvidia-smi --query-compute-apps, of which nothing is read: save --query-gpu=...'),
  },
  { pattern: new RegExp(`^(?:${csvFields})[^\\n,]*(?:, |\\n)`), is: kind('nvidia-smi') },
  { pattern: /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d\.\d{3}, /, is: kind('nvidia-smi') },
  {
    pattern: /^Field "[^"]*" is not a valid field to query/,
    is: other('holds only what nvidia-smi said of a field that it does not know'),
  },
  {
    pattern: /^\s*\[\s*\{\s*"pid": \d+,\s*"thread_id"/,
    is: other('is a dump of py-spy: give the folder in which it lies to --stacks'),
  },
  {
    pattern: /^Process \d+: .*\nPython v\d/,
    is: other('is a dump of py-spy: give the folder in which it lies to --stacks'),
  },
  {
    pattern: /^\x28?\x00\x00\x00|^\x7fELF|^PK\x03\x04|^SQLite format/,
    is: other('is no text'),
  },
];
