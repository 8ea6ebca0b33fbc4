import type { AlarmName, AlarmSample, MuteSample } from '../alarm-samples.ts';
import { catalogue } from './catalogue.ts';
import type { Finding } from './condition.ts';
import { createMachine, type Machine } from './machine.ts';
import { createMutes } from './mutes.ts';
import type { RuleOf } from './rules.ts';
import { explains, troubleOf, type Told } from './troubles.ts';
import { span } from './words.ts';

/** All machines of one host: what conditions find becomes what rings and is over. */
export interface Ringing {
  take(now: number, findings: readonly Finding[], awakeSince: number): readonly AlarmSample[];
  /** What is of the run is over with it. */
  endRun(now: number, because: string): readonly AlarmSample[];
  acknowledge(id: string, now: number): readonly AlarmSample[];
  mute(sample: MuteSample): void;
}

/** About different things; the last that came are not told where there are more. */
const mostBells = 256;
/** Of what nobody tells any more it is not known whether it holds. */
const heldMs = 10_000;

/** One alarm about one thing. */
interface Bell extends Told {
  readonly machine: Machine;
  readonly trouble?: string;
  /** As it rang. */
  rung?: AlarmSample | undefined;
  /** As of this look. */
  lookedAt: number;
  /** When it was last found to be so. */
  foundAt: number;
}

/** Nothing rings. */
export function createRinging({ host, ruleOf }: { readonly host: string; readonly ruleOf: RuleOf }): Ringing {
  const bells = new Set<Bell>();
  /** The same, by alarm and key: looked for at each look, and mostly in vain. */
  const found = new Map<AlarmName, Map<string, Bell>>();
  const mutes = createMutes();
  let count = 0;

  function bellOf(finding: Finding, now: number): Bell | undefined {
    const { alarm, about, key = about ?? '' } = finding;
    const known = found.get(alarm)?.get(key);
    if (known || finding.is !== 'beyond' || bells.size >= mostBells) return known;
    const told = { alarm, key, ...(about !== undefined && { about }) };
    const trouble = troubleOf(told);
    const made = {
      ...told,
      machine: createMachine(),
      ...(trouble !== undefined && { trouble }),
      lookedAt: now,
      foundAt: now,
    };
    bells.add(made);
    const others = found.get(alarm) ?? new Map<string, Bell>();
    found.set(alarm, others.set(key, made));
    return made;
  }

  function forget(bell: Bell) {
    bells.delete(bell);
    found.get(bell.alarm)?.delete(bell.key);
  }

  /** Whether another one tells of this trouble already, and whether another one of the same still holds. */
  function others(bell: Bell, now: number): { readonly isTold: boolean; readonly holds: boolean } {
    let [isTold, holds] = [false, false];
    for (const other of bells) {
      if (other === bell) continue;
      const isSame = bell.trouble !== undefined && other.trouble === bell.trouble;
      if (other.machine.isRinging() && (isSame || explains(other, bell))) isTold = true;
      if (isSame && other.machine.isPending() && now - other.foundAt <= heldMs) holds = true;
    }
    return { isTold, holds };
  }

  function ring(bell: Bell, finding: Finding, now: number): AlarmSample {
    const {
      about,
      severity = ruleOf(finding.alarm).severity,
      value,
      border,
      unit = catalogue[finding.alarm].unit,
    } = finding;
    const rung: AlarmSample = {
      ...{ kind: 'alarm', host, source: 'alarms', time: now, receivedAt: now },
      ...{ id: `${now.toString(36)}-${++count}`, alarm: finding.alarm, state: 'ringing', severity },
      ...(about !== undefined && { about }),
      ...{ since: bell.machine.since() ?? now, rungAt: now, text: finding.text().replace(/…\.$/, '…') },
      ...(mutes.isMuted(finding.alarm, about, now) && { muted: true }),
      ...(value !== undefined && Number.isFinite(value) && { value: rounded(value) }),
      ...(border !== undefined && Number.isFinite(border) && { border: rounded(border) }),
      ...(value !== undefined && unit !== '' && { unit }),
    };
    bell.rung = rung;
    return rung;
  }

  function resolve(bell: Bell, now: number, because?: string): readonly AlarmSample[] {
    const { rung } = bell;
    bell.rung = undefined;
    if (!rung) return [];
    const { title, resolved } = catalogue[rung.alarm];
    const words = because === undefined ? resolved : `${title}: ${because}`;
    const about = rung.about === undefined ? '' : `${rung.about}: `;
    return [
      {
        ...rung,
        ...{ time: now, receivedAt: now, state: 'resolved', resolvedAt: now },
        ...(mutes.isMuted(rung.alarm, rung.about, now) && { muted: true }),
        text: `${about}${about === '' ? words : `${words.charAt(0).toLowerCase()}${words.slice(1)}`}, after ${span(now - rung.since)}.`,
      },
    ];
  }

  function look(finding: Finding, now: number, awakeSince: number): readonly AlarmSample[] {
    const bell = bellOf(finding, now);
    if (!bell) return none;
    bell.lookedAt = now;
    if (finding.is === 'beyond') bell.foundAt = now;
    const { forMs, clearForMs, coolDownMs } = ruleOf(finding.alarm);
    const rule = {
      forMs: finding.forMs ?? forMs,
      clearForMs: finding.clearForMs ?? clearForMs,
      coolDownMs: finding.coolDownMs ?? coolDownMs,
    };
    const { isTold, holds } = others(bell, now);
    const is = finding.is === 'over' && holds ? 'between' : finding.is;
    const { since } = finding;
    const change = bell.machine.look({ now, is, awakeSince, rule, isTold, ...(since !== undefined && { since }) });
    if (change === 'rings') return [ring(bell, finding, now)];
    return change === 'resolved' ? resolve(bell, now) : none;
  }

  return {
    take(now, findings, awakeSince) {
      const changes: AlarmSample[] = [];
      for (const finding of findings) changes.push(...look(finding, now, awakeSince));
      for (const bell of bells) {
        const rule = ruleOf(bell.alarm);
        if (bell.lookedAt !== now) bell.machine.look({ now, is: 'unknown', awakeSince, rule });
        if (bell.machine.isQuiet(now, rule.coolDownMs)) forget(bell);
      }
      return changes;
    },
    endRun: (now, because) =>
      [...bells].flatMap((bell) =>
        catalogue[bell.alarm].ofRun && bell.machine.end() === 'resolved' ? resolve(bell, now, because) : [],
      ),
    acknowledge(id, now) {
      const bell = [...bells].find(({ rung }) => rung?.id === id);
      if (!bell?.rung || bell.rung.acknowledgedAt !== undefined) return [];
      bell.rung = { ...bell.rung, time: now, receivedAt: now, acknowledgedAt: now };
      return [bell.rung];
    },
    mute: mutes.take,
  };
}

const none: readonly AlarmSample[] = [];

/** As many places as a recording needs. */
const rounded = (value: number) => Number(value.toPrecision(4));
