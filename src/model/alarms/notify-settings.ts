import type { Severity } from '../alarm-samples.ts';

/** How the user hears of alarms away from the screen. */
export interface NotifySettings {
  /** The terminal's bell. */
  readonly bell: boolean;
  /** A message and the window's flag, where the screen runs in tmux. */
  readonly tmux: boolean;
  /** A notification of the desktop, by OSC 9. */
  readonly desktop: boolean;
  readonly webhooks: readonly Webhook[];
  /** Programs that are run, each by its argv and never by a shell; what rings is in their environment and on their standard input. */
  readonly commands: readonly AlarmCommand[];
}

/** How alarms are told where the user says nothing of it: where the screen is, and nowhere else. */
export const defaultNotify: NotifySettings = { bell: true, tmux: true, desktop: true, webhooks: [], commands: [] };

/** Where JSON is sent. */
export interface Webhook {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: Severity;
}

/** What is run. */
export interface AlarmCommand {
  readonly argv: readonly string[];
  readonly from?: Severity;
}
