import { describe, expect, test } from 'vitest';
import { exportMarkdown } from '../../../../src/model/stacks/export/markdown.ts';
import { exportSpeedscope } from '../../../../src/model/stacks/export/speedscope.ts';
import { exportSvg } from '../../../../src/model/stacks/export/svg.ts';
import { exportText } from '../../../../src/model/stacks/export/text.ts';
import type { ExportAbout } from '../../../../src/model/stacks/export/about.ts';
import type { CaptureSample } from '../../../../src/model/samples.ts';
import type { Folded } from '../../../../src/model/stacks/fold.ts';
import { captureOf, context, dumpOf, folded, foldedOf, frames, nativeThreads, recorded, thread } from '../made.ts';

const about = (capture: Partial<CaptureSample> = {}, more: Partial<ExportAbout> = {}): ExportAbout => ({
  host: 'gpu-07',
  capture: captureOf(capture),
  run: context({ 1286: 0 }).run,
  versions: ['traintop 0.1.0', 'Linux 6.8.0'],
  ...more,
});
/** What is in which class is no matter here. */
const classed = (all: Folded): Folded => ({
  ...all,
  stacks: all.stacks.map((stack) => ({ ...stack, class: stack.frames.length > 0 ? 'kernel launch' : 'unknown' })),
});
const launch = classed(folded([recorded('h200-launch_bound-record.txt')], { 1286: 0 }));

/** Names that a program may give, to break what they are written into. */
const hostile = [
  '```\n# Heading\n@someone #1',
  '</title><script>alert(1)</script>',
  'a|b`c``d',
  '<img src=x onerror=alert(1)>',
  '"quoted" & \u0000\u001b[31m \ud800 \ufffe',
  '`'.repeat(40),
];
const evil = foldedOf(
  hostile.map((text, i) => ({
    thread: text,
    role: text,
    tid: i,
    count: 10 + i,
    frames: [{ function: text, file: text, line: 1 }, ...frames('main (train.py:1)')],
  })),
);
const evilAbout = about({ notes: hostile, failure: hostile.join(' ') }, { host: hostile[1] ?? '' });

