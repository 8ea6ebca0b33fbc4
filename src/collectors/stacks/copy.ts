import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Clock } from '../../clock.ts';
import { safeText } from '../../model/text.ts';
import type { Runner } from '../run.ts';
import type { Stream } from '../stream.ts';
import type { Program } from './copy-program.ts';
import { copyAsk, copyEnd, copyMark, copyScript } from './copy-script.ts';

/** A program on the host for as long as `stop` is not called and the link lives. */
export interface Copied {
  /** There. */
  readonly path: string;
  /** What it said of itself. */
  readonly version: string;
  stop(): void;
}

interface Init {
  readonly runner: Pick<Runner, 'converse'>;
  readonly clock: Clock;
  readonly host: string;
  readonly program: Program;
  /** In steps of ten. */
  readonly onProgress: (percent: number) => void;
  /** It is gone: the link was lost, or something there ended it. */
  readonly onGone: () => void;
}

/** A host that does not go on for so long is given up. */
const silentMs = 30_000;
const lineBytes = 3000;
/** Between two questions how far the host is. So much may be on its way, lest a slow link hides its own keep-alive. */
const linesAtOnce = 16;
const asksAtOnce = 2;

/** Copies it; resolves when it has run there once. Rejects with an Error that is a sentence. */
export async function copyProgram({ runner, clock, host, program, onProgress, onGone }: Init): Promise<Copied> {
  const { bytes, machine, runsOn, name } = program;
  const lines = inLines(await promisify(gzip)(bytes, { level: 6 }));
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  let cancelSilence = () => {};
  let stream: Stream | undefined;
  let version = '';
  let at = 0;
  let isReady = false;

  return new Promise<Copied>((resolve, reject) => {
    const fail = (why: string) => {
      cancelSilence();
      stream?.stop();
      reject(new Error(why));
    };
    const heard = () => {
      cancelSilence();
      if (!isReady)
        cancelSilence = clock.after(silentMs, () =>
          fail(`${host} took no more of ${name} for ${silentMs / 1000} s: try again`),
        );
    };
    const tenths = () => Math.floor((at / lines.length) * 10);
    const sendSome = () => {
      if (at >= lines.length) return;
      const before = tenths();
      const some = lines.slice(at, at + linesAtOnce);
      at += some.length;
      if (tenths() > before) onProgress(tenths() * 10);
      for (const line of some) stream?.send(line);
      // The lease's own line would wait behind these.
      stream?.send('+');
      stream?.send(at < lines.length ? `${copyAsk}${at}` : copyEnd);
    };
    const onLine = (line: string) => {
      if (!line.startsWith(copyMark)) return;
      heard();
      const text = safeText(line.slice(copyMark.length)).trim();
      const [word = '', value = ''] = split(text);
      if (word === 'machine') {
        if (!runsOn.test(value))
          return fail(`${name} is for ${machine}, and ${host} is ${value}: take the py-spy for ${value}`);
        for (let i = 0; i < asksAtOnce; i++) sendSome();
      } else if (text.startsWith(copyAsk)) sendSome();
      else if (word === 'version') version = value;
      else if (word === 'ready') {
        isReady = true;
        cancelSilence();
        resolve({ path: value, version, stop: () => stream?.stop() });
      } else if (word === 'missing')
        fail(`${host} has no ${value}, which the copy needs: copy py-spy there by hand and name it with --py-spy PATH`);
      else if (word === 'nowhere')
        fail(
          `${host} has no folder that may be written to and runs programs (/tmp, /var/tmp and the home are full, closed or noexec): install py-spy there`,
        );
      else if (word === 'broken')
        fail(`${name} did not come whole to ${host}${value && ` (${value})`}: the disk there may be full; try again`);
      else if (word === 'unfit')
        fail(
          `${name} was copied and does not run on ${host}${value && `, saying: ${value}`}: take one that is made for its C library`,
        );
    };
    runner
      .converse('py-spy-copy', copyScript({ size: bytes.length, sha256 }), {
        onReady: heard,
        onLine,
        onEnd({ errorText }) {
          if (isReady) return onGone();
          const said = safeText(errorText.trim()).split('\n').at(-1);
          fail(`${name} was not copied to ${host}: the channel was cut${said ? `, saying: ${said}` : ''}; try again`);
        },
      })
      .then(
        (started) => (stream = started),
        (error: unknown) => fail(safeText(error instanceof Error ? error.message : String(error))),
      );
  });
}

function inLines(packed: Buffer): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < packed.length; at += lineBytes) lines.push(packed.toString('base64', at, at + lineBytes));
  return lines;
}

function split(text: string): readonly [string, string] {
  const at = text.indexOf(' ');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
