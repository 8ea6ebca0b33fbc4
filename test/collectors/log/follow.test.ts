import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeWith, requiredTool } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';
import { folder, follow, losable, newPath, suites } from './following.ts';

for (const [name, tools, wrap] of suites) {
  describeWith(tools, `following a file with ${name}`, () => {
    it.concurrent('reads what stands there, then what is added', async (test) => {
      const path = newPath();
      writeFileSync(path, 'step 1 | loss 2.5\nstep 2 | lo');
      const { has, logs, state } = await follow(test, [path], wrap());
      await has('step 1 | loss 2.5');
      appendFileSync(path, 'ss 2.4\n\x1b[31mstep 3\x1b[0m | loss 2.3\r  4%|x| 4/100 [00:01<00:09, 1.00it/s]\r');
      await has('step 3 | loss 2.3');
      await waitFor('the bar', () => logs().some((s) => s.lines.some((l) => l.values?.totalSteps === 100)));
      expect(logs()[0]).toMatchObject({ path, lines: [], endOffset: 0, format: 'generic' });
      expect(logs()[1]).toMatchObject({ path, backlog: true, endOffset: 18 });
      expect(logs().at(-1)?.backlog).toBeUndefined();
      expect(state()?.status).toBe('live');
    });

    it.concurrent('begins at a line border 256 kB before the end', async (test) => {
      const path = newPath();
      const content = Array.from({ length: 20_000 }, (_, i) => `line number ${i} of a long file\n`).join('');
      writeFileSync(path, content);
      const { has, texts, logs } = await follow(test, [path], wrap());
      await has('line number 19999 of a long file');
      expect(texts()[0]).toMatch(/^line number 1\d{4} of a long file$/);
      expect(texts()).toHaveLength(20_000 - Number(/\d+/.exec(texts()[0] ?? '')?.[0]));
      expect(logs().at(-1)?.endOffset).toBe(content.length);
    });

    it.concurrent('goes on after a truncation, a replacement and a removal', async (test) => {
      const path = newPath();
      writeFileSync(path, 'one, and longer\n');
      const { has, texts, state } = await follow(test, [path], wrap());
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
      expect(texts().filter((t) => !t.startsWith('--'))).toEqual(['one, and longer', 'two', 'three', 'four']);
    });

    it.concurrent('says once that the file was removed, reads on, and takes up the next', async (test) => {
      const path = newPath();
      writeFileSync(path, 'one\n');
      const { has, texts, state, lines } = await follow(test, [path], wrap());
      await has('one');
      const held = openSync(path, 'a');
      test.onTestFinished(() => closeSync(held));
      rmSync(path);
      const notes = () => texts().filter((text) => text.includes('removed or renamed'));
      await waitFor('the note', () => notes().length > 0, 30_000);
      expect(notes()[0]).toContain(`another is waited for at ${path} on local`);
      writeSync(held, 'two\n');
      await has('two');
      writeFileSync(path, 'three\n');
      await has('three');
      expect(notes()).toHaveLength(1);
      expect(
        lines()
          .filter(({ note }) => !note)
          .map(({ text }) => text),
      ).toEqual(['one', 'two', 'three']);
      expect(state()?.status).toBe('live');
    });

    it.concurrent('is live on an empty file', async (test) => {
      const path = newPath();
      writeFileSync(path, '');
      const { state } = await follow(test, [path], wrap());
      await waitFor('live', () => state()?.status === 'live');
    });

    it.concurrent('says what is wrong with a path', async (test) => {
      const missing = newPath();
      const { state, texts } = await follow(test, [missing, folder], wrap());
      await waitFor('both failures', () => state('log')?.status === 'failed' && state('log:2')?.status === 'failed');
      expect(state('log')?.reason).toContain(`there is no ${missing}`);
      expect(state('log:2')?.reason).toBe(`${folder} on local is a folder; give a file in it with --log PATH`);
      writeFileSync(missing, 'here now\n');
      await waitFor('the line', () => texts().includes('here now'), 20_000);
    });
  });
}

