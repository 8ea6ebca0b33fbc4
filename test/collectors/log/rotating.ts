import { copyFileSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import type { Transport } from '../../../src/collectors/transport/transport.ts';
import { expect, it } from 'vitest';
import { describeWith } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';
import { type follow, type Ends, lineOf, losable, newPath, startWriter, suites } from './following.ts';

type Watch = Pick<Awaited<ReturnType<typeof follow>>, 'texts' | 'logs' | 'has' | 'gaps' | 'state'>;

/** Follows one file. */
export type FollowOne = (test: Ends, path: string, wrap?: string, transport?: Transport) => Promise<Watch>;

/** The numbers of the lines that came, in the order in which they came. */
export const numbersOf = ({ texts }: Watch) =>
  texts().flatMap((text) => (/^line \d{7} of the training log$/.test(text) ? [Number(text.slice(5, 12))] : []));

/** Where numbers are missing or come again: `12>15` when 13 and 14 did not come. */
export function breaks(numbers: readonly number[]): readonly string[] {
  return numbers.flatMap((number, i) => {
    const before = i === 0 ? 0 : (numbers[i - 1] ?? 0);
    return number === before + 1 ? [] : [`${before}>${number}`];
  });
}

/** What came, in order: `1-710 [a note] 951-2933`. */
function courseOf(watch: Watch): string {
  const parts: (string | [first: number, last: number])[] = [];
  for (const text of watch.texts()) {
    const number = Number(/^line (\d{7}) of the training log$/.exec(text)?.[1]);
    const before = parts.at(-1);
    if (Number.isNaN(number)) parts.push(`[${text}]`);
    else if (Array.isArray(before) && number === before[1] + 1) before[1] = number;
    else parts.push([number, number]);
  }
  return parts.map((part) => (Array.isArray(part) ? part.join('-') : part)).join(' ');
}

/** Writing goes on until `count` more lines came, or `count` lines after the line `since`. */
export async function flow(watch: Watch, count = 300, since = numbersOf(watch).at(-1) ?? 0) {
  await waitFor(`${count} more lines`, () => (numbersOf(watch).at(-1) ?? 0) >= since + count, 60_000);
}

/** All that the file holds was read, each line once. */
function expectAllOf(path: string, watch: Watch) {
  const held = readFileSync(path, 'latin1').match(/\d{7}/g)?.map(Number) ?? [];
  const from = held[0] ?? 0;
  expect(breaks(numbersOf(watch).filter((n) => n >= from)).slice(1)).toEqual([]);
  expect(numbersOf(watch).filter((n) => n >= from)).toHaveLength(held.length);
}

const rotate = (path: string, generations: number) => {
  for (let i = generations; i > 1; i--) renameSync(`${path}.${i - 1}`, `${path}.${i}`);
  renameSync(path, `${path}.1`);
};

/** What becomes of the lines of a file that is rotated in all the ways there are, whoever follows it. */
export function describeRotations(how: string, followOne: FollowOne) {
  /** A file that has none of the lines yet stands there, and is followed. */
  async function watchNew(test: Ends, path: string, ...way: [wrap?: string, transport?: Transport]) {
    writeFileSync(path, '');
    const watch = await followOne(test, path, ...way);
    await waitFor('the empty file', () => watch.logs().length > 0, 30_000);
    return { watch, writer: startWriter(test, path) };
  }

  for (const [name, tools, wrap] of suites) {
    describeWith(tools, `2000 lines a second${how} with ${name}`, () => {
      it.concurrent(
        'come each once while the file is renamed, made anew and removed',
        async (test) => {
          const path = newPath();
          const { watch, writer } = await watchNew(test, path, wrap());
          await flow(watch);
          rotate(path, 1);
          await flow(watch, 300, await writer.reopen());
          // As logrotate does with `create` and a signal that comes late.
          rotate(path, 2);
          writeFileSync(path, '');
          await flow(watch, 1000);
          await flow(watch, 300, await writer.reopen());
          rmSync(path);
          await flow(watch);
          await flow(watch, 300, await writer.reopen());
          // The writer keeps its file, and nothing new comes to its old place.
          rotate(path, 3);
          await flow(watch, 1000);
          const total = await writer.stop();
          await watch.has(lineOf(total));
          expect(breaks(numbersOf(watch))).toEqual([]);
          expect(numbersOf(watch)).toHaveLength(total);
          expect(watch.gaps()).toEqual([]);
          expect(watch.state()?.status).toBe('live');
        },
        160_000,
      );

      it.concurrent(
        'come again from the beginning after each truncation, which is a named gap',
        async (test) => {
          const path = newPath();
          const { watch, writer } = await watchNew(test, path, wrap());
          for (let cut = 1; cut <= 3; cut++) {
            await flow(watch, 2000);
            // As logrotate does with `copytruncate`.
            if (cut === 2) copyFileSync(path, `${path}.1`);
            truncateSync(path, 0);
            await waitFor('the gap', () => watch.gaps().length >= cut, 60_000);
          }
          await flow(watch);
          const total = await writer.stop();
          await watch.has(lineOf(total));
          const lost = breaks(numbersOf(watch));
          expect(lost.length, courseOf(watch)).toBeLessThanOrEqual(3);
          expect(lost.filter((at) => Number(at.split('>')[1]) < Number(at.split('>')[0]))).toEqual([]);
          expect(watch.gaps().map(({ reason }) => reason)).toEqual(['truncated', 'truncated', 'truncated']);
          expectAllOf(path, watch);
        },
        160_000,
      );

      it.concurrent(
        'come each once when the file is renamed several times while the link is down',
        async (test) => {
          const path = newPath();
          const { transport, lose } = losable(wrap());
          const { watch, writer } = await watchNew(test, path, undefined, transport);
          await flow(watch);
          await lose();
          for (let generations = 1; generations <= 3; generations++) {
            rotate(path, generations);
            await writer.reopen();
          }
          await flow(watch, 1000);
          await lose();
          const total = await writer.stop();
          rotate(path, 4);
          await watch.has(lineOf(total));
          expect(breaks(numbersOf(watch))).toEqual([]);
          expect(numbersOf(watch)).toHaveLength(total);
          expect(watch.gaps()).toEqual([]);
        },
        160_000,
      );

      it.concurrent(
        'are missing where they are gone when the link is back, and that is named',
        async (test) => {
          const path = newPath();
          const { transport, lose } = losable(wrap());
          const { watch, writer } = await watchNew(test, path, undefined, transport);
          await flow(watch);
          // At once: on a busy machine the link may be back before all of its shells have ended.
          let closed = lose();
          truncateSync(path, 0);
          await closed;
          // Lines of before may come until then: busybox tail gives those of a second at once.
          await waitFor('the gap', () => watch.gaps().length > 0, 60_000);
          await flow(watch);
          closed = lose();
          rmSync(path);
          await closed;
          await flow(watch, 300, await writer.reopen());
          const total = await writer.stop();
          await watch.has(lineOf(total));
          const lost = breaks(numbersOf(watch));
          expect(lost.length, courseOf(watch)).toBeLessThanOrEqual(2);
          // An inode may be used anew at once: then the removed file looks like one that was truncated.
          expect(watch.gaps().map(({ reason }) => reason)).toEqual([
            'truncated',
            expect.stringMatching(/lost|truncated/),
          ]);
          expectAllOf(path, watch);
        },
        160_000,
      );
    });
  }
}
