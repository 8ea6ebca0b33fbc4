import { intervalLimits } from '../config/options.ts';
import { safeText } from '../model/text.ts';
import type { Controls } from '../ui/controls.ts';
import type { Questions } from '../ui/overlays/questions.ts';
import type { Session } from './session.ts';

/** The screen's hands on a session. */
export function controlsOf(
  session: Session,
  more: Pick<Controls, 'target' | 'demo' | 'openShell' | 'files'> & { readonly questions?: Questions },
): Controls {
  const { store, clock, runner, captures, signals, options } = session;
  const host = session.transport.target;
  let looks = 0;
  return {
    ...more,
    store,
    clock,
    ...(options.wrap !== undefined && { wrap: options.wrap }),
    intervalMs: options.intervalMs,
    setInterval(ms) {
      const intervalMs = Math.min(intervalLimits.slowest, Math.max(intervalLimits.fastest, ms));
      const now = clock.now();
      session.take({ kind: 'interval', host, source: 'user', time: now, receivedAt: now, intervalMs });
      runner.configure({ intervalMs });
      return intervalMs;
    },
    connectNow: runner.connectNow,
    lookForRuns: () => runner.configure({ looks: ++looks }),
    chooseRun: (pid) => runner.configure({ pid, picked: true }),
    capture: captures.start,
    cancelCapture: captures.cancel,
    signals: { look: signals.look, send: signals.send },
    readOnly: options.readOnly === true,
    ...(session.alarms && { alarms: session.alarms }),
    naming: () => ({
      rules: session.rules.counts(),
      dumps: session.autoDump?.said() ?? 'Off: --no-auto-dump.',
    }),
    recording() {
      if (!session.recorder) return { is: 'off' };
      const { fault, faultShort, warning } = session.recorder.state();
      if (fault !== undefined) return { is: 'failed', reason: fault, short: faultShort };
      return { is: 'on', ...(warning !== undefined && { warning }) };
    },
    mark(text, time = clock.now()) {
      session.take({ kind: 'mark', host, source: 'user', time, receivedAt: clock.now(), text: safeText(text) });
    },
  };
}
