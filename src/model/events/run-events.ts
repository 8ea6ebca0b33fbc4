import { leader, shortCommand } from '../run-words.ts';
import type { Run } from '../run.ts';
import type { FactsSample, RunSample } from '../samples.ts';
import { event, span, type Finder } from './found.ts';

/** A run that began before is only watched from now on: no start of it was seen. */
const justNowMs = 60_000;
/** The host's boot time is measured anew with each probe. */
const sameBootMs = 120_000;

/** The run's start, end and restart, and the host's. */
export function createRunFinder(): Finder {
  let beganAt: number | undefined;
  let last: RunSample | undefined;
  let endedAt: number | undefined;
  let facts: FactsSample | undefined;

  function ofRun(sample: RunSample) {
    const before = last;
    last = sample;
    const { phase, run } = sample;
    if (!run) return [];
    const isSame = before?.run?.id === run.id;
    if (phase === 'ended') {
      if (!isSame || before.phase !== 'running') return [];
      endedAt = sample.time;
      return [event(sample, 'run ended', nameOf(run) + ageText(run, sample.time))];
    }
    if (phase !== 'running' || isSame) return [];
    const start = leader(run)?.startTime;
    // One that was chosen by the user, or was there before the monitor, did not start now.
    if (start === undefined ? before?.phase === 'choosing' || !before : start < (beganAt ?? 0) - justNowMs) return [];
    const old = before?.run;
    if (!old || commandOf(old) !== commandOf(run)) return [event(sample, 'run started', nameOf(run))];
    const gap = endedAt === undefined ? '' : `, ${span((start ?? sample.time) - endedAt)} after its end`;
    return [event(sample, 'run restarted', `${nameOf(run)}, it was PID ${old.rootPid} before${gap}`)];
  }

  function ofFacts(sample: FactsSample) {
    const before = facts?.facts;
    facts = sample;
    if (!before) return [];
    const { bootId, bootTime } = sample.facts;
    const isOther =
      bootId !== undefined && before.bootId !== undefined
        ? bootId !== before.bootId
        : Math.abs(bootTime - before.bootTime) > sameBootMs;
    if (!isOther) return [];
    return [event(sample, 'host rebooted', `${span(sample.time - bootTime)} ago, all that ran there is gone`)];
  }

  return {
    find(sample) {
      beganAt ??= sample.time;
      if (sample.kind === 'run') return ofRun(sample);
      return sample.kind === 'facts' ? ofFacts(sample) : [];
    },
  };
}

function nameOf(run: Run): string {
  const [script = ''] = commandOf(run).split(' ');
  return `PID ${run.rootPid}${script === '' ? '' : `, ${script}`}`;
}

function commandOf(run: Run): string {
  return shortCommand(leader(run)?.commandLine ?? []).slice(0, 1000);
}

function ageText(run: Run, now: number): string {
  const start = leader(run)?.startTime;
  return start === undefined ? '' : `, after ${span(now - start)}`;
}
