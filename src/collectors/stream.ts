import { randomBytes } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { earlyEndLine, endLine, envelope, leaseLine, leaseSeconds } from './envelope.ts';
import { createLineSplitter } from './lines.ts';
import type { Channel, Exit, Transport } from './transport/transport.ts';

/** What to run on a host, and who listens. */
export interface StreamOptions {
  readonly transport: Pick<Transport, 'open'>;
  readonly clock: Clock;
  /** Names the collector in the script's first line. */
  readonly name: string;
  readonly body: string;
  /** The body reads the client's lines itself. */
  readonly talks?: boolean;
  readonly splitCarriageReturns?: boolean;
  /** Whole seconds; default leaseSeconds. */
  readonly lease?: number;
  /** The first marked line came: lines may be sent now. */
  readonly onReady?: (shellPid: number) => void;
  readonly onLine: (text: string, bytes: number) => void;
  /** Nothing came for a moment after something did. */
  readonly onQuiet?: () => void;
  readonly onEnd: (end: StreamEnd) => void;
}

/** How a stream ended. */
export interface StreamEnd extends Exit {
  /** The script ran to its end: `bodyCode` is its exit status. Else it was cut, or never began. */
  readonly bodyCode?: number;
  readonly began: boolean;
  /** The end of what came on standard error, and of what came before the first marked line. */
  readonly errorText: string;
}

/** A running script on the host. */
export interface Stream {
  /** Sends one line to the script; ignored before it is ready. */
  send(line: string): void;
  /** Ends it on the host; `onEnd` follows. */
  stop(): void;
  /** What `onEnd` would say as `errorText` now. */
  errorText(): string;
}

/** Frames come in one write; a pause this long ends one (nvidia-smi writes all GPUs of a round within 10 ms). */
const quietMs = 120;
/** The script has ended, and the channel has not: a wrapper left something that has its output (the master of `ssh -o ControlPersist`). */
const lateMs = 1000;
const errorTextLimit = 4000;

/** Starts a script in the envelope and reads its answer line by line. Rejects with a TransportFault when no shell opens. */
export async function startStream(options: StreamOptions): Promise<Stream> {
  const { transport, clock, lease = leaseSeconds } = options;
  const nonce = randomBytes(6).toString('hex');
  const channel = await transport.open();
  const markers = createMarkers(nonce);
  const splitter = createLineSplitter(options.splitCarriageReturns);
  let ready = false;
  let bodyCode: number | undefined;
  let errorText = '';
  let cancelQuiet = () => {};
  let cancelLease = () => {};
  let cancelLate = () => {};
  let isOver = false;
  const { name, body, talks = false } = options;
  const send = (again: boolean) => channel.write(envelope({ name, body, nonce, talks, lease, again }));
  const keepError = (text: string) => {
    errorText = (errorText + text).slice(-errorTextLimit);
  };

  channel.onErrorOutput((chunk) => keepError(chunk.toString('utf8')));
  channel.onOutput((chunk) => {
    let banner = '';
    for (const { text, bytes } of splitter.push(chunk)) {
      const marker = markers(text);
      if (marker?.kind === 'traintop') {
        ready = true;
        errorText = '';
        cancelLease = clock.every((lease * 1000) / 3, () => channel.write(leaseLine));
        options.onReady?.(marker.value);
      } else if (marker?.kind === 'again') send(true);
      else if (marker) {
        const code = marker.value;
        bodyCode = code;
        cancelLate = clock.after(lateMs, () => {
          finish({ code, lost: false });
          channel.end();
        });
      } else if (ready) options.onLine(text, bytes);
      else banner += `${text}\n`;
    }
    if (!ready) keepError(banner);
    if (!ready || !options.onQuiet) return;
    cancelQuiet();
    cancelQuiet = clock.after(quietMs, options.onQuiet);
  });
  const finish = (exit: Exit) => {
    if (isOver) return;
    isOver = true;
    cancelLease();
    cancelQuiet();
    cancelLate();
    options.onEnd({ ...exit, ...(bodyCode !== undefined && { bodyCode }), began: ready, errorText });
  };
  void channel.exit.then(finish);
  send(false);
  return handle(channel, { ready: () => ready, errorText: () => errorText });
}

interface Progress {
  readonly ready: () => boolean;
  readonly errorText: () => string;
}

function handle(channel: Channel, { ready, errorText }: Progress): Stream {
  return {
    errorText,
    send(line) {
      if (ready()) channel.write(`${line}\n`);
    },
    stop() {
      channel.write(ready() ? endLine : earlyEndLine);
      channel.end();
    },
  };
}

function createMarkers(nonce: string) {
  const pattern = new RegExp(`@(traintop|again|end) ${nonce} (\\d+)$`);
  return (text: string): { kind: 'traintop' | 'again' | 'end'; value: number } | undefined => {
    const match = text.includes(nonce) ? pattern.exec(text) : null;
    return match ? { kind: match[1] as 'end', value: Number(match[2]) } : undefined;
  };
}

/** The whole answer of a short script. */
export interface JobResult extends StreamEnd {
  readonly output: string;
  readonly timedOut: boolean;
}

/** Of a host that does not stop printing the beginning is enough; a dump of a thousand threads is a third of it. */
const mostOutput = 32 * 1024 * 1024;
/** A wrapper that hangs does not answer the end of its input either. */
const hangMs = 2000;

/** Runs a short script to its end, at most `timeoutMs`; what came until then is kept. */
export async function runJob(
  options: Pick<StreamOptions, 'transport' | 'clock' | 'name' | 'body'> & { readonly timeoutMs: number },
): Promise<JobResult> {
  const { clock, timeoutMs } = options;
  const lines: string[] = [];
  let size = 0;
  let timedOut = false;
  let stream: Stream | undefined;
  let cancel = () => {};
  const end = await new Promise<StreamEnd>((resolve, reject) => {
    cancel = clock.after(timeoutMs, () => {
      timedOut = true;
      stream?.stop();
      cancel = clock.after(hangMs, () =>
        resolve({ code: null, lost: false, began: false, errorText: stream?.errorText() ?? '' }),
      );
    });
    startStream({
      ...options,
      onLine(text, bytes) {
        size += bytes;
        if (size <= mostOutput) lines.push(text);
      },
      onEnd: resolve,
    }).then((started) => {
      stream = started;
      if (timedOut) started.stop();
    }, reject);
  }).finally(() => cancel());
  return { ...end, output: lines.join('\n'), timedOut };
}
