import { describe, expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { createPlayer } from '../../src/recording/player.ts';
import type { GpusSample, Sample } from '../../src/model/samples.ts';
import { situations, type Moment } from './h200-moments.ts';
import { at, imported, lastOf, situation } from './imported.ts';

const mebibyte = 1024 * 1024;

describe.each(Object.entries(situations))('%s', (name, moments) => {
  test('says at five moments what its files say', () =>
    imported(situation(name), ({ samples }) => {
      expect(moments.map((moment) => momentOf(samples, moment))).toEqual(moments.map(expected));
    }));

  test('plays, and nothing in it is lost or broken', () =>
    imported(situation(name), async ({ recording, text }) => {
      expect(recording.faults()).toMatchObject({ brokenLines: 0 });
      expect(text).not.toContain('could not be read');
      const clock = createManualClock(0);
      const player = createPlayer({ recording, clock });
      await player.seek(recording.to);
      const { run, gpus, threads, host, sources } = player.store.getState();
      expect(run?.phase).toBe('running');
      expect(gpus?.index).toEqual([0, 1]);
      expect(threads?.reader).toBe('proc');
      expect(host?.load1).toBeGreaterThan(0);
      // The files of --top and --stat end some seconds before the others.
      expect([sources.get('threads')?.status, sources.get('host')?.status]).toEqual(['stale', 'stale']);
      expect([sources.get('gpu')?.status, sources.get('log')?.status]).toEqual(['live', 'live']);
      await player.close();
    }));
});

test('a hang: power falls in the second after the last line of the log, and all files agree on the time', () =>
  imported(situation('nccl_hang'), ({ samples }) => {
    const log = samples.flatMap((sample) => (sample.kind === 'log' ? sample.lines : []));
    expect(log.at(-1)?.text).toBe('[rank1] step 60 stuck');
    const silentFrom = log.at(-1)?.time ?? 0;
    expect(silentFrom).toBe(at('13:53:24.000'));

    const frames = samples.filter((sample): sample is GpusSample => sample.kind === 'gpus');
    const full = frames.filter(({ powerWatts }) => (powerWatts?.[0] ?? 0) > 650);
    const lastFull = full.at(-1)?.time ?? 0;
    // The stamp is of a whole second, power.draw the mean of one.
    expect(lastFull - silentFrom).toBeGreaterThanOrEqual(0);
    expect(lastFull - silentFrom).toBeLessThan(2000);
    // Both files' power falls in the same frame, and utilization goes on at 100.
    const end = frames.at(-1);
    expect(end?.utilizationPercent?.[0]).toBe(100);
    expect(end?.powerWatts?.[0]).toBeLessThan(125);
    expect(end?.tensorActivePercent?.[0]).toBe(0);
    expect(end?.smActivePercent?.[0]).toBe(18);

    // Rank 1 sleeps at that time, and rank 0 does not.
    const threads = lastOf(samples, 'threads');
    const state = (tid: number) => threads?.state[threads.tid.indexOf(tid)];
    expect([state(2165), state(2166)]).toEqual(['R', 'S']);
  }));

function momentOf(samples: readonly Sample[], { at: clock, thread: [tid] }: Moment) {
  const time = at(clock);
  const gpus = lastOf(samples, 'gpus', time);
  const threads = lastOf(samples, 'threads', time);
  const host = lastOf(samples, 'host', time);
  const row = threads?.tid.indexOf(tid) ?? -1;
  const lines = samples.flatMap((sample) =>
    sample.kind === 'log' && sample.receivedAt <= time
      ? sample.lines.filter(({ values }) => values?.loss !== undefined)
      : [],
  );
  const { step, loss } = lines.at(-1)?.values ?? {};
  return {
    at: clock,
    gpus: [0, 1].map((gpu) => [
      gpus?.utilizationPercent?.[gpu],
      gpus?.memoryUtilizationPercent?.[gpu],
      gpus?.powerWatts?.[gpu],
      (gpus?.memoryUsedBytes?.[gpu] ?? NaN) / mebibyte,
      gpus?.smClockMhz?.[gpu],
    ]),
    counters: [0, 1].map((gpu) => [
      gpus?.temperatureCelsius?.[gpu],
      gpus?.smActivePercent?.[gpu],
      gpus?.tensorActivePercent?.[gpu],
      gpus?.dramActivePercent?.[gpu],
    ]),
    host: [host?.load1, host?.busyPercent, Math.round(((host?.memoryAvailableBytes ?? NaN) / mebibyte) * 10) / 10],
    thread: [tid, threads?.state[row], threads?.core[row], threads?.intervalSeconds, threads?.cpuPercent[row]],
    modes: [threads?.userPercent[row], threads?.systemPercent[row]],
    log: step === undefined ? null : [step, loss],
  };
}

function expected({ thread: [tid, state, core, user, system, seconds, cpu], ...moment }: Moment) {
  return {
    ...moment,
    thread: [tid, state, core, Math.round(seconds * 100) / 100, cpu],
    modes: [user, system].map((ticks) => expect.closeTo((cpu * ticks) / (user + system), 1)),
  };
}
