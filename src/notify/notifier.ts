import type { Clock } from '../clock.ts';
import type { AlarmSample, Severity } from '../model/alarm-samples.ts';
import { severities } from '../model/alarm-samples.ts';
import type { NotifySettings } from '../model/alarms/notify-settings.ts';
import { createCommand } from './command.ts';
import { createTerminalWay } from './terminal.ts';
import { createTmuxWay } from './tmux.ts';
import type { Way } from './way.ts';
import { createWebhook } from './webhook.ts';

/** Tells of alarms away from the screen. Nothing waits for it, and nothing that goes wrong with it reaches who gives them. */
export interface Notifier {
  /** A change of an alarm, in order. */
  tell(alarm: AlarmSample): void;
  /** How alarms are told, a sentence each; a fault stands in its place. */
  ways(): readonly string[];
  /** Gives what is under way some seconds; resolves when all has ended. */
  close(): Promise<void>;
}

/** Where it tells. */
export interface NotifierOptions {
  readonly settings: NotifySettings;
  /** Real time: receivers do not live in that of the demo. */
  readonly clock: Clock;
  /** As the user named the host. */
  readonly target: string;
  /** Simulated data says so. */
  readonly demo: boolean;
  /** The terminal of the screen, for the bell and OSC 9. Absent: there is none (headless). */
  readonly write?: (text: string) => void;
  readonly env: NodeJS.ProcessEnv;
  /** Takes a sentence: what could not be told, and why. */
  readonly report: (text: string) => void;
}

/** What is under way at the end has this long. */
const closeMs = 3000;
/** Ringings that are remembered, for what they are told by. */
const mostTold = 500;

/** Nothing is sent before `tell`. Rings and resolutions are told, and a ringing whose severity grew; none that is muted. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { clock, target, demo } = options;
  const ways = waysOf(options);
  const told = new Map<string, Severity>();

  function isNews({ id, state, severity, muted, acknowledgedAt }: AlarmSample): boolean {
    const before = told.get(id);
    if (muted) return false;
    if (state === 'resolved') return told.delete(id);
    if (before === undefined && acknowledgedAt !== undefined) return false;
    if (before !== undefined && severities.indexOf(severity) <= severities.indexOf(before)) return false;
    told.set(id, severity);
    for (const oldest of told.keys()) {
      if (told.size <= mostTold) break;
      told.delete(oldest);
    }
    return true;
  }

  return {
    tell(alarm) {
      if (!isNews(alarm)) return;
      for (const way of ways) way.tell({ alarm, target, demo });
    },
    ways: () => ways.map((way) => way.about()),
    async close() {
      const cancel = clock.after(closeMs, () => {
        for (const way of ways) way.abort();
      });
      await Promise.all(ways.map((way) => way.close()));
      cancel();
    },
  };
}

function waysOf({ settings, clock, write, env, report }: NotifierOptions): readonly Way[] {
  const { bell, tmux, desktop, webhooks, commands } = settings;
  const inTmux = env.TMUX !== undefined && env.TMUX !== '';
  return [
    ...(write && (bell || desktop) ? [createTerminalWay({ write, clock, env, bell, desktop })] : []),
    ...(tmux && inTmux ? [createTmuxWay({ clock, env, report, hasBell: write !== undefined && bell })] : []),
    ...webhooks.map((webhook) => createWebhook({ webhook, clock, report })),
    ...commands.map((command) => createCommand({ command, clock, env, report })),
  ];
}
