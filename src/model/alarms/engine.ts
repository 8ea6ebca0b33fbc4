import type { AlarmName, AlarmSample, MuteSample } from '../alarm-samples.ts';
import type { Bounded } from '../roles/rules.ts';
import type { RunSample, Sample } from '../samples.ts';
import { conditionsOf } from './conditions/index.ts';
import type { AlarmSettings } from './settings.ts';
import { createRinging } from './ringing.ts';
import { rulesOf } from './rules.ts';
import { createWorld, type World } from './world.ts';

/** Finds in the stream of all Samples of one host, verdicts and events too, what rings. The same Samples give the same alarms. */
export interface Alarms {
  /** The changes that this Sample brings, to be taken in after it. */
  find(sample: Sample): readonly AlarmSample[];
  /** The same of time that goes by without Samples; epoch ms by the local clock. */
  tick(now: number): readonly AlarmSample[];
  /** The user has seen it: nothing, where it is none that rings. */
  acknowledge(id: string, now: number): readonly AlarmSample[];
  /** Not heard from now on for so long, or until it is heard again; it holds when its Sample comes to `find`. */
  mute(init: {
    readonly alarm: AlarmName;
    readonly about?: string;
    readonly forMs?: number;
    readonly now: number;
  }): MuteSample;
  unmute(init: { readonly alarm: AlarmName; readonly about?: string; readonly now: number }): MuteSample;
}

/** It is looked at this often. */
const lookMs = 1000;
/** What is told the same moment, or what happens once, is not waited for longer. */
const atOnce: ReadonlySet<Sample['kind']> = new Set(['run', 'event', 'mute']);

/** Alarms at the beginning of a stream. */
export function createAlarms(init: {
  readonly host: string;
  readonly settings?: AlarmSettings;
  /** Ends work on the user's patterns that takes too long. */
  readonly bounded?: Bounded;
}): Alarms {
  const { host, settings = {}, bounded } = init;
  const ruleOf = rulesOf(settings);
  const world = createWorld();
  const conditions = conditionsOf(settings, bounded).map((make) => make(ruleOf));
  const ringing = createRinging({ host, ruleOf });
  let run: RunSample | undefined;
  let lookedAt: number | undefined;
  let now: World | undefined;
  const head = (at: number) => ({ host, source: 'alarms', time: at, receivedAt: at });

  /** Another run begins anew; what rang of the last is over. */
  function takeRun(sample: RunSample): readonly AlarmSample[] {
    const before = run;
    run = sample;
    const isOther = before?.run !== undefined && sample.run !== undefined && before.run.id !== sample.run.id;
    if (isOther) {
      world.forgetRun();
      for (const condition of conditions) condition.forgetRun();
      return ringing.endRun(sample.receivedAt, 'another run is watched');
    }
    const isEnd = before?.phase === 'running' && sample.phase === 'ended';
    return isEnd ? ringing.endRun(sample.receivedAt, 'the run ended') : [];
  }

  function look(at: number): readonly AlarmSample[] {
    lookedAt = at;
    const turned = (now = world.turn(at));
    const findings = conditions.flatMap((condition) => condition.read(at, turned));
    return ringing.take(at, findings, turned.awakeSince);
  }

  return {
    find(sample) {
      if (settings.off || sample.kind === 'alarm') return [];
      const at = sample.receivedAt;
      if (sample.kind === 'mute') {
        ringing.mute(sample);
        return [];
      }
      const ended = sample.kind === 'run' ? takeRun(sample) : [];
      world.take(sample);
      now ??= world.turn(at);
      for (const condition of conditions) condition.take(sample, now);
      // A clock that was set back begins anew.
      const isDue = lookedAt === undefined || at < lookedAt || at - lookedAt >= lookMs || atOnce.has(sample.kind);
      return isDue ? [...ended, ...look(at)] : ended;
    },
    tick: (at) => (settings.off || now === undefined || at - (lookedAt ?? 0) < lookMs ? [] : look(at)),
    acknowledge: (id, at) => ringing.acknowledge(id, at),
    mute: ({ alarm, about, forMs, now: at }) => ({
      ...{ kind: 'mute', ...head(at), alarm },
      ...(about !== undefined && { about }),
      ...(forMs !== undefined && { until: at + forMs }),
    }),
    unmute: ({ alarm, about, now: at }) => ({
      ...{ kind: 'mute', ...head(at), alarm, heard: true },
      ...(about !== undefined && { about }),
    }),
  };
}
