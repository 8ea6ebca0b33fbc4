import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock, type Clock } from '../../src/clock.ts';
import { runJob, startStream, type StreamEnd } from '../../src/collectors/stream.ts';
import { createLocalTransport } from '../../src/collectors/transport/local.ts';
import { describeWith } from '../support/requires.ts';
import { stateOf } from '../support/spied.ts';
import { waitFor } from '../support/waiting.ts';

interface Options {
  readonly body: string;
  readonly wrap?: string;
  readonly talks?: boolean;
  readonly lease?: number;
}

/** A stream on this machine and what came of it. */
async function open({ body, wrap, talks = false, lease }: Options) {
  const said = { lines: [] as string[], quiet: 0, shell: 0, end: undefined as StreamEnd | undefined };
  const stream = await startStream({
    transport: createLocalTransport(wrap),
    clock: systemClock,
    name: 'test',
    body,
    talks,
    ...(lease !== undefined && { lease }),
    onReady: (pid) => (said.shell = pid),
    onLine: (text) => void said.lines.push(text),
    onQuiet: () => said.quiet++,
    onEnd: (end) => (said.end = end),
  });
  const ended = () => waitFor('the end', () => said.end);
  return { stream, said, ended };
}

/** PIDs of what is in the process group of that leader and runs. */
const groupOf = (leader: number) =>
  readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    // PID (COMM) STATE PPID GROUP; it may be gone by now.
    const [state, , group] = statOf(name);
    return Number(group) === leader && state !== 'Z';
  });

function statOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

const job = (body: string, wrap?: string, timeoutMs = 10_000) =>
  runJob({ transport: createLocalTransport(wrap), clock: systemClock, name: 'test', body, timeoutMs });

