import type { Context } from '../collector.ts';
import type { JobResult } from '../stream.ts';
import { safeText } from '../../model/text.ts';
import { evidence, type Evidence } from './parts.ts';
import { mark } from './script.ts';

interface Init {
  readonly answer: Pick<JobResult, 'output' | 'timedOut' | 'bodyCode' | 'lost'>;
  readonly context: Context;
  readonly at: number;
  /** The rank of a process. */
  readonly rankOf: (pid: number) => number | undefined;
}

/** Kernel stacks, kernel log and nvidia-smi out of the script's answer, however much of it came. */
export function readBox({ answer, context, at, rankOf }: Init): readonly Evidence[] {
  const { lines, log, smi } = sectionsOf(answer.output);
  const cut = answer.timedOut ? 'the host did not answer in time' : answer.lost ? 'the connection was lost' : 'it was cut off'; // prettier-ignore
  const missing = (what: string) => `${what} did not come: ${cut}.`;
  return [
    kernelStacks({ lines, context, at, rankOf, missing: missing('Kernel stacks') }),
    kernelLog({ log, context, at, missing: missing("The kernel's log") }),
    nvidiaSmi({ smi, context, at, missing: missing('nvidia-smi') }),
  ];
}

interface Sections {
  readonly lines: readonly string[];
  /** Absent: it did not come so far. */
  readonly log?: Section;
  readonly smi?: Section;
}

interface Section {
  readonly lines: string[];
  /** The mark that it ended with. */
  said?: string;
}

function sectionsOf(output: string): Sections {
  const lines: string[] = [];
  let into = lines;
  let log: Section | undefined;
  let smi: Section | undefined;
  for (const line of output.split('\n')) {
    if (!line.startsWith(mark)) {
      into.push(line);
      continue;
    }
    const said = line.slice(mark.length);
    if (said === 'log dmesg') into = (log = { lines: [] }).lines;
    else if (said === 'smi') into = (smi = { lines: [] }).lines;
    else if (smi && said !== 'end') smi.said = said;
    else if (log && !smi) log.said = said;
    else if (!log) lines.push(line);
  }
  return { lines, ...(log && { log }), ...(smi && { smi }) };
}

/** Equal stacks of one process are told once. */
function kernelStacks(init: Pick<Init, 'context' | 'at' | 'rankOf'> & Missing & { readonly lines: readonly string[] }) {
  const { lines, context, at, rankOf, missing } = init;
  const told: string[] = [];
  let groups = new Map<string, string[]>();
  let hasStacks = false;
  let isMore = false;
  let row: { readonly name: string; readonly head: string } | undefined;
  const endThread = (stack = '') => {
    if (!row) return;
    const key = `${row.head}${stack === '' ? '' : `\n      ${stack}`}`;
    groups.set(key, [...(groups.get(key) ?? []), row.name]);
    row = undefined;
  };
  const endProcess = () => {
    endThread();
    for (const [key, names] of groups) {
      const [head = '', ...stack] = key.split('\n');
      const who = names.length > 4 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ');
      told.push(`  ${head}  ${who}`, ...stack);
    }
    groups = new Map();
  };
  for (const line of lines) {
    const [, process] = new RegExp(`^${mark}process (\\d+)$`).exec(line) ?? [];
    const [, tid, state, given, taken, where, name = ''] = /^t (\d+) (\S) (\S+) (\S+) (\S+) ?(.*)$/.exec(line) ?? [];
    if (process !== undefined) {
      endProcess();
      const rank = rankOf(Number(process));
      told.push(`PID ${process}${rank === undefined ? '' : ` (rank ${rank})`}`);
    } else if (tid !== undefined) {
      endThread();
      // Counts differ from thread to thread: of the one that leads its process they tell whether it is woken at all.
      const isMain = told.at(-1)?.startsWith(`PID ${tid}`) === true;
      const switches = isMain ? `, ${given} times waiting, ${taken} times taken off its core` : '';
      row = { name: `${name} ${tid}`, head: `${state} ${where === '0' ? '-' : where}${switches}` };
    } else if (line.startsWith('s ')) {
      hasStacks = true;
      endThread(line.slice(2).trim().split(' ').join(' < '));
    } else if (line === `${mark}more`) isMore = true;
  }
  endProcess();
  if (isMore) told.push('More threads than these were not looked at.');
  const { facts, host } = context;
  const refused =
    facts.uid === 0
      ? `The kernel of ${host} gives no stacks of threads, even to root (a container without CAP_SYS_ADMIN, or a kernel without /proc/PID/stack): states and wchan are here.`
      : `Only root may read the kernel's stacks on ${host}, and this is ${facts.user}: states and wchan are here.`;
  const hasThreads = told.some((line) => line.startsWith('  '));
  const gone = lines.some((line) => line.startsWith(`${mark}process`)) ? 'The processes were gone.' : missing;
  return evidence({
    ...{ name: 'kernel stacks', takenAt: at, lines: told },
    ...(!hasThreads ? { failure: gone } : !hasStacks && { failure: refused }),
  });
}

