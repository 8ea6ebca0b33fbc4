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
  logCollector.plans(context(outputs, logs)).map((plan) => {
    if ('off' in plan) return `${plan.source} off: ${plan.off}`;
    return `${(plan.sources ?? [plan.source]).join(' ')} as ${plan.alsoKnownAs}`;
  });

describe('which logs are followed', () => {
  it('takes the file behind both outputs once', () => {
    const path = '/runs/a.log';
    expect(
      plans([
        { fd: 1, kind: 'file', path },
        { fd: 2, kind: 'file', path },
      ]),
    ).toEqual(['log as log /runs/a.log']);
    expect(
      plans([
        { fd: 1, kind: 'file', path },
        { fd: 2, kind: 'file', path: '/runs/b.log' },
      ]),
    ).toEqual(['log as log /runs/a.log', 'log:2 as logs of 1:1']);
  });

  it('prefers the given ones, sixteen at most, all but the first over one channel', () => {
    const given = Array.from({ length: 19 }, (_, i) => `/${i}`);
    const others = Array.from({ length: 15 }, (_, i) => `log:${i + 2}`).join(' ');
    expect(plans([{ fd: 1, kind: 'file', path: '/x' }], given)).toEqual([
      'log as log /0',
      `${others} as logs given`,
      'log:17 off: only 16 logs are followed at once: /16, /17, /18 are left out; name the ones to follow with --log PATH',
    ]);
    expect(plans(undefined, ['/a', '/b/*.log', '/c'])).toEqual(['log log:2 log:3 as logs given']);
  });

  it('goes on with the others when there is one more, and when one is renamed', () => {
    const first = { fd: 1, kind: 'file', path: '/a' } as const;
    const others = [7, 8].map((pid) => ({ fd: 1, pid, kind: 'file', path: `/${pid}` }) as const);
    const keys = (outputs: readonly RunOutput[]) =>
      logCollector.plans(context(outputs)).map((plan) => 'key' in plan && plan.key);
    expect(keys([first, ...others])).not.toEqual(keys([first, ...others.slice(0, 1)]));
    expect(plans([first, ...others])).toEqual(['log as log /a', 'log:2 log:3 as logs of 1:1']);
    expect(keys([first, ...others.map((each) => ({ ...each, path: `${each.path}.1` }))])).toEqual(
      keys([first, ...others]),
    );
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
