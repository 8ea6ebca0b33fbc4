import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeReport, report } from '../../src/commands/report.ts';
import { readReportOptions } from '../../src/commands/report-options.ts';
import type { LogLine, Sample } from '../../src/model/samples.ts';
import { openRecording } from '../../src/recording/recording.ts';
import { buildReport } from '../../src/report/build.ts';
import type { ReportData } from '../../src/report/data.ts';
import { gatherReport } from '../../src/report/gather.ts';
import { reportHtml } from '../../src/report/html.ts';
import { reportMarkdown } from '../../src/report/markdown.ts';
import { recordDemo } from '../support/demo-recording.ts';
import { head, madeStart, makeRecording } from '../support/made-recording.ts';
import { madeDocument } from './made-document.ts';

const folder = mkdtempSync(join(tmpdir(), 'traintop-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = { zoneMinutes: 0, version: '0.1.0' };

async function gathered(path: string, part = {}): Promise<ReportData> {
  const recording = await openRecording(path);
  try {
    return await gatherReport(recording, part);
  } finally {
    await recording.close();
  }
}

const markdownOf = (data: ReportData, against?: ReportData) =>
  reportMarkdown(buildReport(data, { ...options, ...(against && { against }) }));

describe('a run that hung', () => {
  let path: string;
  let data: ReportData;
  beforeAll(async () => {
    path = await recordDemo({
      scenario: 'hang',
      seconds: 860,
      folder: join(folder, 'hang'),
      stepMs: 1000,
      keepsWatch: true,
    });
    data = await gathered(path);
  });

  test('is told in a paragraph: until when it ran, which rank never came, how it ended and what it cost', () => {
    const [lead] = buildReport(data, options).sections[0]?.blocks ?? [];
    expect(lead).toMatchObject({ is: 'lead' });
    const text = lead?.is === 'lead' ? lead.text : '';
    expect(text).toContain('train_ddp.py on h200-demo (PID 41207, 8 ranks) began at');
    expect(text).toMatch(/It did \d+ steps and about 29\.\dM tokens at a median of 16\dK tokens\/s/);
    // The last step was told at 180 s; the verdict came some seconds later.
    expect(text).toMatch(/It stood from 09:4(?:3:59|4:0[01]) to 09:54:0\d in a collective hang: rank 5 never came\./);
    expect(text).toMatch(/It ended at 09:54:\d\d by NCCL's watchdog\./);
    expect(text).toMatch(/1\.3 of 1\.7 GPU-hours were lost \(7\d %\)/);
  });

  test('lost what the truth says: eight GPUs from the hang to the end, and nothing before', () => {
    const { losses } = data;
    // 600 s of hang and 6 until the ranks are gone.
    expect(losses?.causes.find(({ key }) => key === 'collective-hang')?.hours).toBeCloseTo((8 * 607) / 3600, 2);
    expect((losses?.working ?? 0) + (losses?.lost ?? 0)).toBeCloseTo(losses?.total ?? NaN, 6);
    expect(losses?.working).toBeCloseTo((8 * 180) / 3600, 2);
    expect(data.worst?.state.verdicts?.verdicts[0]?.situation).toBe('collective-hang');
  });

  test('has the evidence of the black box: who waits in what, and the rank that does not', () => {
    const [box] = data.evidence;
    expect(box?.finding).toMatch(
      /^Rank 5 is in acquire \(.*data\/cache\.py:57\).*; 7 ranks \(0-4, 6-7\) are in all_reduce/,
    );
    expect(box?.groups.some(({ who, frames }) => who === 'rank 5' && frames[0]?.startsWith('acquire'))).toBe(true);
    expect(data.alarms.map(({ alarm }) => alarm)).toContain('run-ended');
    for (const text of [markdownOf(data), reportHtml(buildReport(data, options))])
      expect(text).toMatch(/Rank 5 is in acquire/);
  });

  test('a part of it is told as one, and against the whole', async () => {
    const part = await gathered(path, { from: data.from, to: data.from + 170_000 });
    const text = markdownOf(part, data);
    expect(text).toContain('a part of the recording');
    expect(text).toMatch(/None of its 0\.3\d GPU-hours was lost\./);
    expect(text).toMatch(/\| Median tokens\/s \| 16\dK \| 16\dK \|/);
    expect(text).toContain('| Time collective hang | 7');
  });

  test('a part that ends in the hang does not call it running', async () => {
    const text = markdownOf(await gathered(path, { from: data.from, to: data.from + 400_000 }));
    expect(text).toContain('It still stood so when the recording ended.');
    expect(text).not.toContain('still running');
  });

  test('is written as its name says, whole or not at all, and never over the recording', async () => {
    const output = join(folder, 'night.html');
    writeFileSync(output, 'before');
    expect(await writeReport({ recordingPath: dirname(path), output, against: path })).toBeUndefined();
    expect(readFileSync(output, 'utf8')).toMatch(/^<!doctype html>[^]*Against another recording[^]*<\/html>\n$/);
    expect(statSync(output).mode & 0o777).toBe(0o600);
    expect(statSync(output).size).toBeLessThan(1e6);
    const markdown = join(folder, 'night.md');
    await report(path, readReportOptions({ output: markdown, to: '50%' }));
    expect(readFileSync(markdown, 'utf8')).toMatch(/^# train\\_ddp\.py on h200-demo/);
    await expect(report(path, { output: path })).rejects.toThrow('is a file of the recording itself');
    await expect(report(path, { output: markdown, from: '50%', to: '10%' })).rejects.toThrow('nothing lies between');
    expect(() => readReportOptions({ output: 'night.pdf' })).toThrow('--output ends in .html or .md');
    const missing = await writeReport({ recordingPath: path, output: join(folder, 'no', 'night.md') });
    expect(missing).toMatch(/^The report could not be written \(.*ENOENT/);
  });
});

describe('recordings that lack something', () => {
  const steps = (from: number, to: number): readonly Sample[] =>
    Array.from({ length: to - from }, (_, i): Sample => {
      const time = madeStart + (from + i) * 1000;
      const line: LogLine = { text: `step ${i}`, time, values: { step: i, loss: 3 - i / 1000, tokensPerSecond: 1000 } };
      return { ...head('log', from + i), path: '/l', format: 'generic', lines: [line] };
    });
  const made = async (name: string, samples: readonly Sample[], header = {}) =>
    gathered(await makeRecording({ folder: join(folder, name), samples, header }));

  test('without run, GPUs and verdicts what is missing is named, and the rest is told', async () => {
    const data = await made('log-alone', steps(0, 300), { imported: ['train.log'] });
    const text = markdownOf(data);
    expect(text).toContain('No run was found in this recording.');
    expect(text).toContain('No GPU was seen, so none was lost.');
    expect(text).toContain('No verdicts were kept in this recording; `traintop diagnose` judges it anew.');
    expect(text).toContain('made of saved output');
    expect(text).toMatch(/It did 29\d steps and about (?:299|300)K tokens at a median of 1\.00K tokens\/s/);
  });

  test('a loss that is no number to the end is told first, whatever the speed was', async () => {
    const spoiled = steps(100, 200).map((sample): Sample => {
      if (sample.kind !== 'log') return sample;
      return { ...sample, lines: sample.lines.map((line) => ({ ...line, values: { ...line.values, loss: NaN } })) };
    });
    const gpu = { ...head('event', 150), event: 'link lost', severity: 'warning', text: 'broke' } as const;
    const text = markdownOf(await made('nan', [...steps(0, 100), ...spoiled, gpu]));
    expect(text).toContain('From 03:01:40 to the end the loss was not a number.');
    expect(text).toContain('| Loss | no number | from 3.000, lowest 2.901, last 2.901 |');
    expect(text).toContain('The connection to the host was lost once; what the run did meanwhile was not seen.');
  });

  test('a restart is no step back, and a hole is told', async () => {
    const data = await made('twice', [...steps(0, 100), ...steps(400, 500)]);
    expect(data.steps).toMatchObject({ done: 198, first: 0, last: 99, restarts: 1 });
    expect(markdownOf(data)).toMatch(/Nothing was recorded from 03:01:\d\d to 03:06:\d\d/);
  });

  test('a run that never stepped', async () => {
    const data = await made('silent', [
      { ...head('host', 0), load1: 1 },
      { ...head('host', 90), load1: 1 },
    ]);
    const text = markdownOf(data);
    expect(text).toContain('The log told no steps.');
    expect(text).not.toMatch(/NaN|undefined|Infinity/);
    expect(reportHtml(buildReport(data, options))).toContain('There is no curve to draw.');
  });

  test('a file that was cut, and bytes in it that are none', async () => {
    const path = await makeRecording({ folder: join(folder, 'cut'), samples: steps(0, 200) });
    const { size } = statSync(path);
    const bytes = readFileSync(path);
    bytes.fill(0, Math.floor(size / 2), Math.floor(size / 2) + 200);
    writeFileSync(path, bytes);
    truncateSync(path, size - 20);
    const text = markdownOf(await gathered(path));
    expect(text).toMatch(/of the recording could not be read: what they told is missing\./);
  });
});

test('Markdown shows the end of what is long, and says how much is left out', () => {
  const lines = Array.from({ length: 300 }, (_, i) => `line ${i} ${'x'.repeat(i === 299 ? 4000 : 1)}`);
  const blocks = [{ is: 'more', title: 'log: 300 lines', blocks: [{ is: 'lines', lines }] }] as const;
  const text = reportMarkdown({ ...madeDocument, sections: [{ id: 'evidence', title: 'Evidence', blocks }] });
  expect(text).toContain('... 288 lines before these');
  expect(text).toContain('line 288 x\n');
  expect(text.length).toBeLessThan(2000);
});

test('Markdown makes nothing of what a host wrote', () => {
  const text = reportMarkdown(madeDocument);
  const outside = text.replace(/```text[^]*?```/g, '');
  expect(outside).not.toMatch(/<(?!\/?(?:details|summary|sub)>)/);
  expect(outside).not.toMatch(/@all|#1/);
  const table = outside.split('\n').filter((line) => line.startsWith('| 03:12:00'));
  expect(table).toHaveLength(4);
  for (const line of table) expect(line.match(/(?<!\\)\|/g)).toHaveLength(5);
});
