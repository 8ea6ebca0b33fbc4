import type { Run } from '../../run.ts';
import type { EventKind, EventSample, RunSample, Sample } from '../../samples.ts';
import { leader, shortCommand } from '../../run-words.ts';
import { nothing, type MakeCondition } from '../condition.ts';
import { short, span } from '../words.ts';

/** Events that say why a run ended, those that say most first. */
const causes: readonly EventKind[] = [
  'oom kill',
  'out of memory',
  'NCCL timeout',
  'gpu error',
  'gpu lost',
  'job cancelled',
  'host rebooted',
  'signal',
  'log error',
  'rank exit',
];
const causeMs = 5 * 60_000;
/** The last words of a log are read after a process is gone. */
const wordsMs = 3000;
/** The log of the kernel is looked at every half minute. */
const kernelMs = 40_000;
const mostEvents = 24;

/** The run that was watched is gone. */
export const runEnded: MakeCondition = (ruleOf) => {
  let before: RunSample | undefined;
  let ended: { readonly run: Run; readonly at: number; readonly seenAt: number } | undefined;
  let events: EventSample[] = [];
  let isKernelRead = false;
  let isBack = false;

  function takeRun(sample: RunSample) {
    const last = before;
    before = sample;
    const { phase, run } = sample;
    if (phase === 'ended' && run && last?.phase === 'running' && last.run?.id === run.id)
      ended = { run, at: sample.time, seenAt: sample.receivedAt };
    else if (phase === 'running' && ended) {
      ended = undefined;
      isBack = true;
      events = [];
    }
  }

  const killOf = (pids: ReadonlySet<number>, sample: Sample) =>
    sample.kind === 'kernel'
      ? sample.lines.findLast(({ what, pid }) => what === 'oom-kill' && pids.has(pid ?? -1))
      : undefined;
  let killed: string | undefined;

  function causeOf(at: number): EventSample | undefined {
    const late = events.filter(({ time }) => Math.abs(at - time) <= causeMs);
    return causes.flatMap((kind) => late.findLast(({ event }) => event === kind) ?? [])[0];
  }

  return {
    take(sample) {
      if (sample.kind === 'run') takeRun(sample);
      if (sample.kind === 'event' && (causes.includes(sample.event) || sample.event === 'training end'))
        events = [...events.slice(1 - mostEvents), sample];
      if (sample.kind !== 'kernel') return;
      // Nothing comes from a log that may not be read: it is not waited for.
      isKernelRead = sample.unread === undefined;
      const pids = new Set((ended?.run ?? before?.run)?.processes.map(({ pid }) => pid));
      const kill = killOf(pids, sample);
      if (kill && Math.abs(kill.time - (ended?.at ?? kill.time)) <= causeMs) killed = kill.text;
    },
    read(now, { log }) {
      const rule = ruleOf('run-ended');
      if (rule.off) return nothing;
      if (!ended) {
        if (!isBack) return nothing;
        isBack = false;
        killed = undefined;
        return [{ alarm: 'run-ended', is: 'over', text: () => '' }];
      }
      const { run, at, seenAt } = ended;
      const cause = causeOf(at);
      const isDone =
        !cause &&
        killed === undefined &&
        (log.isDone || events.some(({ event, time }) => event === 'training end' && Math.abs(at - time) <= causeMs));
      const isKnown = isDone || killed !== undefined || (cause !== undefined && cause.event !== 'rank exit');
      const waitMs = isKnown ? (isDone ? wordsMs : 0) : isKernelRead ? kernelMs : wordsMs;
      const text = () => textOf(run, at, isDone, killed === undefined ? cause : `out of memory: ${short(killed)}`);
      return [
        {
          ...{ alarm: 'run-ended', since: at, text },
          is: now - seenAt >= waitMs ? 'beyond' : 'unknown',
          ...(isDone && { severity: 'info' }),
        },
      ];
    },
    // It is what the next run resolves.
    forgetRun() {},
  };
};

function textOf(run: Run, at: number, isDone: boolean, cause: EventSample | string | undefined): string {
  const first = leader(run);
  const script = shortCommand(first?.commandLine ?? []).split(' ')[0] ?? '';
  const name = `PID ${run.rootPid}${script === '' ? '' : `, ${script}`}`;
  const age = first?.startTime === undefined ? '' : ` after ${span(at - first.startTime)}`;
  if (isDone) return `The run finished (${name})${age}: its log said that the training is over.`;
  const why =
    cause === undefined
      ? 'neither its log nor the kernel said why'
      : typeof cause === 'string'
        ? `the kernel killed a process of it, ${cause}`
        : `${cause.event}: ${short(cause.text)}`;
  return `The run ended (${name})${age}; ${why}.`;
}
