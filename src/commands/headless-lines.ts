import { fstatSync } from 'node:fs';
import type { Clock } from '../clock.ts';
import type { EventKind, Sample } from '../model/samples.ts';
import { leader, rankCount, shortCommand } from '../model/run-words.ts';
import { safeText } from '../model/text.ts';
import { dayOf, timeOfDay } from '../ui/parts/times.ts';

/** What a watch without a screen says on standard output: one line each, dated unless the journal dates it. */
export interface Sayings {
  say(text: string): void;
  /** What there is to say of a Sample. */
  see(sample: Sample): void;
}

interface Init {
  /** Of what is watched. */
  readonly clock: Clock;
  /** Of this machine: lines in its time are bounded. */
  readonly pace: Clock;
  readonly dated: boolean;
  readonly write: (text: string) => void;
}

/** Events that a night is judged by; what alarms and the link tell is told by their own Samples. */
const toldEvents: ReadonlySet<EventKind> = new Set<EventKind>([
  ...(['run started', 'run ended', 'run restarted', 'host rebooted', 'out of memory', 'oom kill'] as const),
  ...(['NCCL timeout', 'training end', 'job cancelled', 'signal', 'recording gap', 'alarm untold'] as const),
]);

const longest = 400;
/** So many lines at once, and one more each half minute: a link that flaps all night fills no disk. */
const burst = 60;
const refillMs = 30_000;

/** Nothing is said yet. */
export function createSayings({ clock, pace, dated, write }: Init): Sayings {
  let room = burst;
  let filledAt = pace.now();
  let leftOut = 0;
  let linkSaid = 'up';
  let runSaid: string | undefined;

  function put(text: string) {
    const line = safeText(text.replaceAll('\n', ' '));
    const cut = line.length > longest ? `${line.slice(0, longest)} …` : line;
    const now = clock.now();
    write(`${dated ? `${dayOf(now)} ${timeOfDay(now)} ` : ''}${cut}\n`);
  }

  function say(text: string) {
    const more = Math.floor((pace.now() - filledAt) / refillMs);
    if (more !== 0) {
      room = Math.min(burst, room + Math.max(0, more));
      filledAt = pace.now();
    }
    if (room <= 0) return void leftOut++;
    room--;
    if (leftOut > 0) put(`(${leftOut} lines before this one were left out.)`);
    leftOut = 0;
    put(text);
  }

  return {
    say,
    see(sample) {
      if (sample.kind === 'link') {
        const { state, reason, retryAt } = sample;
        if (state === 'connecting') return;
        const words =
          state === 'up'
            ? 'up'
            : `${state === 'failed' ? 'The link failed' : 'The link is lost'}: ${reason ?? 'no reason'}`;
        if (words === linkSaid) return;
        linkSaid = words;
        const goesOn = retryAt === undefined ? '' : ' It is tried again.';
        say(state === 'up' ? 'The link is back.' : `${sentence(words)}${goesOn}`);
      } else if (sample.kind === 'run' && sample.run && sample.run.id !== runSaid) {
        const { run } = sample;
        const ranks = rankCount(run);
        // One that is another's successor is told by its event, too.
        say(
          `run found: ${shortCommand(leader(run)?.commandLine ?? [])}, PID ${run.rootPid}${ranks > 1 ? `, ${ranks} ranks` : ''}.`,
        );
        runSaid = run.id;
      } else if (sample.kind === 'event' && toldEvents.has(sample.event))
        say(sentence(`${sample.event}: ${sample.text}`));
      else if (sample.kind === 'alarm') {
        const { state, severity, text, acknowledgedAt, muted } = sample;
        if (state === 'resolved') say(`alarm resolved: ${sentence(text)}`);
        else if (acknowledgedAt === undefined) say(`alarm (${severity}${muted ? ', muted' : ''}): ${sentence(text)}`);
      } else if (sample.kind === 'blackBox' && sample.state !== 'taking') {
        const { reason, folder, state } = sample;
        const where = folder === undefined ? '' : ` It is in ${folder}.`;
        say(`evidence taken${state === 'partial' ? ' (not all could be had)' : ''}: ${sentence(reason)}${where}`);
      }
    },
  };
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Standard output is the journal's, which dates lines itself (systemd.exec(5), JOURNAL_STREAM). */
export function isJournal(environment: NodeJS.ProcessEnv): boolean {
  const { JOURNAL_STREAM: stream } = environment;
  if (stream === undefined) return false;
  try {
    const { dev, ino } = fstatSync(1);
    return stream === `${dev}:${ino}`;
  } catch {
    return false;
  }
}
