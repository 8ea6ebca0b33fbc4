import { foldRaw, type Profile } from '../collectors/stacks/profile.ts';
import type { ProfileSample } from '../model/samples.ts';
import { safeText } from '../model/text.ts';

/** A record of one process: `record-PID.txt`, or of who held the GIL, `gil-PID.txt`. */
export interface SpyRecord {
  readonly what: 'record' | 'gil';
  readonly pid: number;
  readonly file: string;
  /** When its file was written: at the end of the record. */
  readonly modifiedAt: number;
  readonly profile: Profile;
}

/** What py-spy printed while it wrote a file. */
export interface SpyWords {
  readonly rate: number;
  /** Absent: it ran until it was ended. */
  readonly seconds?: number;
  readonly errors: number;
}

/** What kind of record a file is, by its name; undefined for another one. */
export function recordOf(file: string): Pick<SpyRecord, 'what' | 'pid'> | undefined {
  const [, what, pid] = /^(record|gil)-(\d+)(?:-\d+)?\.txt$/.exec(file) ?? [];
  return what === undefined ? undefined : { what: what as 'record' | 'gil', pid: Number(pid) };
}

/** Of each file that py-spy (0.4.2) said it wrote, by its name without its folder, how it was made. */
export function readSpyWords(printed: string): ReadonlyMap<string, SpyWords> {
  const words = new Map<string, SpyWords>();
  let plan: Omit<SpyWords, 'errors'> | undefined;
  for (const line of printed.split('\n')) {
    const [, rate, seconds] = /Sampling process ([\d.]+) times a second(?: for (\d+) seconds?)?/.exec(line) ?? [];
    if (Number(rate) > 0) plan = { rate: Number(rate), ...(seconds !== undefined && { seconds: Number(seconds) }) };
    const [, path = '', errors] = /Wrote raw flamegraph data to '(.*)'\. Samples: \d+ Errors: (\d+)/.exec(line) ?? [];
    if (plan && errors !== undefined)
      words.set(path.slice(path.lastIndexOf('/') + 1), { ...plan, errors: Number(errors) });
  }
  return words;
}

/** The record, or a sentence why none can be made of it. */
export function readSpyRecord(text: string, what: SpyRecord['what'], words: SpyWords | undefined): Profile | string {
  if (!words) return `what py-spy printed is not there, which tells rate and time: save it as ${what}-out.txt`;
  const { counted, most, ...tables } = foldRaw(text);
  if (counted === 0 && text.trim() !== '') return 'has no line of py-spy record -f raw';
  const { rate, errors } = words;
  // Who held the GIL is a share of all looks, which are no fewer for being late (py-spy 0.4.2 counts them, not the time).
  if (what === 'gil' && words.seconds === undefined)
    return 'how long it was is not known, and with it the part of the time: py-spy was given no -d';
  const seconds = words.seconds ?? most / rate;
  const looks = what === 'record' && most > 0 ? most : Math.round(rate * seconds);
  return { ...tables, rate, seconds, samples: looks, errors };
}

/** What is told of a record in one place: how many stacks of how many threads. */
export function recordText({ what, pid, profile }: SpyRecord): string {
  const { samples, rate = 0, seconds } = profile;
  const length = `${seconds.toLocaleString('en-US', { maximumFractionDigits: 1 })} s at ${rate} a second`;
  return what === 'gil'
    ? `who held the GIL of PID ${pid} in ${samples} looks (${length})`
    : `a record of PID ${pid} (${length})`;
}

/** The Sample of a record. */
export function profileSample(
  { what, pid, profile }: SpyRecord,
  base: Pick<ProfileSample, 'host' | 'time' | 'capture' | 'command'>,
): ProfileSample {
  const { host, time, capture, command } = base;
  return {
    kind: 'profile',
    host,
    source: 'stacks',
    time,
    receivedAt: time,
    capture: safeText(capture),
    what,
    pid,
    command,
    ...profile,
  };
}
