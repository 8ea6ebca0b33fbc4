import { readFileSync } from 'node:fs';
import type { Ending, Findings } from './checks.ts';

/** A container or a job of a real engine, ready with a run in it: a line of the file that scripts/hosts-real.sh writes. */
export interface RealHost {
  /** As a user writes it. */
  readonly shown: string;
  readonly wrap: string;
  /** What was run, with versions. */
  readonly engine: string;
  /** PID of the container's first process on this machine; absent when the run is in no namespace of its own. */
  readonly pid?: number;
  readonly runPid: number;
  readonly logPath: string;
}

/** What was found on one, as it is kept in test/fixtures/hosts/real.json. */
export interface RealFindings {
  readonly shown: string;
  readonly engine: string;
  readonly date: string;
  readonly works: boolean;
  readonly afterEnd?: Ending;
  readonly afterKill?: Ending;
  readonly afterSilence?: Ending;
  readonly fault?: string;
}

/** Reads the file that the environment names; undefined without one. */
export function readRealHosts(path: string | undefined): readonly RealHost[] | undefined {
  return path === undefined ? undefined : readLines(path).map((line) => JSON.parse(line) as RealHost);
}

/** What is kept of one. */
export async function keep(host: RealHost, result: Promise<Findings>): Promise<RealFindings> {
  const base = { shown: host.shown, engine: host.engine, date: new Date().toISOString().slice(0, 10) };
  try {
    const { afterEnd, afterKill, afterSilence } = await result;
    return { ...base, works: true, afterEnd, afterKill, afterSilence };
  } catch (error) {
    return { ...base, works: false, fault: String(error).slice(0, 300) };
  }
}

function readLines(path: string): readonly string[] {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean);
}
