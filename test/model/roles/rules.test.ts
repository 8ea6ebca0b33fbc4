import { describe, expect, it } from 'vitest';
import { createRoleRules, type RoleRule } from '../../../src/model/roles/rules.ts';
import type { Sample, ThreadsSample } from '../../../src/model/samples.ts';
import type { StackThread } from '../../../src/model/stacks.ts';

const head = { host: 'h', time: 1, receivedAt: 1 };

function frame(...threads: readonly (readonly [tid: number, comm: string])[]): ThreadsSample {
  const all = <T>(value: T) => threads.map(() => value);
  return {
    ...{ ...head, kind: 'threads', source: 'threads', reader: 'proc', intervalSeconds: 1, pid: all(10) },
    ...{ tid: threads.map(([tid]) => tid), comm: threads.map(([, comm]) => comm), state: all('S'), core: all(0) },
    ...{ cpuPercent: all(1), userPercent: all(1), systemPercent: all(0), runQueuePercent: all(0) },
  };
}
const dump = (...threads: readonly Partial<StackThread>[]): Sample => ({
  ...{ ...head, kind: 'stacks', source: 'stacks', pid: 10, command: '' },
  threads: threads.map((thread) => ({ active: false, ownsGil: false, frames: [], ...thread })),
});
const told = (rules: readonly RoleRule[], ...samples: readonly Sample[]) => {
  const all = createRoleRules(rules);
  const labels = samples.map((sample) =>
    all.find(sample).flatMap(({ tid, rule }) => tid.map((each, i) => [each, rule[i]])),
  );
  return { labels, counts: all.counts().map(({ threads }) => threads) };
};

describe("the user's rules", () => {
  it('fit by comm at once, by name and stack with a dump, and tell each thread once', () => {
    const rules = [
      { role: 'cuda', comm: /^cuda/ },
      { role: 'loader', name: /^load/ },
      { role: 'ckpt', stack: /^save \(.*c\.py\)$/ },
    ];
    const all = frame([10, 'python3'], [11, 'python3'], [12, 'cuda-Evt'], [13, 'python3']);
    const { labels, counts } = told(
      rules,
      all,
      all,
      dump({ tid: 11, name: 'load-1' }, { tid: 13, frames: [{ function: 'save', file: '/x/c.py' }] }),
      dump({ tid: 11, name: 'load-1' }, { tid: 13 }),
    );
    expect(labels).toEqual([
      [[12, 'cuda']],
      [],
      [
        [11, 'loader'],
        [13, 'ckpt'],
      ],
      [],
    ]);
    expect(counts).toEqual([1, 1, 1]);
  });

  it('count in their order, whichever is found first', () => {
    const rules = [
      { role: 'first', name: /^a/ },
      { role: 'second', comm: /py/ },
    ];
    const { labels, counts } = told(
      rules,
      frame([11, 'python3']),
      dump({ tid: 11, name: 'abc' }),
      dump({ tid: 11, name: 'b' }),
    );
    expect(labels).toEqual([[[11, 'second']], [[11, 'first']], []]);
    expect(counts).toEqual([1, 0]);
  });

  it('need all of their patterns', () => {
    const rules = [{ role: 'both', name: /a/, comm: /python/ }];
    expect(
      told(rules, frame([11, 'python3'], [12, 'other']), dump({ tid: 11, name: 'a' }, { tid: 12, name: 'a' }))
        .labels[1],
    ).toEqual([[11, 'both']]);
  });

  it('hold for names that were kept from before', () => {
    const labels = {
      ...head,
      kind: 'labels',
      source: 'kept',
      pid: [10],
      tid: [11],
      rule: [null],
      stack: [null],
    } as const;
    const { labels: found } = told([{ role: 'r', name: /kept/ }], frame([11, 'python3']), {
      ...labels,
      name: ['kept-1'],
    });
    expect(found[1]).toEqual([[11, 'r']]);
  });

  it('forget threads that are gone', () => {
    const rules = [{ role: 'r', comm: /py/ }];
    const { labels, counts } = told(
      rules,
      frame([11, 'py'], [12, 'x']),
      frame([12, 'x']),
      frame([11, 'py'], [12, 'x']),
    );
    expect(labels).toEqual([[[11, 'r']], [], [[11, 'r']]]);
    expect(counts).toEqual([1]);
  });
});
