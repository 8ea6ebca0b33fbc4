import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { createLogParser } from '../../../src/collectors/log/parser.ts';
import { followScript } from '../../../src/collectors/log/script.ts';
import { startStream } from '../../../src/collectors/stream.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import type { Transport } from '../../../src/collectors/transport/transport.ts';
import type { Sample } from '../../../src/model/samples.ts';
import { describeWith } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';
import { lineOf, newPath, startWriter, suites } from './following.ts';

/** Numbers that are the same in each run of the tests. */
function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % below;
  };
}

/** The local transport, whose channels end after this many bytes: what is under way then is lost. */
function cutAfter(bytes: number, wrap?: string): Transport {
  const local = createLocalTransport(wrap);
  return {
    ...local,
    async open() {
      const channel = await local.open();
      let left = bytes;
      return {
        ...channel,
        onOutput: (fn) =>
          channel.onOutput((chunk) => {
            if (left > 0) fn(chunk.subarray(0, left));
            left -= chunk.length;
            if (left <= 0) channel.end();
          }),
      };
    },
  };
}

for (const [name, tools, wrap] of suites) {
  describeWith(tools, `a stream cut at 20 places with ${name}`, () => {
    it.concurrent(
      'gives each line once, of several files',
      async (test) => {
        const path = newPath();
        writeFileSync(path, '');
        const where = { onHost: path, shown: path };
        const clock = { utcOffsetMinutes: 0, clockOffsetMs: 0 };
        const parser = createLogParser({ host: 'h', source: 'log', path: where, clock });
        const texts: string[] = [];
        const take = (samples: readonly Sample[]) => {
          for (const sample of samples)
            if (sample.kind === 'log')
              texts.push(...sample.lines.map(({ text }) => text).filter((t) => !t.startsWith('--')));
        };
        const writer = startWriter(test, path);
        const dice = random(name.length);
        const shell = wrap();

        /** Reads until the cut, or until `enough`. */
        const read = async (bytes: number, enough?: () => boolean) => {
          let ended = false;
          parser.restart(clock, where);
          const say = () => {
            const question = parser.ask?.();
            if (question !== undefined) stream.send(question);
          };
          const stream = await startStream({
            transport: cutAfter(bytes, shell),
            clock: systemClock,
            name: 'log',
            body: followScript(path),
            talks: true,
            splitCarriageReturns: true,
            onLine(text, length) {
              take(parser.push(text, 0, length));
              say();
            },
            onQuiet: () => take(parser.quiet?.(0) ?? []),
            onEnd: () => void (ended = true),
          });
          const cancel = systemClock.every(200, () => stream.send(parser.tick(where)));
          await waitFor('the cut', () => ended || enough?.(), 60_000);
          cancel();
          stream.stop();
          await waitFor('the end', () => ended, 60_000);
        };

        for (let cut = 0; cut < 20; cut++) {
          // The first words are about 300 bytes.
          await read(200 + dice(20_000));
          if (cut % 7 === 3) {
            for (let i = cut; i > 3; i -= 7)
              renameSync(`${path}.${Math.floor(i / 7)}`, `${path}.${Math.floor(i / 7) + 1}`);
            renameSync(path, `${path}.1`);
            await writer.reopen();
          }
        }
        const total = await writer.stop();
        appendFileSync(path, 'the end\n');
        await read(1e9, () => texts.includes('the end'));
        expect(texts).toEqual([...Array.from({ length: total }, (_, i) => lineOf(i + 1)), 'the end']);
      },
      120_000,
    );
  });
}