describeWith(['sh'], 'a stream', () => {
  it('gives the lines of the body and its code, and keeps what was said on standard error', async () => {
    const { said, ended } = await open({ body: 'echo a; printf "b\\nhalf"; echo oops >&2; exit 4' });
    expect(await ended()).toMatchObject({ code: 1, bodyCode: 4, began: true, lost: false, errorText: 'oops\n' });
    expect(said.lines).toEqual(['a', 'b', 'half']);
    expect(said.shell).toBeGreaterThan(1);
  });

  it('tells a log-in banner from the answer', async () => {
    const { said, ended } = await open({ body: 'echo a', wrap: `sh -c 'echo Welcome; printf half; exec "$@"' --` });
    expect(await ended()).toMatchObject({ bodyCode: 0, errorText: '' });
    expect(said.lines).toEqual(['a', '']);
  });

  it('reads a banner of a million lines at little cost', async () => {
    const before = process.cpuUsage();
    const { output } = await job('echo a', `sh -c 'yes | head -c 2000000; exec "$@"' --`, 60_000);
    expect(output.trim()).toBe('a');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(1);
  });

  it('keeps what a wrapper says that starts no shell', async () => {
    const { ended } = await open({ body: 'echo a', wrap: `sh -c 'echo no such container; exit 3' --` });
    expect(await ended()).toMatchObject({ code: 3, began: false, errorText: 'no such container\n' });
  });

  it('was cut when a wrapper ends by itself with code 0', async () => {
    const wrap = `sh -c 'exec 3<&0; setsid "$@" <&3 & sleep 1; kill -9 -$!; exit 0' --`;
    const { said, ended } = await open({ body: 'echo a; sleep 1000', wrap });
    const end = await ended();
    expect(end).toMatchObject({ code: 0, began: true, lost: false });
    expect(end.bodyCode).toBeUndefined();
    expect(said.lines).toEqual(['a']);
  });

  it('ends on the host when it is stopped', async () => {
    const { stream, said, ended } = await open({ body: 'echo a; sleep 1000' });
    await waitFor('a line', () => said.lines.length > 0);
    stream.stop();
    expect((await ended()).bodyCode).toBeUndefined();
  });

  it.each(['setsid', ''])(
    'ends there though it is stopped before it began, and no end of input gets through: %s',
    async (own) => {
      const folder = mkdtempSync(join(tmpdir(), 'traintop-held-'));
      const noted = (name: string) =>
        waitFor(
          name,
          () => (existsSync(join(folder, name)) && Number(readFileSync(join(folder, name), 'utf8'))) || undefined,
        );
      // As kubectl exec: whoever holds the other end open never lets go of it.
      const wrap = `sh -c 'mkfifo "$0/in"; sleep 1000 >"$0/in" 2>&1 & echo $! >"$0/holder"
${own} "$@" <"$0/in" & echo $! >"$0/shell"; cat >"$0/in"' ${folder}`;
      const { stream, said } = await open({ body: 'sleep 1000', wrap });
      expect(said.shell).toBe(0);
      stream.stop();
      const [holder, shell] = [await noted('holder'), await noted('shell')];
      try {
        await waitFor('its end', () => /^Z?$/.test(stateOf(shell) ?? ''));
      } finally {
        process.kill(holder, 'SIGKILL');
        rmSync(folder, { recursive: true });
      }
    },
  );

  it('talks with the body', async () => {
    const { stream, said, ended } = await open({ body: 'ticks | sed -u "s/$/!/"', talks: true });
    stream.send('too early');
    await waitFor('the first line', () => said.shell > 0);
    stream.send('a b');
    await waitFor('the answer', () => said.lines.length > 0);
    expect(said.lines).toEqual(['a b!']);
    stream.stop();
    await ended();
  });

  it('renews the lease as long as it lives', async () => {
    const { stream, said, ended } = await open({ body: 'sleep 3; echo still; sleep 1000', lease: 1 });
    await waitFor('a line after three leases', () => said.lines.includes('still'));
    stream.stop();
    await ended();
  });

  it('leaves nothing where SIGTERM is ignored, within a beat of its lease', async () => {
    const wrap = `sh -c 'trap "" TERM; exec "$@"' --`;
    const { stream, said, ended } = await open({ body: 'sleep 1000', lease: 1, wrap });
    await waitFor('the shell', () => said.shell > 0);
    const group = () => groupOf(said.shell);
    expect(group().length).toBeGreaterThan(1);
    stream.stop();
    await ended();
    await waitFor('the group to be gone', () => group().length === 0);
  });

  it('says when nothing came for a moment', async () => {
    const { stream, said, ended } = await open({ body: 'echo a; echo b; sleep 1; echo c; sleep 1000' });
    await waitFor('a quiet moment after c', () => said.lines.length === 3 && said.quiet >= 2);
    stream.stop();
    await ended();
  });

  it('gives a job whole', async () => {
    expect(await job('echo a; echo b; exit 2')).toMatchObject({ output: 'a\nb\n', bodyCode: 2, timedOut: false });
  });

  it('ends a job that takes too long, and keeps what came', async () => {
    expect(await job('echo a; sleep 1000', undefined, 1000)).toMatchObject({ output: 'a', timedOut: true });
  });

  it('does not wait for what a wrapper left with its output', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'traintop-left-'));
    const file = join(folder, 'pid');
    const left = `echo $$ >${file}; exec sleep 1000`;
    const wrap = `sh -c 'setsid sh -c "$0" & exec "$@"' '${left}'`;
    const transport = createLocalTransport(wrap);
    const result = await runJob({
      transport,
      clock: systemClock,
      name: 'test',
      body: 'echo a; exit 2',
      timeoutMs: 20_000,
    });
    expect(result).toMatchObject({ output: 'a\n', bodyCode: 2, timedOut: false });
    const pipes = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length;
    const before = pipes();
    await transport.close();
    await waitFor('the end of its pipes', () => pipes() < before);
    process.kill(Number(readFileSync(file, 'utf8')));
    rmSync(folder, { recursive: true });
  });

  it('keeps the beginning of an answer without end', async () => {
    const { output, bodyCode } = await job("head -c 50000000 /dev/zero | tr '\\0' x; echo; echo end");
    expect(bodyCode).toBe(0);
    expect(output).toMatch(/^x/);
    expect(output.length).toBeLessThan(35_000_000);
  });

  it.each(['is refused', 'ends'])('leaves no timer when a job %s', async (how) => {
    const timers = new Set<object>();
    const after: Clock['after'] = (ms, fn) => {
      const timer = {};
      timers.add(timer);
      const cancel = systemClock.after(ms, () => (timers.delete(timer), fn()));
      return () => (timers.delete(timer), cancel());
    };
    const refused = { open: () => Promise.reject(new Error('no')) };
    const transport = how === 'ends' ? createLocalTransport() : refused;
    const clock = { ...systemClock, after };
    const over = runJob({ transport, clock, name: 'test', body: 'echo a', timeoutMs: 30_000 });
    await over.catch(() => {});
    expect(timers.size).toBe(0);
  });

  it('does not wait for a wrapper that hangs', async () => {
    const wrap = `sh -c 'exec timeout 6 sleep 1000' --`;
    expect(await job('echo a', wrap, 300)).toMatchObject({ output: '', began: false, timedOut: true });
  });
});
