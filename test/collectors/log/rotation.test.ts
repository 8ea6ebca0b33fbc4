import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeWith } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';
import { follow, lineOf, losable, newPath, startWriter } from './following.ts';
import { breaks, describeRotations, flow, numbersOf } from './rotating.ts';

describeRotations('', (test, path, ...way) => follow(test, [path], ...way));

describeWith(['tail'], 'a link to a file', () => {
  it.concurrent(
    'is followed when it leads elsewhere, at once and while the line is down',
    async (test) => {
      const [link, first, second, third] = ['run.log', 'run.2026-11-28', 'run.2026-11-29', 'run.2026-11-30'].map(
        newPath,
      );
      if (!link || !first || !second || !third) return;
      const point = (to: string) => {
        symlinkSync(to, `${link}.new`);
        renameSync(`${link}.new`, link);
      };
      writeFileSync(first, '');
      point(first);
      const { transport, lose } = losable();
      const watch = await follow(test, [link], undefined, transport);
      await waitFor('the empty file', () => watch.logs().length > 0, 30_000);
      const writer = startWriter(test, first);
      await flow(watch);
      const before = await writer.reopen(second);
      point(second);
      await flow(watch, 300, before);
      await lose();
      await writer.reopen(third);
      point(third);
      await flow(watch);
      const total = await writer.stop();
      await watch.has(lineOf(total));
      expect(breaks(numbersOf(watch))).toEqual([]);
      expect(watch.gaps()).toEqual([]);
    },
    160_000,
  );
});
