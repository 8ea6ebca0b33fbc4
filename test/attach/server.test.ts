import { mkdtempSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { WatchHands } from '../../src/attach/answers.ts';
import { follow, type Follower } from '../../src/attach/follower.ts';
import { mostRead, protocolVersion } from '../../src/attach/protocol.ts';
import { recordingFolder } from '../../src/attach/recording-folder.ts';
import { listenForScreens, type AttachServer } from '../../src/attach/server.ts';
import { wireOfStream } from '../../src/attach/wire.ts';
import { systemClock } from '../../src/clock.ts';
import { createStore, type Store } from '../../src/model/store.ts';
import type { Sample } from '../../src/model/samples.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { waitFor } from '../support/waiting.ts';

let folder: string;
let store: Store;
let server: AttachServer;
let saves = 0;
const sent = vi.fn();
const hands: WatchHands = {
  setInterval: (ms) => ms,
  ...{ connectNow: vi.fn(), lookForRuns: vi.fn(), chooseRun: vi.fn(), cancelCapture: vi.fn() },
  ...{ acknowledge: vi.fn(), mute: vi.fn(), unmute: vi.fn(), mark: vi.fn(), send: sent },
  capture: vi.fn(() => ({ over: Promise.resolve() })),
  look: async (pid) =>
    pid === 1
      ? { failure: 'It is gone.' }
      : {
          ...{ pid, comm: 'python', commandLine: 'python train.py', startTicks: '77', startedAt: 5, state: 'S' },
          ...{ ignored: 2n ** 40n, caught: 0n, blocked: 0n, pending: 0n, children: 0 },
        },
  recording: recordingFolder(
    () => folder,
    async () => {},
  ),
};
const sockets: Socket[] = [];
const followers: Follower[] = [];
const path = () => join(folder, 'watch.sock');

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'traintop-attach-'));
  store = createStore(systemClock, 100);
  saves = 0;
  vi.clearAllMocks();
  await listen();
});
afterEach(async () => {
  followers.splice(0).forEach((follower) => follower.stop());
  sockets.splice(0).forEach((socket) => socket.destroy());
  await server.close('the test is over');
  store.stop();
  removeFolder(folder);
});

async function listen(limits?: Parameters<typeof listenForScreens>[0]['limits']) {
  server = await listenForScreens({
    ...{ path: path(), clock: systemClock, hands, ...(limits && { limits }) },
    header: () => ({
      ...{ protocol: protocolVersion, traintop: '1', name: 'x', machine: 'm', pid: 1, startedAt: 1, target: 'local' },
      ...{ demo: false, intervalMs: 1000, readOnly: false },
    }),
    about: () => ({ now: Date.now(), recording: { is: 'off' }, ways: [] }),
    save() {
      saves++;
      return store.save();
    },
  });
}

function push(sample: Sample) {
  store.push(sample);
  server.sample(sample);
}

const log = (text: string, receivedAt = Date.now()): Sample => ({
  ...{ kind: 'log', host: 'h', source: 'log', time: receivedAt, receivedAt, path: '/x.log', format: 'plain' },
  lines: [{ text, time: receivedAt }],
});

const shown = ({ store }: { store: Store }) =>
  store
    .getState()
    .logs.get('/x.log')
    ?.lines.map(({ text }) => text);

async function attach(): Promise<Follower> {
  const follower = await follow({
    clock: systemClock,
    connect: () =>
      new Promise((resolve, reject) => {
        const socket = connect(path());
        sockets.push(socket);
        socket.once('connect', () => resolve(wireOfStream(socket)));
        socket.once('error', reject);
      }),
  });
  followers.push(follower);
  return follower;
}

async function raw(): Promise<{ socket: Socket; text: () => string; closed: () => boolean }> {
  const socket = connect(path());
  sockets.push(socket);
  let text = '';
  let closed = false;
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => {});
  socket.on('close', () => (closed = true));
  await new Promise((resolve) => socket.once('connect', resolve));
  return { socket, text: () => text, closed: () => closed };
}

test('a screen shows what came before it and what comes, several at once', async () => {
  push(log('one'));
  const first = await attach();
  push(log('two'));
  const second = await attach();
  push(log('three'));
  for (const each of [first, second]) await waitFor('all lines', () => shown(each)?.join() === 'one,two,three', 3000);
  expect(shown({ store })).toEqual(shown(first));
});