describeWith(['setpriv'], 'a file of another user', () => {
  it.skipIf(process.getuid?.() !== 0).concurrent('is said to be unreadable', async (test) => {
    const path = newPath();
    writeFileSync(path, 'secret\n', { mode: 0o600 });
    const { state } = await follow(test, [path], 'setpriv --reuid 65534 --clear-groups');
    await waitFor('the failure', () => state()?.status === 'failed');
    expect(state()?.reason).toMatch(/may not be read by this user/);
  });
});

describe('a break', () => {
  const linesOnly = (texts: readonly string[]) => texts.filter((text) => !text.startsWith('--'));

  it.concurrent('of the command: goes on after the last whole line', async (test) => {
    const path = newPath();
    writeFileSync(path, 'one\ntwo\nhalf');
    const { has, texts } = await follow(test, [path]);
    await has('two');
    process.kill(tailOf(path), 'SIGKILL');
    appendFileSync(path, ' and half\nthree\n');
    await has('three');
    expect(linesOnly(texts())).toEqual(['one', 'two', 'half and half', 'three']);
  });

  it.concurrent('of the link: reads what was written meanwhile, as a backlog', async (test) => {
    const path = newPath();
    writeFileSync(path, 'one\ntwo\n');
    const { transport, lose } = losable();
    const { has, texts, logs } = await follow(test, [path], undefined, transport);
    await has('two');
    await lose();
    appendFileSync(path, 'three\nfour\n');
    await has('four');
    expect(linesOnly(texts())).toEqual(['one', 'two', 'three', 'four']);
    expect(logs().at(-1)).toMatchObject({ backlog: true, endOffset: 19 });
  });

  it.concurrent('in which the file was replaced: reads the new one, saying so', async (test) => {
    const path = newPath();
    writeFileSync(path, 'one\ntwo\n');
    const { transport, lose } = losable();
    const { has, texts } = await follow(test, [path], undefined, transport);
    await has('two');
    await lose();
    writeFileSync(`${path}.new`, 'a new file that is longer\n');
    renameSync(`${path}.new`, path);
    await has('a new file that is longer');
    expect(texts().slice(2)).toEqual([
      '-- the file that was read up to byte 8 is gone: what was written to it after that is lost --',
      '-- the log was rotated: the next file begins here --',
      'a new file that is longer',
    ]);
  });
});

describeWith(['tail'], 'a busy host, where tail starts after the next tick', () => {
  it.concurrent('gives each line once when the link is back', async (test) => {
    mkdirSync(folder, { recursive: true });
    const bin = mkdtempSync(join(folder, 'late-'));
    const late = `#!/bin/sh\n[ "$1" = --version ] || sleep 0.7\nexec ${requiredTool('tail')} "$@"\n`;
    writeFileSync(join(bin, 'tail'), late, { mode: 0o755 });
    const { transport, lose } = losable(`env PATH=${bin}:${process.env.PATH} sh -c 'exec sh -s' --`);
    const path = newPath();
    writeFileSync(path, 'one\ntwo\n');
    const { texts, has } = await follow(test, [path], undefined, transport);
    await has('two');
    await lose();
    appendFileSync(path, 'three\n');
    await has('three');
    appendFileSync(path, 'four\n');
    await has('four');
    expect(texts()).toEqual(['one', 'two', 'three', 'four']);
  });
});

function tailOf(path: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (/^\S*tail\0/.test(line) && readlinkSync(`/proc/${pid}/fd/0`) === path) return Number(pid);
    } catch {
      // ended meanwhile
    }
  }
  throw new Error('tail does not run');
}

describe('a flood', () => {
  it.concurrent('of 20 000 lines a second comes in few samples, whole', async (test) => {
    const path = newPath();
    writeFileSync(path, '');
    const { logs, texts } = await follow(test, [path]);
    for (let part = 0; part < 10; part++) {
      appendFileSync(path, Array.from({ length: 2000 }, (_, i) => `flood ${part * 2000 + i} loss=2.5\n`).join(''));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await waitFor('the last line', () => texts().at(-1) === 'flood 19999 loss=2.5', 20_000);
    expect(texts()).toHaveLength(20_000);
    const read = logs()
      .flatMap((sample) => sample.lines)
      .filter((line) => line.values?.loss !== undefined).length;
    expect(read).toBeGreaterThanOrEqual(5000);
    expect(logs().length).toBeLessThan(100);
  });
});
