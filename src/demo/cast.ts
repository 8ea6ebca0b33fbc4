import { ddpCast } from './ddp-cast.ts';
import { pipelineCast } from './pipeline-cast.ts';

/** Who is on the demo host: the processes and threads of a run, in the roles that real ones have. */
export interface Cast {
  /** Its root first. */
  readonly processes: readonly DemoProcess[];
  readonly threads: readonly DemoThread[];
}

/** A process of the run. */
export interface DemoProcess {
  readonly pid: number;
  readonly parentPid: number;
  readonly comm: string;
  readonly executable: string;
  readonly commandLine: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly gpuMinors: readonly number[];
  readonly rssBytes: number;
  /** It is not there as long as the run, but from then and until then; demo seconds. */
  readonly from?: number;
  readonly until?: number;
}

/** A thread of the run and how it spends its time. */
export interface DemoThread {
  readonly pid: number;
  readonly tid: number;
  /** The kernel's name. Python threads inherit PyTorch's rename of the main thread. */
  readonly comm: string;
  /** Python's name; absent for a native thread. */
  readonly name?: string;
  /** For scenarios: `target-0`, `pt_autograd_5`, `worker-1`, `rank3/MainThread`. */
  readonly key: string;
  /** Mean CPU, percent of one core. */
  readonly percent: number;
  /** How much it moves about its mean, as a share. */
  readonly sway: number;
  readonly systemShare: number;
  /** Time spent runnable but waiting for a core, as a share of the time run. */
  readonly waitShare: number;
  readonly core: number;
  /** Where a dump finds it. */
  readonly stack: Frames;
}

/** A stack, innermost first: function, file, line. */
export type Frames = readonly (readonly [string, string, number])[];

/** The trainers that the demo has. */
export type CastName = 'pipeline' | 'ddp';

/** Those of a run with this root PID. */
export const casts: Readonly<Record<CastName, (pid: number) => Cast>> = { pipeline: pipelineCast, ddp: ddpCast };
