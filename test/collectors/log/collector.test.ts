import { describe, expect, it } from 'vitest';
import type { Context } from '../../../src/collectors/collector.ts';
import { logCollector } from '../../../src/collectors/log/collector.ts';
import type { RunOutput } from '../../../src/model/run.ts';
import { madeContext } from '../made-context.ts';

function context(outputs: readonly RunOutput[] | undefined, logs: readonly string[] = []): Context {
  const { options } = madeContext();
  const run = outputs && { id: '1:1', rootPid: 1, processes: [], outputs };
  return madeContext({ run, options: { ...options, logs } });
}
const plans = (outputs: readonly RunOutput[] | undefined, logs?: readonly string[]) =>
  logCollector
    .plans(context(outputs, logs))
    .map((plan) => ('off' in plan ? `${plan.source} off: ${plan.off}` : plan.alsoKnownAs));

describe('which logs are followed', () => {
  it('takes the file behind both outputs once', () => {
    const path = '/runs/a.log';
    expect(
      plans([
        { fd: 1, kind: 'file', path },
        { fd: 2, kind: 'file', path },
      ]),
    ).toEqual(['log /runs/a.log']);
    expect(
      plans([
        { fd: 1, kind: 'file', path },
        { fd: 2, kind: 'file', path: '/runs/b.log' },
      ]),
    ).toEqual(['log /runs/a.log', 'log:2 /runs/b.log']);
  });

  it('prefers the given ones, two at most', () => {
    expect(plans([{ fd: 1, kind: 'file', path: '/x' }], ['/a', '/b', '/c'])).toEqual([
      'log /a',
      'log:2 /b',
      'log:3 off: only 2 logs are followed at once: /c is left out',
    ]);
  });

  it('keeps one stream for an output that is renamed, and another for each given path and each run', () => {
    const keys = (path: string, logs?: readonly string[]) =>
      logCollector.plans(context([{ fd: 1, kind: 'file', path }], logs)).map((plan) => 'key' in plan && plan.key);
    expect(keys('/x.log')).toEqual(['log of 1:1']);
    expect(keys('/x.log.1')).toEqual(keys('/x.log'));
    expect(keys('/x.log', ['/a'])).toEqual(['log /a']);
  });

  it('says why there is none', () => {
    expect(plans(undefined)).toEqual(['log off: no run is watched; give the log with --log PATH']);
    expect(plans([])).toEqual(["log off: the run's outputs could not be read; give the log with --log PATH"]);
    expect(
      plans([
        { fd: 1, kind: 'terminal' },
        { fd: 2, kind: 'terminal' },
      ]),
    ).toEqual(['log off: stdout and stderr are a terminal; give the log with --log PATH']);
    expect(
      plans([
        { fd: 1, kind: 'pipe' },
        { fd: 2, kind: 'deleted' },
      ]),
    ).toEqual(['log off: stdout is a pipe, stderr is a deleted file; give the log with --log PATH']);
  });
});
