import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Sample } from '../../src/model/samples.ts';
import { fixtures, imported, lastOf, ownFolder, states, textOf } from './imported.ts';

const { file } = ownFolder();

describe('threads', () => {
  test('from top where nothing else tells them, the first frame without percentages', () =>
    imported(
      { top: join(fixtures, 'h200/nccl_hang/top.txt.gz'), date: '2026-11-29', utcOffset: 'Z' },
      ({ samples, text }) => {
        const [first, second] = samples.filter((sample) => sample.kind === 'threads');
        expect(first).not.toHaveProperty('intervalSeconds');
        expect(new Set(first?.cpuPercent)).toEqual(new Set([null]));
        expect(second).toMatchObject({ reader: 'top', intervalSeconds: 1 });
        const row = second?.tid.indexOf(2175) ?? -1;
        expect([second?.pid[row], second?.comm[row], second?.cpuPercent[row]]).toEqual([2166, 'pt_nccl_heartbt', 0]);
        expect(lastOf(samples, 'run')?.run?.processes.map(({ pid, commandLine }) => [pid, commandLine])).toEqual([
          [2165, ['[python3]']],
          [2166, ['[python3]']],
        ]);
        expect(text).toContain('top tells no processes: its 2 were told apart by their memory');
        expect(states(samples, 'gpu')).toEqual(['off no --nvidia-smi or --dmon was given']);
      },
    ));

  test('of a top of the whole host only those of the process that is named, the others are neighbours', async () => {
    const top = await textOf(join(fixtures, 'other/tophall.txt.gz'));
    const twice = await file('twice.txt', `${top}\n${top.replace('13:46:33', '13:46:34')}`);
    await imported({ top: twice, pid: '572', utcOffset: 'Z' }, ({ samples }) => {
      expect(new Set(lastOf(samples, 'threads')?.pid)).toEqual(new Set([572]));
      const busiest = lastOf(samples, 'busiest');
      expect(busiest?.threadsTotal).toBe(472);
      expect(busiest?.tid.filter((tid) => lastOf(samples, 'threads')?.tid.includes(tid))).toEqual([]);
    });
    await imported({ top: twice, utcOffset: 'Z' }, ({ samples }) => {
      expect(lastOf(samples, 'threads')).toBeUndefined();
      expect(states(samples, 'threads')).toEqual([
        "off twice.txt shows all threads of the host: name the run's process with --pid",
      ]);
    });
  });

  test('from pidstat, with their waits', () =>
    imported({ pidstat: 'test/fixtures/threads/pidstat-12.6.1-t-h-H.txt' }, ({ samples, recording }) => {
      const threads = lastOf(samples, 'threads', 1795960961_000);
      const row = threads?.tid.indexOf(12306) ?? -1;
      expect([threads?.cpuPercent[row], threads?.runQueuePercent[row]]).toEqual([86.14, 12.87]);
      expect(recording.header.hostname).toBe('node-0');
      expect(lastOf(samples, 'run')?.run?.processes[0]?.commandLine).toEqual(['[python (train)]']);
    }));

  test('a process that ends ends the run, and a round that is cut ends nothing', async () => {
    const rounds = (await textOf(join(fixtures, 'h200/nccl_hang/stat.txt.gz'))).split(/^(?=== )/m);
    const first = rounds.slice(0, 3).join('');
    const gone = await file('gone.txt', `${first}== 1795960400.5\n== 1795960401.5\n`);
    await imported({ stat: gone }, ({ samples }) => {
      expect(samples.flatMap((sample) => (sample.kind === 'run' ? [sample.phase] : []))).toEqual(['running', 'ended']);
      expect(samples.some((sample) => sample.kind === 'event' && sample.event === 'run ended')).toBe(true);
    });
    const cut = await file('cut.txt', `${first}${rounds[3]?.slice(0, 1500)}`);
    await imported({ stat: cut }, ({ samples, text }) => {
      expect(samples.flatMap((sample) => (sample.kind === 'run' ? [sample.phase] : []))).toEqual(['running']);
      expect(samples.filter(({ kind }) => kind === 'threads')).toHaveLength(3);
      expect(text).toContain('its last round is cut, and left out');
    });
  });

  test.each([
    ['stat', 'h200/nccl_hang/stat.txt.gz', /^== (\d+)/gm, 3600],
    ['pidstat', '../threads/pidstat-12.6.1-t-h-H.txt', /^ ?(\d{10})(?=\s)/gm, 3600],
    ['top', 'h200/nccl_hang/top.txt.gz', /^top - 13:53:(\d\d)/gm, 15],
  ] as const)('a clock that was set back under %s costs no round', async (option, name, seconds, by) => {
    const path = join(fixtures, name);
    const text = path.endsWith('.gz') ? await textOf(path) : await readFile(path, 'utf8');
    const all = [...text.matchAll(seconds)].map(([, at]) => Number(at));
    const middle = [...new Set(all)].toSorted()[Math.floor(new Set(all).size / 2)] ?? NaN;
    const back = text.replaceAll(seconds, (head, at: string) =>
      Number(at) < middle ? head : head.replace(at, String(Number(at) - by).padStart(at.length, '0')),
    );
    const threads = (samples: readonly Sample[]) => samples.filter(({ kind }) => kind === 'threads');
    const whole = await imported({ [option]: await file('whole.txt', text) }, ({ samples }) => threads(samples));
    await imported({ [option]: await file('back.txt', back) }, ({ samples, text: said }) => {
      const times = threads(samples).map(({ time }) => time);
      expect(times).toHaveLength(whole.length);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      for (const sample of samples)
        if (sample.kind === 'threads') expect(sample.intervalSeconds ?? 1).toBeGreaterThan(0);
      expect(said).toMatch(/\d rounds? (?:are|is) older than one before (?:them|it) \(the clock was set\?\)/);
      expect(said).not.toContain('-Infinity');
    });
  });

  test.each([
    [
      'dmon',
      '#Date Time gpu pwr\n#YYYYMMDD HH:MM:SS Idx W\n',
      (clock: string) => ` 20261129 ${clock} 0 100\n`,
      'round',
    ],
    [
      'nvidiaSmi',
      'timestamp, index, power.draw [W]\n',
      (clock: string) => `2026/11/29 ${clock}.000, 0, 99.00 W\n`,
      'row',
    ],
    ['log', '', (clock: string) => `[${clock}] step 1\n`, 'line'],
  ] as const)('a clock that was set back under %s is told', async (option, head, row, what) => {
    const text = (clocks: readonly string[]) => head + clocks.map(row).join('');
    const make = async (clocks: readonly string[]) => {
      const path = await file('back.txt', text(clocks));
      return imported({ [option]: option === 'log' ? [path] : path, utcOffset: 'Z' }, (made) => made.text);
    };
    expect(await make(['13:53:10', '13:53:11', '13:53:06', '13:53:12'])).toContain(
      `1 ${what} is older than one before it (the clock was set?), and laid beside that`,
    );
    expect(await make(['13:53:10', '13:53:11', '13:53:11', '13:53:12'])).not.toContain('older');
  });

  test('gzip that was cut gives what came before', async () => {
    const whole = gzipSync(await textOf(join(fixtures, 'h200/queue_full/stat.txt.gz')));
    await imported({ stat: await file('cut.gz', whole.subarray(0, whole.length / 2)) }, ({ samples, text }) => {
      expect(samples.filter(({ kind }) => kind === 'threads').length).toBeGreaterThan(1);
      expect(text).toContain('its gzip data is cut or broken');
    });
  });
});
