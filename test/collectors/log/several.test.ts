import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWith } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';
import { folder, follow, followBeside, losable, newPath, suites } from './following.ts';

const ownLines = (texts: readonly string[]) => texts.filter((text) => !text.startsWith('--'));
const sources = Array.from({ length: 15 }, (_, i) => `log:${i + 2}`);

for (const [name, tools, wrap] of suites) {
  describeWith(tools, `several files over one channel with ${name}`, () => {
    it.concurrent('are read from their ends, told apart, each line once', async (test) => {
      const paths = [newPath(), ...sources.map(() => newPath())];
      paths.forEach((path, i) => writeFileSync(path, `file ${i} line 1\nfile ${i} li`));
      const { texts, logs, state } = await follow(test, paths, wrap());
      const all = (line: number) =>
        waitFor(
          `line ${line} of all`,
          () => sources.every((s, i) => texts(s).includes(`file ${i + 1} line ${line}`)),
          60_000,
        );
      await all(1);
      paths.forEach((path, i) =>
        appendFileSync(path, `ne 2\nfile ${i} line 3\n  4%|x| 4/100 [00:01<00:09, 1.00it/s]\rüñ`),
      );
      await all(3);
      paths.forEach((path, i) => appendFileSync(path, `í\0\nfile ${i} line 4\n`));
      await all(4);
      sources.forEach((source, i) => {
        expect(texts(source)[0]).toBe(`file ${i + 1} line 1`);
        expect(texts(source).filter((text) => /^file/.test(text))).toEqual(
          [1, 2, 3, 4].map((n) => `file ${i + 1} line ${n}`),
        );
        expect(texts(source).filter((text) => text.startsWith('üñí'))).toHaveLength(1);
        expect(logs(source)[0]).toMatchObject({ path: paths[i + 1] });
        expect(state(source)?.status).toBe('live');
      });
    });

    it.concurrent('give bars that are drawn over each other, each once', async (test) => {
      const path = newPath();
      writeFileSync(path, '');
      const { texts } = await followBeside(test, path, wrap());
      const bars = Array.from({ length: 6 }, (_, i) => `bär ${i}`);
      for (const [i, bar] of bars.entries()) {
        appendFileSync(path, `\r${bar}`);
        if (i > 0) await waitFor(`bar ${i - 1}`, () => texts().includes(bars[i - 1] ?? ''), 30_000);
      }
      appendFileSync(path, ' and a word\nlast\n');
      await waitFor('the last line', () => texts().includes('last'), 30_000);
      expect(texts()).toEqual([...bars.slice(0, -1), 'bär 5 and a word', 'last']);
    });

    it.concurrent('go on after a truncation, a replacement and a removal', async (test) => {
      const path = newPath();
      writeFileSync(path, 'one, and longer\n');
      const { has, texts, state } = await followBeside(test, path, wrap());
      await has('one, and longer');
      truncateSync(path, 0);
      appendFileSync(path, 'two\n');
      await has('two');
      writeFileSync(`${path}.new`, 'three\n');
      renameSync(`${path}.new`, path);
      await has('three');
      rmSync(path);
      writeFileSync(path, 'four\n');
      await has('four');
      expect(state()?.status).toBe('live');
      expect(ownLines(texts())).toEqual(['one, and longer', 'two', 'three', 'four']);
    });

    it.concurrent('say which of them cannot be read, and the others go on', async (test) => {
      const [first, missing] = [newPath(), newPath()];
      const good = newPath('a "good" [1]*.log');
      writeFileSync(first, '');
      writeFileSync(good, 'good\n');
      const { state, texts } = await follow(test, [first, missing, folder, good], wrap());
      await waitFor('the failures', () => [2, 3].every((n) => state(`log:${n}`)?.status === 'failed'), 30_000);
      expect(state('log:2')?.reason).toBe(`there is no ${missing} on local (yet); looking again`);
      expect(state('log:3')?.reason).toBe(`${folder} on local is a folder; give a file in it with --log PATH`);
      await waitFor('the good one', () => texts('log:4').includes('good'), 30_000);
      writeFileSync(missing, 'here now\n');
      await waitFor('the line', () => texts('log:2').includes('here now'), 30_000);
      expect(state('log:2')?.status).toBe('live');
    });

    it.concurrent('are found by a pattern, also when they come later', async (test) => {
      mkdirSync(folder, { recursive: true });
      const runs = mkdtempSync(join(folder, 'runs of $(touch hacked) '));
      const { texts, logs, state } = await follow(test, [join(runs, 'rank*.log')], wrap());
      await waitFor('the failure', () => state()?.status === 'failed', 30_000);
      expect(state()?.reason).toBe(`no file on local is named ${join(runs, 'rank*.log')} (yet); looking again`);
      for (const rank of [0, 1]) writeFileSync(join(runs, `rank${rank}.log`), `I am ${rank}\n`);
      writeFileSync(join(runs, 'rank0.log.1'), 'old\n');
      symlinkSync('rank1.log', join(runs, 'rank-last.log'));
      const said = (text: string) => ['log', ...sources].filter((source) => texts(source).includes(text));
      await waitFor('both', () => said('I am 0').length + said('I am 1').length === 2, 30_000);
      writeFileSync(join(runs, 'rank2.log'), 'I am 2\n');
      appendFileSync(join(runs, 'rank0.log'), 'still 0\n');
      await waitFor('the third', () => said('I am 2').length === 1 && said('still 0').length === 1, 30_000);
      expect(said('still 0')).toEqual(said('I am 0'));
      expect(['log', ...sources].filter((source) => logs(source).length > 0)).toHaveLength(3);
      expect(state()?.status).toBe('live');
    });

    it.concurrent('go on where they were when the link is back', async (test) => {
      const path = newPath();
      writeFileSync(path, 'one\ntwo\nhalf');
      const { transport, lose } = losable(wrap());
      const { has, texts, logs } = await followBeside(test, path, undefined, transport);
      await has('two');
      await lose();
      appendFileSync(path, ' and half\nthree\n');
      await has('three');
      expect(texts()).toEqual(['one', 'two', 'half and half', 'three']);
      expect(logs().at(-1)).toMatchObject({ backlog: true });
    });
  });
}
