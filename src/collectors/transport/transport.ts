import type { Duplex } from 'node:stream';

/** A way to run commands on a host: local.ts, ssh.ts, demo. Commands go in by standard input of `sh -s`. */
export interface Transport {
  /** For Samples and sentences: `local`, `root@host:22`. */
  readonly target: string;
  /** The user's wrapper before every command, if any. */
  readonly wrap?: string | undefined;
  /** Our own PID on the host, where the host is this machine. */
  readonly ownPid?: number;
  /** Rejects with a TransportFault. `told` hears of what takes long: an answer that the user must give. */
  connect(told?: (reason: string) => void): Promise<void>;
  /** Opens a shell (`WRAP sh -s`) whose standard input is ours. Rejects with a TransportFault. */
  open(): Promise<Channel>;
  /**
   * Opens a shell for the user, on a terminal of its own behind the wrapper. Rejects with a TransportFault. Absent where there
   * is none: on a simulated host.
   */
  openTerminal?(options: TerminalOptions): Promise<TerminalChannel>;
  /** Connects to a Unix socket on the host itself, whatever the wrapper. Rejects with a TransportFault. Absent where there is no such way. */
  openSocket?(path: string): Promise<Duplex>;
  /** How the open link came about; undefined while there is none. Absent where nobody logs in. */
  login?(): LinkLogin | undefined;
  /** Called once when an open link is gone, with why. Not called by `close`. */
  onLost(fn: (reason: string) => void): void;
  /** This machine slept: an open link that gives no sign of life within `ms` is lost, which `onLost` says. */
  check?(ms: number): void;
  /** When something last came from the host over its link. Absent where silence is no sign: on this machine. */
  heardAt?(): number | undefined;
  /** Closes all channels and the link. */
  close(): Promise<void>;
}

/** How a link came about. */
export interface LinkLogin {
  /** Who read the SSH configuration: `ssh -G (OpenSSH_9.2p1)`, or `own reader` and why not ssh. */
  readonly configReader: string;
  /** One log-in a host on the way, the nearest first, that of the target last. */
  readonly hosts: readonly HostLogin[];
}

/**
 * How a log-in succeeded. With an `agentSocket` the key is in that agent: the next log-in needs it too, and one that a session
 * forwarded (/tmp/ssh-*) is gone when that session is.
 */
export interface HostLogin {
  /** `root@gpu7`, `jump host me@bastion`. */
  readonly target: string;
  /** For a sentence: `~/.ssh/id_ed25519`, `the agent's key me@laptop`, `a password`; several when it took several. */
  readonly how: string;
  /** Somebody had to answer something. */
  readonly asked: boolean;
  readonly agentSocket?: string;
  /** Why its host key is not to be trusted, where the configuration wants it so. */
  readonly doubt?: string;
}

/** One running shell. */
export interface Channel {
  write(text: string): void;
  /** Ends standard input: the envelope ends everything it started. */
  end(): void;
  onOutput(fn: (chunk: Buffer) => void): void;
  onErrorOutput(fn: (chunk: Buffer) => void): void;
  /** Settles when the shell is gone and its output was read; never rejects. */
  readonly exit: Promise<Exit>;
}

/** What a user's shell is opened with. */
export interface TerminalOptions {
  readonly size: TerminalSize;
  /** Our own environment: TERM, and where the host takes them, the languages; all of it for a shell on this machine. */
  readonly env: NodeJS.ProcessEnv;
  /** The log-in shell inside of the wrapper, a path; default sh. Without a wrapper the host knows it. */
  readonly shell?: string | undefined;
  /** A word in the environment of the shell behind a wrapper, by which it is found again: `TRAINTOP_SHELL=MARK`. */
  readonly mark?: string;
  /** Instead of a shell: what tells whether the wrapper gives a terminal (open-shell.ts). */
  readonly check?: boolean;
}

/** In characters. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** A shell on a terminal of its own. */
export interface TerminalChannel {
  write(bytes: Buffer): void;
  resize(size: TerminalSize): void;
  /** Takes all output, bytes untouched; once. Nothing is read before. */
  onOutput(fn: (chunk: Buffer) => void): void;
  /** Reads no more until `resume`: the host's side is held up then. */
  pause(): void;
  resume(): void;
  /** Settles when the shell is gone and its output was read; never rejects. */
  readonly exit: Promise<Exit>;
  /** Hangs up, as closing a terminal window does. */
  end(): void;
}

/** How a shell ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal?: string;
  /** The link went, not the command. */
  readonly lost: boolean;
}

/** A fault of a transport as one sentence: what was tried, what came back, what to do. */
export class TransportFault extends Error {
  override name = 'TransportFault';
  /** Trying again cannot help (refused key, changed host key, bad configuration). */
  readonly final: boolean;
  constructor(sentence: string, final: boolean) {
    super(sentence);
    this.final = final;
  }
}

/** The connection lives, but the server opens no further channel on it now. */
export class ChannelRefused extends TransportFault {
  constructor(sentence: string) {
    super(sentence, false);
  }
}