test('what is asked is done, and answered', async () => {
  const { ask } = await attach();
  expect((await ask({ ask: 'interval', ms: 2000 })).value).toBe(2000);
  await ask({ ask: 'acknowledge', alarm: 'a1' });
  expect(hands.acknowledge).toHaveBeenCalledWith('a1');
  await ask({ ask: 'capture', capture: 'mine-1', request: { what: 'dump', pids: [7] } });
  expect(hands.capture).toHaveBeenCalledWith({ what: 'dump', pids: [7] }, 'mine-1');
  expect((await ask({ ask: 'look', pid: 1 })).value).toEqual({ failure: 'It is gone.' });
});

test('a signal goes to a process that was looked at, and to none else', async () => {
  const { ask } = await attach();
  const news = vi.fn();
  await ask({ ask: 'send', look: 99, signal: 'SIGTERM' }, news);
  expect(sent).not.toHaveBeenCalled();
  expect(news).toHaveBeenCalledWith(expect.objectContaining({ text: expect.stringContaining('Nothing was sent') }));
  const { id, value } = await ask({ ask: 'look', pid: 7 });
  expect(value).toMatchObject({ pid: 7, ignored: String(2n ** 40n) });
  await ask({ ask: 'send', look: id, signal: 'SIGTERM' });
  expect(sent).toHaveBeenCalledWith(
    expect.objectContaining({ pid: 7, ignored: 2n ** 40n }),
    'SIGTERM',
    expect.anything(),
  );
});

test('of files only parts of the recording are read', async () => {
  const { ask } = await attach();
  for (const file of ['../watch.sock', '/etc/passwd', '.1.jsonl.gz', 'a/b.jsonl.gz', 'watch.sock'])
    await expect(ask({ ask: 'size', file })).rejects.toThrow(/no such file/);
  expect((await ask({ ask: 'files' })).value).toEqual([]);
});

test.each([
  ['what is no request', 'hello\n'],
  ['a request that is not known', '{"id":1,"ask":"shell"}\n'],
  ['figures out of bounds', `{"id":1,"ask":"read","file":"x.jsonl.gz","offset":0,"length":${mostRead + 1}}\n`],
  ['a line without an end', 'x'.repeat(100_000)],
])('who sends %s is cut with a sentence, and nobody else', async (_, text) => {
  const good = await attach();
  const bad = await raw();
  bad.socket.write(text);
  await waitFor('its end', bad.closed, 3000);
  expect(bad.text()).toMatch(/"attach":"end","reason":"It was asked for something/);
  push(log('goes on'));
  await waitFor('the other', () => shown(good)?.join() === 'goes on', 3000);
});

test('who reads nothing costs a bound, is sent a fresh keyframe when it reads, or is cut', async () => {
  await server.close('anew');
  await listen({ bytes: 100_000, stuckMs: 1500, keyframeEveryMs: 0 });
  const slow = await raw();
  await waitFor('the header', () => slow.text().includes('keyframe'));
  slow.socket.pause();
  const before = process.memoryUsage().rss;
  const flood = 'y'.repeat(1000);
  for (let i = 0; i < 20_000; i++) push(log(`${i} ${flood}`, Date.now()));
  expect(process.memoryUsage().rss - before).toBeLessThan(200e6);
  expect(saves).toBe(1);
  slow.socket.resume();
  await waitFor('a keyframe', () => saves === 2, 3000);
  slow.socket.pause();
  for (let i = 0; i < 20_000; i++) push(log(`${i} ${flood}`, Date.now()));
  await waitFor('its end', () => server.count() === 0, 5000);
});

test('a watch that ends says so, and a screen finds the next one', async () => {
  push(log('old'));
  const follower = await attach();
  await server.close('it was ended by SIGTERM');
  await waitFor('the loss', () => follower.lost() !== undefined);
  expect(follower.lost()).toBe('The watch is not heard: it was ended by SIGTERM.');
  expect(follower.store.getState().link ?? follower.store.save().link).toMatchObject({ state: 'lost' });
  store = createStore(systemClock, 100);
  push(log('new'));
  await listen();
  await waitFor('the next one', () => shown(follower)?.join() === 'new', 5000);
  expect(follower.lost()).toBeUndefined();
});
