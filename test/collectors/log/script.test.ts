import { appendFileSync, linkSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { followScript, mark } from '../../../src/collectors/log/script.ts';
import { quote } from '../../../src/collectors/quote.ts';
import { startStream } from '../../../src/collectors/stream.ts';
import { createLocalTransport } from '../../../src/collectors/transport/local.ts';
import { describeWith, requiredTool } from '../../support/requires.ts';
import { waitFor } from '../../support/waiting.ts';
import { folder, newPath, suites, type Ends } from './following.ts';

/** A running script, commanded by hand. */
async function start({ onTestFinished }: Ends, path: string, wrap?: string) {
  const lines: string[] = [];
  let ended = false;
  let errors = '';
  const stream = await startStream({
    transport: createLocalTransport(wrap),
    clock: systemClock,
    name: 'log',
    body: followScript(path),
    talks: true,
    onLine: (text) => void lines.push(text.replaceAll(`${mark} `, '@')),
    onEnd(end) {
      ended = true;
      errors = end.errorText;
    },
  });
  onTestFinished(async () => {
    stream.stop();
    await waitFor('the end', () => ended, 30_000);
  });
  const said = (pattern: RegExp) => waitFor(String(pattern), () => lines.find((l) => pattern.test(l)), 30_000);
  await said(/^@hello/);
  return {
    lines,
    said,
    send: stream.send,
    /** Sends commands and waits for the answer. */
    async tell(commands: string, pattern: RegExp) {
      lines.length = 0;
      stream.send(commands);
      return said(pattern);
    },
    async end() {
      // What reads our lines finds out at the next one that nobody wants them.
      await waitFor('the end', () => (stream.send('t 0'), ended), 30_000);
      return errors;
    },
  };
}

const inodeOf = (path: string) => statSync(path).ino;

for (const [name, tools, wrap] of suites) {
  describeWith(tools, `the script with ${name}`, () => {
    it.concurrent('reads a removed file to its end, and says what stands beside it', async (test) => {
      const path = newPath();
      writeFileSync(path, 'one\ntwo\nthree\n');
      const inode = inodeOf(path);
      const { tell, lines } = await start(test, path, wrap());
      // A file with that inode that is shorter is not the one that was looked at.
      for (const command of ['f', 'r']) expect(await tell(`${command} ${inode} 15 @`, /./)).toBe('@other');
      await tell(`f ${inode} 4 @`, /^three$/);
      expect(lines[0]).toMatch(new RegExp(`^@at ${inode} 14 4 \\d+$`));
      rmSync(path);
      writeFileSync(`${path}.1`, 'old\n');
      writeFileSync(`${path}.two\nlines`, '');
      writeFileSync(path, 'new\n');
      expect(await tell('s', /stop/)).toBe('@stop asked 14');
      await tell(`l ${inode} 7 3`, /^@looked/);
      expect(lines).toEqual([
        expect.stringMatching(new RegExp(`^@path ${inodeOf(path)} 4 \\d+$`)),
        expect.stringMatching(new RegExp(`^@open ${inode} 14 \\d+$`)),
        expect.stringMatching(new RegExp(`^@file ${inodeOf(`${path}.1`)} 4 \\d+ .*log\\.1$`)),
        `@text ${inode} 74 77 6f`,
        expect.stringMatching(/^@looked \d+$/),
      ]);
      await tell(`r ${inode} 8 =`, /end/);
      expect(lines.slice(1)).toEqual(['three', '@end']);
      expect(await tell(`r 1 0 ${path}.1`, /./)).toBe('@other');
      await tell(`r ${inodeOf(`${path}.1`)} 0 ${path}.1`, /@end/);
      expect(lines.slice(1)).toEqual(['old', '@end']);
    });

    it.concurrent(
      'finds the file by its inode under any name',
      async (test) => {
        const path = newPath();
        writeFileSync(path, 'one\n');
        const inode = inodeOf(path);
        const { tell, send, lines, end } = await start(test, path, wrap());
        const elsewhere = newPath(' a name with "quotes" and  two');
        renameSync(path, elsewhere);
        await tell(`l ${inode} 3 2`, /^@looked/);
        expect(lines[0]).toBe('@path');
        expect(lines[1]).toMatch(new RegExp(`^@found ${inode} 4 \\d+ .*/ a name with "quotes" and  two$`));
        expect(lines[2]).toBe(`@text ${inode} 6e 65`);
        await tell(`f ${inode} 0 ${elsewhere}`, /^one$/);
        send('e');
        expect(await end()).toContain('traintop: missing');
      },
      60_000,
    );

    it.concurrent(
      'sees that a file was truncated and has grown, that tail died, and where the path leads',
      async (test) => {
        const path = newPath();
        writeFileSync(path, 'first line\n');
        const inode = inodeOf(path);
        const { tell, lines, said } = await start(test, path, wrap());
        await tell(`f ${inode} 0 @`, /^first line$/);
        await tell(`t 11\nl 0 0 0`, /^@looked/);
        linkSync(path, `${path}.kept`);
        writeFileSync(`${path}.long`, 'another line\nof text\n');
        // In one step, as far as tail can see.
        writeFileSync(path, 'another line\nof text\n', { flag: 'r+' });
        expect(await tell('t 11', /@stop/)).toMatch(/@stop changed \d+$/);
        await tell(`f ${inode} 0 @`, /^of text$/);
        await tell(`t 21\nt 21\nl 0 0 0`, /^@looked/);
        expect(lines.join()).not.toContain('stop');
        renameSync(`${path}.long`, path);
        // Who is behind is no sign that the old file is still written to.
        await tell(`${'t 19\nt 20\n'.repeat(4)}l 0 0 0`, /^@looked/);
        expect(lines.join()).not.toContain('stop');
        expect(await tell('t 21\nt 21\nt 21', /@stop/)).toBe('@stop moved 21');
        await tell(`f ${inodeOf(path)} 0 @`, /^of text$/);
        appendFileSync(path, 'half');
        await tell('p /nowhere\nt 5000', /@stop/).then((line) => expect(line).toMatch(/^(half)?@stop behind 2[15]$/));
        expect(await tell('t 0', /^@/)).toBe('@idle');
        await said(/idle/);
      },
    );
  });
}

describeWith(['tail'], 'a file that is renamed while it is looked at', () => {
  it.concurrent('is not known by the bytes of the one that stands there then', async (test) => {
    const path = newPath();
    writeFileSync(path, 'one\n');
    writeFileSync(`${path}.next`, 'two\n');
    const inode = inodeOf(path);
    const bin = mkdtempSync(join(folder, 'late-'));
    const [log, old, next] = ['', '.1', '.next'].map((end) => quote(`${path}${end}`));
    const rotate = `[ ! -e ${next} ] || { mv ${log} ${old}; mv ${next} ${log}; }`;
    const late = `#!/bin/sh\n${rotate}\nexec ${requiredTool('od')} "$@"\n`;
    writeFileSync(join(bin, 'od'), late, { mode: 0o755 });
    const { tell, lines } = await start(test, path, `env PATH=${bin}:${process.env.PATH} sh -c 'exec sh -s' --`);
    await tell(`l ${inode} 3 3`, /^@looked/);
    expect(statSync(`${path}.1`).ino).toBe(inode);
    expect(lines.join()).not.toContain('@text');
    await tell(`l ${inode} 3 3`, /^@looked/);
    expect(lines).toContain(`@text ${inode} 6f 6e 65`);
  });
});
