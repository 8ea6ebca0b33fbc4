import type { HostFacts } from '../model/facts.ts';
import type { Run } from '../model/run.ts';
import type { Sample, ThreadsSample } from '../model/samples.ts';
import type { ReaderOptions } from './log/reader.ts';
import type { Exit } from './transport/transport.ts';

/** What a collector may know when it plans: the host, the run and the user's options. */
export interface Context {
  /** The host's name on Samples, and in sentences: as the user wrote it. */
  readonly host: string;
  /** The user's wrapper, if any. */
  readonly wrap?: string | undefined;
  readonly facts: HostFacts;
  readonly run: Run | undefined;
  readonly options: CollectorOptions;
  /** PIDs of the shells of our own channels on the host, for the cost. */
  readonly shellPids: readonly number[];
  /** The monitor's own PID, where the host is this machine. */
  readonly ownPid?: number;
}

/** The user's choices that reach collectors. */
export interface CollectorOptions {
  readonly intervalMs: number;
  readonly threads: ThreadsSample['reader'];
  readonly logs: readonly string[];
  /** What is taught about logs, and the format that is pinned. */
  readonly reading?: ReaderOptions;
  readonly pid?: number;
  /** `pid` was picked from the runs on the screen: when it is gone, it is no longer waited for. */
  readonly picked?: boolean;
  /** Counts how often the user asked to look for runs: a new number is a wish to do so now. */
  readonly looks?: number;
  /** Matched against command lines on this machine: it never reaches the host. */
  readonly match?: RegExp;
  readonly pySpy?: string;
  /** Nothing that touches the run is done. */
  readonly readOnly?: boolean;
  /** Where the user's py-spy of this machine was copied to on the host, as long as it is there. */
  readonly pySpyCopy?: string | undefined;
  /** Folders of checkpoints, as the user says. */
  readonly checkpoints?: readonly string[];
  /** Folders of checkpoints, as the log says: a path may be relative to where the run works. */
  readonly savedTo?: readonly string[];
}

/**
 * A source of Samples. It does no I/O: it names what to run on the host and how to read the answer; the runner
 * (run.ts) owns streams, back-off, restart and stop. Registered in registry.ts.
 */
export interface Collector {
  readonly id: string;
  /** What should run now. A plan whose key was not there before is started, one whose key is gone is stopped. */
  plans(context: Context): readonly (Plan | Off)[];
}

/** One long-lived command on the host. */
export interface Plan {
  /** Names the stream: same key, same stream. */
  readonly key: string;
  /** Another name of what is read: under either, a later plan that can `resume` goes on with what this one has read. */
  readonly alsoKnownAs?: string;
  /** The source its Samples and states belong to. */
  readonly source: string;
  /** It reads for several: `source` is the first of these. Its parser says how each of them is. */
  readonly sources?: readonly string[];
  /** POSIX sh. Runs in the envelope (envelope.ts); `ticks` there prints the client's lines. */
  readonly body: string;
  readonly parser: () => Parser;
  /** The newest Sample may be this old before the source is stale. Absent: silence is no fault (a log). */
  readonly staleAfterMs?: number;
  /** The client's clock: a line sent every `everyMs` (the first at once). `line` is asked each time; undefined = none. */
  readonly tick?: {
    readonly everyMs: number;
    readonly line: (context: Context, parser: Parser) => string | undefined;
    /** A line is not answered: no round trip can be told from what comes after it. */
    readonly unanswered?: true;
    /** When this changes, the next line goes at once (the user chose another run). */
    readonly hurry?: string;
  };
  /** Turns an end of the command into a sentence; undefined = the runner's own. */
  readonly explain?: (exit: Exit, stderr: string) => Explanation | undefined;
  /** Bytes already read of the thing behind it, so that a restart goes on there: body is asked anew by `resume`. */
  readonly resume?: (parser: Parser) => string;
  /** Split at carriage returns too (progress bars). */
  readonly splitCarriageReturns?: boolean;
}

/** Why a source does not run here. */
export interface Off {
  readonly source: string;
  readonly off: string;
}

/** A fault in words. `final`: no restart helps until the context changes. */
export interface Explanation {
  readonly reason: string;
  readonly final: boolean;
}

/**
 * Lines in, Samples out. Never throws: a line it cannot read is counted in `rejected`. One that reads for several sources gives a Sample
 * of kind `source` where one of them fails, or is live again without a Sample.
 */
export interface Parser {
  /** `receivedAt`: when it reached us; `bytes`: its length on the host with its line end. */
  push(line: string, receivedAt: number, bytes: number): readonly Sample[];
  /** Called when the stream was quiet for a moment: a frame that waits for its end may end now. */
  quiet?(receivedAt: number): readonly Sample[];
  /** Called when the stream has ended: what is whole and waits for more of its kind is given now; a frame without its end is not. */
  ended?(receivedAt: number): readonly Sample[];
  /** Called at each tick: what it tells that nothing came. */
  silence?(now: number): readonly Sample[];
  /** Called when all that had come was read. Where it is not for long, the host tells more than can be read. */
  caughtUp?(): void;
  /** A line to send to the host at once (the script and the parser talk); taken once. */
  ask?(): string | undefined;
  readonly rejected: number;
}
