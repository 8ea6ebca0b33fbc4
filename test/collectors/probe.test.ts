import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { probeHost, readFacts } from '../../src/collectors/probe.ts';
import { quote } from '../../src/collectors/quote.ts';
import { createLocalTransport } from '../../src/collectors/transport/local.ts';
import { describeWith } from '../support/requires.ts';

const fixture = (name: string) => readFileSync(new URL(`../fixtures/host/${name}`, import.meta.url), 'utf8');
/** The time in the captured answer's first line, sent and received about it. */
const readNear = (text: string, { early = 50, late = 50 } = {}) => {
  const at = Number(/^clock \S+ (\d+)/.exec(text)?.[1]) * 1000;
  return readFacts(text, { sentAt: at - early, receivedAt: at + late });
};

describe('the facts of a host', () => {
  it('are read from the answer of Debian 12 without a GPU', () => {
    expect(readNear(fixture('probe-debian-12.txt'), { early: 0, late: 2000 })).toEqual({
      hostname: 'node-0',
      kernel: expect.stringMatching(/^Linux \d/),
      user: 'root',
      uid: 0,
      clockTicks: 100,
      pageSize: 4096,
      cores: 2,
      bootTime: expect.any(Number),
      clockOffsetMs: 0,
      utcOffsetMinutes: 0,
      awk: 'mawk',
      top: { flavour: 'procps', version: '4.0.2', leaderRowIsTotal: true },
      pidstatVersion: '12.6.1',
      tailFollows: true,
      nvidiaMissing: expect.stringMatching(/not on the PATH/),
      hasPtraceCapability: true,
    });
  });

  it('name the GPUs, the driver and all its fields', () => {
    const { nvidia, nvidiaMissing } = readNear(fixture('probe-h200.txt'));
    expect(nvidiaMissing).toBeUndefined();
    expect(nvidia).toMatchObject({ driverVersion: '580.159.04', gpuCount: 2 });
    expect(nvidia?.fields).toEqual(expect.arrayContaining(['clocks.current.sm', 'clocks.sm', 'name', 'gpu_name']));
    expect(nvidia?.fields.filter((name) => !/^[\w.]+$/.test(name) || name === 'or')).toEqual([]);
  });

  it('count the threads that are there', () => {
    const text = fixture('probe-debian-12.txt');
    expect(readNear(text)).not.toHaveProperty('threadCount');
    expect(readNear(`${text}threads 3120\n`)).toMatchObject({ threadCount: 3120 });
    expect(readNear(`${text}threads many\n`)).not.toHaveProperty('threadCount');
  });

  it('name the device of each GPU by its UUID', () => {
    const gpu = 'gpu 580.159.04, 0, GPU-98e10deb-17c3, NVIDIA H200\ngpucode 0\n';
    const minors = 'gpuminor GPU-98e10deb-17c3 3\ngpuminor  7\ngpuminor GPU-x\n';
    expect(readFacts(minors + gpu, { sentAt: 0, receivedAt: 1 }).nvidia?.minors).toEqual({ 'GPU-98e10deb-17c3': 3 });
    expect(readFacts(gpu, { sentAt: 0, receivedAt: 1 }).nvidia).not.toHaveProperty('minors');
  });

  it('tell nodes of memory, and where each GPU is on the PCI bus', () => {
    const gpu = 'gpu 580.159.04, 0, GPU-98e10deb-17c3, NVIDIA H200\ngpucode 0\n';
    const places =
      'numa 1 48-95\nnuma 0 0-47\nnuma 2 \nnuma x 1\ngpuplace GPU-98e10deb-17c3 0000:18:00.0 1 48-95\n' +
      'gpuplace GPU-x 0000:8a:00.0 -1 0-95\ngpuplace GPU-y 0000:8b:00.0 - -\ngpuplace  0000:8b:00.0 - -\n';
    const facts = readFacts(places + gpu, { sentAt: 0, receivedAt: 1 });
    expect(facts.numaNodes).toEqual([
      { node: 0, cores: '0-47' },
      { node: 1, cores: '48-95' },
    ]);
    expect(facts.nvidia?.places).toEqual({
      'GPU-98e10deb-17c3': { address: '0000:18:00.0', node: 1, cores: '48-95' },
      'GPU-x': { address: '0000:8a:00.0' },
      'GPU-y': { address: '0000:8b:00.0' },
    });
    expect(readFacts(gpu, { sentAt: 0, receivedAt: 1 })).not.toHaveProperty('numaNodes');
  });

  it('bear a busybox that has no fraction of a second, no getconf and no procps', () => {
    const facts = readNear(fixture('probe-busybox.txt'), { early: 100, late: 300 });
    expect(facts).toMatchObject({ awk: 'busybox', top: { flavour: 'busybox' }, clockTicks: 100, pageSize: 4096 });
    expect(facts.clockOffsetMs).toBe(0);
    expect(facts).not.toHaveProperty('pidstatVersion');
  });

  it.each([
    ['nothing', ''],
    ['noise', '\u0000\u001b[2J\nclock\nuptime x\ncapeff xyz\ngpu\nfield \u001b]0;x\u0007\ntop\nuid NaN\nawk\npage -\n'],
    ['a banner', 'Welcome!\n\n * Documentation: https://example.com\ngpu Failed to initialize NVML: Unknown Error\n'],
  ])('are whole and finite for %s', (_, text) => {
    const facts = readFacts(text, { sentAt: 1000, receivedAt: 1100 });
    expect(facts).toMatchObject({ hostname: 'the host', clockTicks: 100, clockOffsetMs: 0, bootTime: 1050 });
    expect(facts).not.toHaveProperty('cores');
    expect(facts.nvidiaMissing).toMatch(/./);
    expect(JSON.stringify(facts)).not.toMatch(/null|\\u00[01]/);
  });

  it('tell the host whose clock is wrong, and its zone', () => {
    const text = 'clock 1700000000.250000000 1700000000 -0330\nuptime 100.25\n';
    const facts = readFacts(text, { sentAt: 1_699_999_990_000, receivedAt: 1_699_999_990_500 });
    expect(facts).toMatchObject({ clockOffsetMs: 10_000, utcOffsetMinutes: -210, bootTime: 1_699_999_890_000 });
  });

  it.each([
    ['procps-ng 3.3.17', { version: '3.3.17', leaderRowIsTotal: false }],
    ['procps-ng 4.0.3', { version: '4.0.3', leaderRowIsTotal: true }],
    ['procps-ng 4.0.4', { version: '4.0.4', leaderRowIsTotal: false }],
    ['procps version 3.2.8', { version: '3.2.8', leaderRowIsTotal: false }],
  ])('know top of %s', (version, top) => expect(readNear(`clock 1 5\ntop ${version}\n`).top).toMatchObject(top));

  it('are those of this machine', async () => {
    const options = { intervalMs: 1000, threads: 'proc' as const, logs: [], pySpy: "/no such/it's" };
    const facts = await probeHost({ transport: createLocalTransport(), clock: systemClock, options });
    expect(facts).toMatchObject({
      hostname: hostname(),
      user: userInfo().username,
      clockOffsetMs: 0,
      tailFollows: true,
    });
    expect(facts.threadCount).toBeGreaterThan(1);
    const up = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
    expect(Math.abs(facts.bootTime + up * 1000 - Date.now())).toBeLessThan(2000);
  });

  it.each([
    ['hangs', 'sleep 1000', /nvidia-smi gave no answer in 1 s/],
    ['prints for ever', 'yes garbage', /nvidia-smi gave no GPU, saying: garbage/],
    ['says nothing', 'exit 3', /nvidia-smi gave no GPU, saying nothing \(code 3\)/],
  ])('do not wait for an nvidia-smi that %s', async (_, body, missing) => {
    const folder = mkdtempSync(join(tmpdir(), 'traintop-probe-'));
    writeFileSync(join(folder, 'nvidia-smi'), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    const transport = createLocalTransport(`env PATH=${folder}:${process.env.PATH}`);
    const options = { intervalMs: 1000, threads: 'proc' as const, logs: [] };
    const facts = await probeHost({ transport, clock: systemClock, options, nvidiaSeconds: 1 });
    expect(facts).toMatchObject({ hostname: hostname(), nvidiaMissing: expect.stringMatching(missing) });
    expect(JSON.stringify(facts).length).toBeLessThan(4000);
    await transport.close();
    rmSync(folder, { recursive: true });
  });
});

describeWith(['script'], 'a wrapper that gives its command a terminal', () => {
  it('is refused with what to do', async () => {
    const transport = createLocalTransport('script -qec "sh -s" /dev/null #');
    const options = { intervalMs: 1000, threads: 'proc' as const, logs: [] };
    const probe = probeHost({ transport, clock: systemClock, options });
    await expect(probe).rejects.toThrow(/^`script .*` gives its command a terminal.*: leave out -t/);
    await transport.close();
  });
});

describe('a user’s string as a shell word', () => {
  it.each([
    ['a b', "'a b'"],
    ["it's $(x)", "'it'\\''s $(x)'"],
    ['', "''"],
  ])('%s', (text, word) => expect(quote(text)).toBe(word));
});
