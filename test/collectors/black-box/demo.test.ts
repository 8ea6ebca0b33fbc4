import { describe, expect, test } from 'vitest';
import type { BlackBoxSample, Sample, StacksSample } from '../../../src/model/samples.ts';
import { demoStart, playDemo } from '../../support/demo-recording.ts';

/** All boxes of a play as they were told, and the dumps. */
async function play(scenario: string, seconds: number) {
  const boxes: BlackBoxSample[] = [];
  const dumps: StacksSample[] = [];
  const events: string[] = [];
  const onSample = (sample: Sample) => {
    if (sample.kind === 'blackBox') boxes.push(sample);
    if (sample.kind === 'stacks' && !sample.auto) dumps.push(sample);
    if (sample.kind === 'event' && sample.event === 'black box') events.push(sample.text);
  };
  await playDemo({ scenario, seconds, stepMs: 2500, options: { intervalMs: 5000 }, keepsWatch: true, onSample });
  return { boxes, dumps, events };
}

const at = (sample: Sample) => (sample.receivedAt - demoStart) / 1000;
const part = (box: BlackBoxSample | undefined, name: string) => box?.parts.filter((each) => each.name === name) ?? [];
const textOf = (box: BlackBoxSample | undefined, name: string) =>
  part(box, name)
    .flatMap(({ lines = [] }) => lines)
    .join('\n');

describe('in the demo', () => {
  test('a hang is in the box with the stuck collective within a minute, the end of the run behind it', async () => {
    const hangs = 180;
    const ends = hangs + 606;
    const { boxes, dumps, events } = await play('hang', ends + 40);
    expect([...new Set(boxes.map(({ id }) => id))]).toHaveLength(1);
    const first = boxes.find(({ endedAt }) => endedAt !== undefined);
    expect(at(first as BlackBoxSample)).toBeLessThan(hangs + 60);
    expect(first).toMatchObject({ state: 'done', reason: expect.stringMatching(/hang/) as string });
    expect(first?.captures).toHaveLength(2);
    const ofBox = dumps.filter(({ capture }) => first?.captures.includes(capture ?? ''));
    const mains = ofBox
      .filter(({ native }) => !native)
      .map(({ threads, pid }) => threads.find(({ tid }) => tid === pid));
    const innermost = mains.map((thread) => thread?.frames.map((frame) => frame.function) ?? []);
    expect(innermost.filter((stack) => stack.includes('synchronize') && stack.includes('all_reduce'))).toHaveLength(7);
    expect(innermost.filter((stack) => stack[0] === 'acquire' && stack.includes('__getitem__'))).toHaveLength(1);
    expect(ofBox.some(({ native }) => native)).toBe(true);
    expect(textOf(first, 'threads')).toMatch(/RANK S +CPU%[^]*futex/);
    expect(textOf(first, 'kernel stacks')).toMatch(/rank 5[^]*S futex_do_wait[^]*do_futex/);
    expect(textOf(first, 'nvidia-smi')).toMatch(/Attached GPUs: 8[^]*GPU: 100 %/);
    expect(textOf(first, 'kernel log')).toMatch(/2026-[^ ]+Z NVRM/);
    expect(textOf(first, 'log')).toMatch(/its last \d+ lines[^]*step \d+/);
    expect(textOf(first, 'verdict')).toMatch(/collective hang/);
    expect(part(first, 'log')).toHaveLength(1);
    const last = boxes.at(-1);
    expect(last?.notes?.join()).toMatch(/The run ended/);
    expect(part(last, 'log')).toHaveLength(2);
    expect(part(last, 'log')[1]?.lines?.join('\n')).toMatch(/Watchdog caught[^]*exitcode: -6/);
    expect(part(last, 'log')[1]?.lines?.join('\n')).not.toMatch(/step \d+\//);
    expect(part(last, 'kernel stacks')).toHaveLength(1);
    expect(last?.captures).toEqual(first?.captures);
    expect(events.map((text) => text.split(' ')[0])).toEqual(['evidence', 'the']);
    expect(JSON.stringify(last).length).toBeLessThan(300 * 1024);
  }, 60_000);

  test('a checkpoint is no trouble', async () => {
    const { boxes } = await play('checkpoints', 330);
    expect(boxes.map(({ reason }) => reason)).toEqual([]);
  }, 60_000);
});