interface Missing {
  readonly missing: string;
}

function kernelLog({
  log,
  context,
  at,
  missing,
}: Pick<Init, 'context' | 'at'> & Missing & { log?: Section | undefined }) {
  const { host, facts } = context;
  const why = log?.said?.startsWith('refused') ? safeText(log.said.slice('refused'.length)).trim() : undefined;
  const lines = (log?.lines ?? []).filter((line) => line.trim() !== '').map((line) => withTime(line, facts.bootTime));
  const failure = !log
    ? missing
    : why !== undefined
      ? `The kernel's log of ${host} may not be read by ${facts.user} (${why}): connect as root, or set kernel.dmesg_restrict to 0 there.`
      : undefined;
  const nothing = 'Nothing of GPUs, memory or disks stands in it.';
  return evidence({
    ...{ name: 'kernel log', takenAt: at, lines: lines.length === 0 && failure === undefined ? [nothing] : lines },
    ...(failure !== undefined && { failure }),
  });
}

/** `[12345.678901] NVRM: ...` with its time of day, UTC. */
function withTime(line: string, bootTime: number): string {
  const [, seconds, text] = /^(?:<\d+>)?\[ *(\d+\.\d+)\] (.*)$/.exec(line) ?? [];
  if (seconds === undefined || text === undefined) return line;
  const time = new Date(bootTime + Number(seconds) * 1000);
  // A host may say anything: a date without an end has no words.
  if (Number.isNaN(time.getTime())) return line;
  return `${time.toISOString().slice(0, 19)}Z ${text}`;
}

function nvidiaSmi({
  smi,
  context,
  at,
  missing,
}: Pick<Init, 'context' | 'at'> & Missing & { smi?: Section | undefined }) {
  const lines = (smi?.lines ?? []).filter((line) => line.trim() !== '').map(compact);
  const said = smi?.said;
  const last = safeText((lines.at(-1) ?? '').trim()).slice(0, 200);
  // That is how the host is, and nothing is missing.
  if (said === 'none')
    return evidence({ name: 'nvidia-smi', takenAt: at, lines: [`There is no nvidia-smi on ${context.host}.`] });
  const failure =
    !smi || said === undefined
      ? missing
      : said === 'late'
        ? 'nvidia-smi did not end in time, as when a GPU is lost: it was ended.'
        : said !== 'code 0'
          ? `nvidia-smi ended with ${said}${last === '' ? '' : `, saying: ${last}`}.`
          : undefined;
  return evidence({
    // What is not there takes half of it.
    ...{
      name: 'nvidia-smi',
      takenAt: at,
      lines: lines.filter((line) => !/: (?:N\/A|\[N\/A\]|Not Supported)$/.test(line)),
    },
    ...(failure !== undefined && { failure }),
  });
}

/** Its columns are 40 wide, of blanks mostly. */
function compact(line: string): string {
  const [, indent = '', rest = ''] = /^(\s*)(.*)$/.exec(line) ?? [];
  return ' '.repeat(Math.floor(indent.replace(/\t/g, '        ').length / 2)) + rest.replace(/ +: /, ': ').trimEnd();
}