describe('Markdown', () => {
  test('tells of whom, when, how and with what, then roles, then stacks', () => {
    const text = exportMarkdown(launch, about({ notes: ['py-spy fell behind.'] }, { states: new Map([[1286, 'S']]) }));
    expect(text.slice(0, text.indexOf('### Stacks by role') + 300)).toMatchInlineSnapshot(`
      "## Stacks: record of rank 0 (PID 1286)

      | | |
      | --- | --- |
      | Host | \`gpu-07\` |
      | Command | \`python train.py --lr 3e-4\` |
      | When | 2026-11-30 09:15:02 UTC, 30.0 s |
      | Kind | record, 80 samples at 20 a second |
      | State | done |
      | Versions | \`traintop 0.1.0\`, \`Linux 6.8.0\` |
      | Process | rank 0 (PID 1286), state \`S\`: 80 samples |
      | Note | \`py-spy fell behind.\` |

      ### What each role was doing

      | Role | Threads | Counts | Classes | Most often in |
      | --- | ---: | ---: | --- | --- |
      | \`main\` | 1 | 78 | kernel launch 100.0 % | 48.7 % \`_engine_run_backward (torch/autograd/graph.py:869)\` |
      | \`unnamed\` | 1 | 78 | unknown 100.0 % | 100.0 % no Python frame |

      ### Stacks by role

      Innermost frame first.

      #### \`main\`, 1 thread

      **48.7 %** (38 samples): kernel launch, rank 0, \`MainThread\`

      \`\`\`text
      _engine_run_backward (torch/autograd/graph.py:869)
      backward (torch/autograd/__init__.py:381)
      backward (torch/_tensor.py:631)
      loop (scenarios.py:15)
      <module> (scena"
    `);
  });

  test('a partial capture says so, and what of it could not be read', () => {
    const part: Folded = { ...launch, leftOut: 7, processes: launch.processes.map((each) => ({ ...each, errors: 3 })) };
    const text = exportMarkdown(part, about({ state: 'partial' }));
    expect(text).toContain('| State | partial: it was ended before its time |');
    expect(text).toContain('80 samples, 3 not read');
    expect(text).toContain('| Left out | 7 counts');
  });

  test('names the rank that is odd, and where it parts from the others', () => {
    const spin = frames('all_reduce (dist.py:5)', 'step (train.py:3)');
    const sleep = frames('sleep (train.py:9)', 'step (train.py:4)');
    const stacks = [0, 1, 2, 3].map((rank) => ({ rank, frames: rank === 3 ? sleep : spin }));
    const text = exportMarkdown(foldedOf(stacks), about());
    expect(text).toContain('### Odd rank out');
    expect(text).toContain('- rank 3 in role `main`: the others are alike.');
    expect(text).toContain(
      '- rank 3: unknown in `sleep (train.py:9)`, by way of `step (train.py:4)`; the others went `step (train.py:3)`',
    );
    expect(text).toContain('ranks 0-2');
  });

  test('of a GIL capture it tells who held it, in parts of the time', () => {
    const gil = recorded('h200-launch_bound-record.txt', { what: 'gil', rate: 100, samples: 400 });
    const text = exportMarkdown(folded([gil], { 1286: 0 }), about({ what: 'gil' }));
    // 156 of 400, half of them by each thread.
    expect(text).toContain('- rank 0 (PID 1286): 39.0 % of 400 samples: `unnamed` 19.5 %, `main` 19.5 %');
    expect(exportMarkdown(launch, about())).not.toContain('GIL');
  });

  test('nothing of a host leaves its code: no heading, link, mention, table cell or tag of its own', () => {
    const text = exportMarkdown(evil, evilAbout);
    const outside = withoutCode(text);
    expect(outside).not.toMatch(/Heading|@someone|#1|script|onerror|alert/);
    const cells = text.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| Role'));
    expect(cells.length).toBeGreaterThan(hostile.length);
    for (const row of cells) expect([3, 6]).toContain(row.replaceAll('\\|', '').split('|').length - 1);
  });

  test('it fits an issue, however much there is', () => {
    const many = foldedOf(
      Array.from({ length: 600 }, (_, i) => ({
        role: `role ${i % 300}`,
        tid: i,
        frames: frames(
          ...Array.from({ length: 40 }, (_x, k) => `${'f'.repeat(100)}${i}_${k} (${'x'.repeat(200)}.py:1)`),
        ),
      })),
    );
    const text = exportMarkdown(many, about({ notes: Array.from({ length: 500 }, () => 'n'.repeat(900)) }));
    expect(text.length).toBeLessThan(65_000);
    expect(text).toMatch(/\d+ more roles\./);
  });
});

describe('SVG', () => {
  test('is well-formed XML with a tooltip a cell, in shares of all', () => {
    const svg = exportSvg(launch, about());
    expect(wellFormed(svg)).toBe(true);
    expect(svg).toContain('<title>record of rank 0 (PID 1286) on gpu-07: 80 samples at 20 a second</title>');
    // As awk counts the fixture: 38 of 156.
    expect(svg).toMatch(/<title>_engine_run_backward \(torch\/autograd\/graph\.py\)\n38 of 156, 24\.4 %\n/);
    expect(svg).not.toMatch(/<script|href|url\(/);
  });

  test('says that it is a part, or of a lowered rate', () => {
    const slowed: Folded = { ...launch, lowestRate: 10 };
    const svg = exportSvg(slowed, about({ state: 'partial', notes: ['py-spy fell behind: half the rate.'] }));
    expect(svg).toContain('at 20 a second (lowered to 10), partial</title>');
    expect(svg).toContain('py-spy fell behind: half the rate.');
  });

  test('text of a host is text', () => {
    const svg = exportSvg(evil, evilAbout);
    expect(wellFormed(svg)).toBe(true);
    expect(svg).not.toMatch(/<script|<img|\u0000|\u001b/);
    expect(svg).toContain('&#60;/title&#62;&#60;script&#62;');
  });

  test('of nothing it is a picture with a title', () => {
    expect(wellFormed(exportSvg(folded([]), about()))).toBe(true);
  });
});

describe('speedscope', () => {
  test('a profile a thread, by the rules of its schema', () => {
    const file = speedscopeFile(exportSpeedscope(launch, about()));
    expect(file.profiles.map(({ name, unit, endValue }) => [name, unit, endValue])).toEqual([
      ['rank 0 (PID 1286) · unnamed · thread 1312 (TID 1312)', 'seconds', 3.9],
      ['rank 0 (PID 1286) · main · MainThread (TID 1286)', 'seconds', 3.9],
    ]);
    // Outermost first, 4 s at 20 a second.
    const [, main] = file.profiles;
    expect(file.shared.frames[main?.samples[0]?.[0] ?? -1]).toEqual({
      name: '<module>',
      file: 'scenarios.py',
      line: 27,
    });
  });

  test('dumps have no time: their unit is none', () => {
    const dumps = folded([dumpOf(426, nativeThreads('h200-compute_bound-native.txt'))]);
    const { profiles } = speedscopeFile(exportSpeedscope(dumps, about({ what: 'native', pids: [426] })));
    expect(new Set(profiles.map(({ unit }) => unit))).toEqual(new Set(['none']));
    expect(profiles.every(({ endValue, weights }) => endValue === weights.length)).toBe(true);
  });

  test('hostile names, and no stack at all, are by the rules too', () => {
    speedscopeFile(exportSpeedscope(evil, evilAbout));
    expect(speedscopeFile(exportSpeedscope(folded([]), about())).profiles).toEqual([]);
  });
});

describe('text', () => {
  test('of one dump is what py-spy prints', () => {
    const dump = dumpOf(426, [
      {
        ...thread('MainThread', 426, frames('step (train.py:3)', '<module> (train.py:9)')),
        active: true,
        ownsGil: true,
      },
      thread(undefined, 467, []),
    ]);
    expect(exportText(classed(folded([dump])), about({ what: 'dump', pids: [426] }))).toMatchInlineSnapshot(`
      "dump of PID 426 on gpu-07, 2026-11-30 09:15:02 UTC: 1 dump

      Process 426: python train.py --rank 426

      Thread 426 (active+gil): "MainThread" [main, kernel launch]
          step (train.py:3)
          <module> (train.py:9)
      Thread 467 (idle): "thread 467" [unnamed, unknown]
          no Python frame
      "
    `);
  });

  test('of a record each stack has its share of the thread', () => {
    const text = exportText(launch, about());
    expect(text).toContain('Thread 1312 (78 of 78, 100.0 %): "thread 1312"');
    expect(text).toContain('    <module> (scenarios.py:27)\n');
  });
});

/** Blocks and inline code taken out, as CommonMark ends them: by as many backticks as began them. */
function withoutCode(text: string): string {
  return text.replace(/^(`{3,})text\n[^]*?\n\1$/gm, '').replace(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');
}

/** Tags that are opened and closed in order, and no bare `&` or `<`. */
function wellFormed(xml: string): boolean {
  const open: string[] = [];
  const rest = xml.replace(
    /<(\/?)([a-z]+)((?:\s+[\w:-]+="[^"<&]*")*)\s*(\/?)>/gi,
    (_, close, name, _attributes, empty) => {
      if (close) {
        if (open.pop() !== name) open.push('wrong');
      } else if (!empty) open.push(name);
      return '';
    },
  );
  return open.length === 0 && !/[<>]/.test(rest) && !/&(?!#\d+;)/.test(rest) && xml.trim().endsWith('</svg>');
}

interface Speedscope {
  readonly shared: { readonly frames: readonly Record<string, unknown>[] };
  readonly profiles: readonly {
    readonly name: string;
    readonly unit: string;
    readonly endValue: number;
    readonly samples: readonly (readonly number[])[];
    readonly weights: readonly number[];
  }[];
}

/** What file-format-schema.json of speedscope 1.25.0 asks of a sampled profile, and what its importer does beside that. */
function speedscopeFile(text: string): Speedscope {
  const file = JSON.parse(text);
  expect(file.$schema).toBe('https://www.speedscope.app/file-format-schema.json');
  for (const key of ['name', 'exporter']) expect(typeof file[key]).toBe('string');
  expect(file.activeProfileIndex).toBe(0);
  for (const { name, file: path, line, ...rest } of file.shared.frames) {
    expect(typeof name).toBe('string');
    expect(['string', 'undefined']).toContain(typeof path);
    expect(line === undefined || Number.isInteger(line)).toBe(true);
    expect(rest).toEqual({});
  }
  for (const profile of file.profiles) {
    expect(Object.keys(profile).sort()).toEqual([
      'endValue',
      'name',
      'samples',
      'startValue',
      'type',
      'unit',
      'weights',
    ]);
    expect(profile.type).toBe('sampled');
    expect(['none', 'seconds']).toContain(profile.unit);
    expect(profile.samples).toHaveLength(profile.weights.length);
    for (const index of profile.samples.flat()) expect(file.shared.frames[index]).toBeDefined();
    const total = profile.weights.reduce((sum: number, weight: number) => sum + weight, 0);
    expect(profile.startValue).toBe(0);
    expect(profile.endValue).toBeCloseTo(total, 6);
  }
  return file;
}
