import type { Clock } from '../clock.ts';
import { lineOf, type Message } from './message.ts';
import { createGathering, isFrom, type Way } from './way.ts';

interface Init {
  /** Takes what is whole: no frame of the screen is within it. */
  readonly write: (text: string) => void;
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  readonly bell: boolean;
  readonly desktop: boolean;
}

/** The terminal's bell, and a notification of the desktop behind it. Neither moves the cursor. What is for information only makes no noise. */
export function createTerminalWay({ write, clock, env, bell, desktop }: Init): Way {
  const hasDesktop = desktop && !/^(?:linux|dumb|)$/.test(env.TERM ?? '');
  const gathering = createGathering(clock, (messages) => {
    const rings = messages.some(({ alarm }) => alarm.state === 'ringing');
    const note = hasDesktop ? notification(messages, env.TMUX !== undefined && env.TMUX !== '') : '';
    write(`${note}${bell && rings ? '\x07' : ''}`);
  });
  return {
    tell: (message) => isFrom(message.alarm.severity, 'warning') && gathering.add(message),
    about() {
      const ways = [...(bell ? ['the bell'] : []), ...(hasDesktop ? ['a notification of the desktop (OSC 9)'] : [])];
      return `This terminal: ${ways.join(' and ') || 'nothing'}, from warning on.`;
    },
    close: async () => gathering.stop(),
    abort() {},
  };
}

/** More is cut by whoever shows it. */
const mostText = 240;

function notification(messages: readonly Message[], inTmux: boolean): string {
  const newest = messages.findLast(({ alarm }) => alarm.state === 'ringing') ?? messages.at(-1);
  if (!newest) return '';
  const more = messages.length === 1 ? '' : ` (and ${messages.length - 1} more)`;
  // It begins with a word: `4;` would be a progress bar (ConEmu, Windows Terminal).
  const text = `${clean(lineOf(newest)).slice(0, mostText)}${more}`;
  const osc = `\x1b]9;${text}\x07`;
  // tmux hands it on where allow-passthrough is on, and else drops it.
  return inTmux ? `\x1bPtmux;${osc.replaceAll('\x1b', '\x1b\x1b')}\x1b\\` : osc;
}

/** The line is safe already; nothing in here ends the sequence, whatever comes. */
function clean(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ');
}
