import type { AlarmSample, RunSample, Sample, VerdictsSample } from '../../model/samples.ts';
import { situationWords } from '../../model/diagnosis/words.ts';
import type { Situation } from '../../model/situations.ts';
import type { Verdict } from '../../model/verdict-samples.ts';
import { createStillness } from './stillness.ts';

/** Why evidence is wanted. */
export interface Trouble {
  /** The run stands, or it is gone. */
  readonly what: 'stuck' | 'ended';
  readonly runId: string;
  /** One sentence. */
  readonly reason: string;
  /** The alarm's `id`. */
  readonly alarm?: string;
  /** It ended while it stood: that trouble was told. */
  readonly stood?: true;
}

/** Says when evidence is to be taken, by Samples alone: each trouble once, and not in a run that moves. */
export interface Trigger {
  /** What this Sample begins. */
  see(sample: Sample): Trouble | undefined;
  /** Whether the run still stands: only then may its processes be held. */
  isStuck(): boolean;
}

/** Of these nothing moves. */
const still: ReadonlySet<Situation> = new Set(['collective-hang', 'stalled', 'dead']);
/** A verdict this sure has to hold for so long, one that is likely for longer: one rank may do something alone for some seconds. */
const sure = { from: 0.75, holdMs: 3000 };
const likely = { from: 0.5, holdMs: 25_000 };
/** Verdicts are told every five seconds: what was told longer ago is not so now. */
const staleMs = 20_000;
/** So long nothing says that the run stands: that trouble is over. */
const overMs = 60_000;
/** Alarms that mean the same. */
const stuckAlarms: ReadonlySet<AlarmSample['alarm']> = new Set(['no-step', 'verdict']);

/** Nothing has been seen. */
export function createTrigger(): Trigger {
  const stillness = createStillness();
  let runId: string | undefined;
  let isRunning = false;
  let endedId: string | undefined;
  let verdict: Held | undefined;
  let alarm: AlarmSample | undefined;
  /** The run whose trouble was told, and when something last said that it stands. */
  let told: { readonly runId: string; lastAt: number } | undefined;
  let stands = false;
  let isUp = true;

  function forget() {
    verdict = alarm = told = undefined;
    stands = false;
  }

  function takeRun({ phase, run, reason }: RunSample): Trouble | undefined {
    const id = run?.id;
    const wasRunning = isRunning && id !== undefined && id === runId;
    isRunning = phase === 'running';
    if (id !== undefined && id !== runId) forget();
    runId = id ?? runId;
    if (phase !== 'ended' || !wasRunning || id === endedId) return undefined;
    endedId = id;
    const text = sentence(`the run ended${reason === undefined ? '' : `: ${reason}`}`);
    return { what: 'ended', runId: id, reason: text, ...(told && { stood: true }) };
  }

  function takeAlarm(sample: AlarmSample) {
    if (!stuckAlarms.has(sample.alarm)) return;
    if (sample.alarm === 'verdict' && !still.has(sample.about as Situation)) return;
    if (sample.state === 'ringing') alarm = sample;
    else if (alarm?.id === sample.id) alarm = undefined;
  }

  function takeVerdicts({ verdicts, receivedAt }: VerdictsSample) {
    const now = verdicts.filter(({ situation }) => still.has(situation)).toSorted(surestFirst)[0];
    if (!now || now.confidence < likely.from) return void (verdict = undefined);
    const isSure = now.confidence >= sure.from;
    const before = verdict && receivedAt - verdict.at <= staleMs ? verdict : undefined;
    verdict = {
      verdict: now,
      at: receivedAt,
      since: before?.since ?? receivedAt,
      ...(isSure && { sureSince: before?.sureSince ?? receivedAt }),
    };
  }

  function verdictReason(at: number): string | undefined {
    if (!verdict || at - verdict.at > staleMs) return undefined;
    const { since, sureSince, at: toldAt } = verdict;
    // It was told again since.
    const holds = (sureSince !== undefined && toldAt - sureSince >= sure.holdMs) || toldAt - since >= likely.holdMs;
    const { situation, summary } = verdict.verdict;
    return holds ? `${situationWords[situation].name}: ${summary}` : undefined;
  }

  /** Why it stands, the best first. */
  function why(at: number): { readonly reason: string; readonly alarm?: string } | undefined {
    const own = verdictReason(at);
    const id = alarm && { alarm: alarm.id };
    if (own !== undefined) return { reason: own, ...id };
    if (alarm) return { reason: alarm.text, ...id };
    const rests = stillness.now(at);
    return rests && { reason: rests.text };
  }

  return {
    see(sample) {
      stillness.see(sample);
      const at = sample.receivedAt;
      if (sample.kind === 'run') {
        const ended = takeRun(sample);
        if (ended) return ended;
      }
      if (sample.kind === 'alarm') takeAlarm(sample);
      if (sample.kind === 'verdicts') takeVerdicts(sample);
      // Of a run that nobody hears nothing can be taken, nor said.
      if (sample.kind === 'link') isUp = sample.state === 'up' && sample.silentSince === undefined;
      const now = isUp && isRunning && runId !== undefined ? why(at) : undefined;
      stands = now !== undefined;
      if (runId === undefined || !isRunning) return undefined;
      if (now && told?.runId !== runId) {
        told = { runId, lastAt: at };
        return { what: 'stuck', runId, ...now, reason: sentence(now.reason) };
      }
      if (told && now) told.lastAt = at;
      else if (told && isUp && at - told.lastAt > overMs) told = undefined;
      return undefined;
    },
    isStuck: () => stands,
  };
}

interface Held {
  readonly verdict: Verdict;
  readonly at: number;
  readonly since: number;
  readonly sureSince?: number;
}

const surestFirst = (a: Verdict, b: Verdict) => b.confidence - a.confidence;

/** Reasons stand alone: they begin with a capital and end with a point. */
function sentence(text: string): string {
  const most = text.length > 300 ? `${text.slice(0, 300)}…` : text.replace(/\.$/, '');
  return `${most.charAt(0).toUpperCase()}${most.slice(1)}.`;
}
