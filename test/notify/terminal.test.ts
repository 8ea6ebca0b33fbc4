import { describe, expect, it } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { alarm, hostile, notifierOf } from './made.ts';

function terminal(settings: { readonly bell?: boolean; readonly desktop?: boolean }, env: NodeJS.ProcessEnv = {}) {
  const clock = createManualClock(0);
  const written: string[] = [];
  const { notifier } = notifierOf(settings, {
    ...{ clock, env: { TERM: 'xterm-256color', ...env }, write: (text) => void written.push(text) },
  });
  return { notifier, written, clock };
}

const line = 'traintop: CRITICAL on gpu8: GPU 3 is at 93 °C, above 90 °C for 2m 0s.';

describe('the terminal', () => {
  it('rings for what rings, and is told of both on the desktop', () => {
    const { notifier, written, clock } = terminal({ bell: true, desktop: true });
    const ring = alarm();
    notifier.tell(ring);
    expect(written).toEqual([`\x1b]9;${line}\x07\x07`]);
    clock.advance(5000);
    notifier.tell({ ...ring, state: 'resolved', text: 'It is cool.' });
    expect(written[1]).toBe('\x1b]9;traintop: resolved on gpu8: It is cool.\x07');
  });

  it('makes no noise for what is for information', () => {
    const { notifier, written } = terminal({ bell: true, desktop: true });
    notifier.tell(alarm({ severity: 'info' }));
    expect(written).toEqual([]);
  });

  it('rings once for what comes at once', () => {
    const { notifier, written, clock } = terminal({ bell: true, desktop: true });
    for (let i = 0; i < 100; i++) notifier.tell(alarm());
    clock.advance(10_000);
    expect(written).toHaveLength(2);
    expect(written[1]).toContain('(and 98 more)');
  });

  it('is rung again where a ringing grew worse', () => {
    const { notifier, written, clock } = terminal({ bell: true });
    const ring = alarm({ severity: 'warning' });
    for (const severity of ['warning', 'warning', 'critical', 'critical'] as const) {
      notifier.tell({ ...ring, severity });
      clock.advance(5000);
    }
    expect(written).toEqual(['\x07', '\x07']);
  });

  it('has OSC 9 through tmux in a sequence of its own, and none where it would be drawn', () => {
    const inTmux = terminal({ desktop: true }, { TMUX: '/tmp/x,1,0' });
    inTmux.notifier.tell(alarm());
    expect(inTmux.written).toEqual([`\x1bPtmux;\x1b\x1b]9;${line}\x07\x1b\\`]);
    const linux = terminal({ desktop: true, bell: true }, { TERM: 'linux' });
    linux.notifier.tell(alarm());
    expect(linux.written).toEqual(['\x07']);
  });

  it.each(hostile)('lets nothing of %j out of the sequence', (text) => {
    const { notifier, written } = terminal({ desktop: true }, { TMUX: '/tmp/x,1,0' });
    notifier.tell(alarm({ text, about: text }));
    expect(written).toHaveLength(1);
    expect(written[0]).toMatch(/^\x1bPtmux;\x1b\x1b\]9;traintop: [^\x00-\x1f\x7f-\x9f]{0,300}\x07\x1b\\$/u);
  });
});
