import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { endLine, envelope, leaseLine } from '../../src/collectors/envelope.ts';
import { describeWith } from '../support/requires.ts';
import { waitFor } from '../support/waiting.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) {
    child.stdin?.end();
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // it is gone, as it should be
    }
  }
});

const shells = { dash: ['dash'], 'bash --posix': ['bash', '--posix'], 'busybox sh': ['busybox', 'sh'] };
const script = (body: string, more: { talks?: boolean; lease?: number } = {}) =>
  envelope({ name: 'test', body, nonce: 'f00d', talks: false, ...more });

/** A shell in a process group of its own that was fed a script; `output` is what came until now. */
function feed([command = 'sh', ...args]: readonly string[], text: string) {
  const child = spawn(command, [...args, '-s'], { detached: true, stdio: 'pipe' });
  started.push(child);
  const said = { output: '', errors: '', code: undefined as number | null | undefined };
  child.stdin.on('error', () => {});
  child.stdout.on('data', (data: Buffer) => (said.output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said.errors += data.toString()));
  child.on('close', (code) => (said.code = code));
  child.stdin.write(text);
  return { child, said, group: child.pid ?? 0 };
}

/** Command names in a process group, zombies left out. */
function living(group: number): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        const at = stat.lastIndexOf(')');
        const [state, , owner] = stat.slice(at + 2).split(' ');
        return Number(owner) === group && state !== 'Z' ? [stat.slice(stat.indexOf('(') + 1, at)] : [];
      } catch {
        return [];
      }
    });
}

const gone = (group: number, ms = 1000) => waitFor(`group ${group} to end`, () => living(group).length === 0, ms);
const begun = (said: { output: string }, text: string) => waitFor(text, () => said.output.includes(text));
const stubborn = 'echo on; (sleep 1001 & sleep 1002 | sleep 1003); sleep 1004';

describeWith(['dash', 'bash', 'busybox'], 'the envelope', () => {
  for (const [name, shell] of Object.entries(shells)) {
    it(`marks the answer and its end (${name})`, async () => {
      const { child, said, group } = feed(shell, script('echo a; [ -z "$COLUMNS" ] && echo "$LC_ALL $HOME"; exit 7'));
      await waitFor('the end', () => said.code !== undefined);
      expect(said.output).toBe(`\n@traintop f00d ${child.pid}\na\nC /nonexistent\n\n@end f00d 7\n`);
      expect(said.errors).toBe('');
      await gone(group);
    });

    it(`hands the client's lines to a body that talks, leases left out (${name})`, async () => {
      const { child, said, group } = feed(
        shell,
        script('ticks | while read -r l; do printf "<%s>\\n" "$l"; done', { talks: true }),
      );
      await begun(said, '@traintop');
      child.stdin.write(`one\n${leaseLine}two  \\n %s\n`);
      await begun(said, '<two  \\n %s>');
      expect(said.output).not.toContain('<+>');
      child.stdin.end();
      await gone(group);
      await begun(said, '@end f00d 0');
    });

    it(`leaves nothing 1 s after the end of input (${name})`, async () => {
      const { child, said, group } = feed(shell, script(stubborn));
      await begun(said, 'on');
      await waitFor('the sleeps', () => living(group).filter((comm) => comm === 'sleep').length > 2);
      child.stdin.end();
      await gone(group);
    });

    it(`leaves nothing 1 s after the last line, the input still open (${name})`, async () => {
      for (const talks of [false, true]) {
        const { child, said, group } = feed(shell, script(talks ? 'echo on; ticks | cat' : stubborn, { talks }));
        await begun(said, 'on');
        child.stdin.write(endLine);
        await gone(group);
      }
    });

    it(`ends when the lease is not renewed, the input still open (${name})`, async () => {
      const { child, said, group } = feed(shell, script(stubborn, { lease: 1 }));
      await begun(said, 'on');
      for (let time = 0; time < 8; time++) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        child.stdin.write(leaseLine);
        expect(living(group)).not.toEqual([]);
      }
      await gone(group, 4000);
      expect(said.output).not.toContain('@end');
    });

    it(`ends a silent body that talks with its lease (${name})`, async () => {
      const { said, group } = feed(shell, script('echo on; ticks', { talks: true, lease: 1 }));
      await begun(said, 'on');
      await gone(group, 4000);
    });

    it(`leaves nothing when its shell was killed, after the next sign or the end of input (${name})`, async () => {
      for (const sign of ['lease', 'end']) {
        const { child, said, group } = feed(shell, script(stubborn));
        await begun(said, 'on');
        const reaped = new Promise((resolve) => child.on('exit', resolve));
        process.kill(group, 'SIGKILL');
        await reaped;
        if (sign === 'lease') child.stdin.write(leaseLine);
        else child.stdin.end();
        await gone(group);
      }
    });
  }

  it('leaves nothing 1 s after its client was killed', async () => {
    const client = spawn(
      process.execPath,
      [
        '-e',
        `const c = require('child_process').spawn('sh', ['-s'], { detached: true, stdio: ['pipe', 'inherit', 'inherit'] });
         c.stdin.write(process.argv[1]); setInterval(() => {}, 1000); console.log('group ' + c.pid);`,
        script(stubborn),
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const said = { output: '' };
    client.stdout.on('data', (data: Buffer) => (said.output += data.toString()));
    await begun(said, 'on');
    // The shell may have said so before its client got to name it.
    const [, group = 0] = (await waitFor('the group', () => /group (\d+)\n/.exec(said.output))).map(Number);
    expect(living(group)).not.toEqual([]);
    client.kill('SIGKILL');
    await gone(group);
  });

  it('leaves nothing when a terminal or an engine ends its group', async () => {
    const { said, group } = feed(['dash'], script(stubborn));
    await begun(said, 'on');
    process.kill(group, 'SIGTERM');
    await gone(group);
  });
});
