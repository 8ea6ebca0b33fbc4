import { systemClock, type Clock } from '../../src/clock.ts';
import type { AlarmSample } from '../../src/model/alarm-samples.ts';
import type { NotifySettings } from '../../src/model/alarms/notify-settings.ts';
import { createNotifier, type NotifierOptions } from '../../src/notify/notifier.ts';

/** A clock whose waits of some lengths are a fraction. */
function hurried(hurry: (ms: number) => number): Clock {
  return {
    now: () => systemClock.now(),
    after: (ms, fn) => systemClock.after(hurry(ms), fn),
    every: (ms, fn) => systemClock.every(hurry(ms), fn),
  };
}

/** What is waited for by itself goes by fast: between attempts, and while a burst is gathered. What something else is given is real. */
export const hastyClock = hurried((ms) => ([2000, 8000, 30_000].includes(ms) ? ms / 100 : ms));

/** Attempts and programs have little time too. */
export const strictClock = hurried((ms) => ms / 20);

let made = 0;

/** An alarm that rings, unlike all before. */
export const alarm = (more: Partial<AlarmSample> = {}): AlarmSample => ({
  ...{ kind: 'alarm', host: 'h', source: 'alarms', time: 2000, receivedAt: 2000 },
  ...{ id: `made-${++made}`, alarm: 'gpu-hot', about: 'GPU 3', state: 'ringing', severity: 'critical' },
  ...{
    since: 1000,
    rungAt: 2000,
    text: 'GPU 3 is at 93 °C, above 90 °C for 2m 0s.',
    value: 93,
    border: 90,
    unit: '°C',
  },
  ...more,
});

/** What a host may put into a name or a line, to have something run, drawn or lost. */
export const hostile = [
  '$(touch pwned)',
  '`touch pwned`',
  ';touch pwned;',
  '#(touch pwned)',
  '##(touch pwned)',
  '###(touch pwned)',
  '#{q:#(touch pwned)}',
  '#{E:#{l:#(touch pwned)}}',
  '%H #[fg=red]',
  '-t pwned',
  'a\nb\r\nX-Evil: 1',
  '\u001b]0;title\u0007\u001b[2J\u0000',
  '\u001b\\\u001bPtmux;\u001b\u001b]9;x\u0007',
  '<!channel> @everyone <https://a|b>',
  '"}\\',
  '\ud800',
  'x'.repeat(100_000),
];

/** A notifier that is quiet but for what is given, and the sentences of its faults. */
export function notifierOf(settings: Partial<NotifySettings>, more: Partial<NotifierOptions> = {}) {
  const told: string[] = [];
  const quiet: NotifySettings = { bell: false, tmux: false, desktop: false, webhooks: [], commands: [] };
  const notifier = createNotifier({
    ...{ clock: systemClock, target: 'gpu8', demo: false, env: { PATH: process.env.PATH } },
    ...{ report: (text: string) => void told.push(text), settings: { ...quiet, ...settings } },
    ...more,
  });
  return { notifier, told };
}
