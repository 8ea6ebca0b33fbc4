import { endedReason } from '../model/ended-reason.ts';
import { checksOf, type Check, type Told } from './check.ts';
import { recordedChecks } from './checks/recorded.ts';
import type { RecordingFindings } from './recording-findings.ts';
import type { RunSurvey, SourceSurvey, Stretches } from './recording-survey.ts';
import { spellCount, spellDuration, spellTime } from './spell.ts';

const run = checksOf('Run');
const source = checksOf('Sources');
const event = checksOf('Events');

/** What is in a recording, what is missing in it, and why. Pure: the same findings, the same checks. */
export function judgeRecording(findings: RecordingFindings): readonly Check[] {
  return [
    ...recordedChecks(findings),
    ...runChecks(findings),
    ...sourceChecks(findings),
    ...logChecks(findings),
    ...eventChecks(findings),
  ];
}

function runChecks({ survey, header }: RecordingFindings): readonly Check[] {
  const { runs, gpuCount, threadCount, facts } = survey;
  const hostname = facts?.hostname ?? header.hostname;
  const host = [
    hostname,
    facts?.cores === undefined ? undefined : spellCount(facts.cores, 'core'),
    gpuCount === undefined ? undefined : spellCount(gpuCount, 'GPU'),
    facts?.kernel,
  ].filter((part) => part !== undefined);
  return [
    run(
      'recording.host',
      'host',
      host.length > 0 ? { status: 'ok', found: host.join(', ') } : unknown('its host never answered'),
    ),
    ...(runs.length === 0 ? [run('recording.run', 'run', { status: 'note', found: 'none was watched' })] : []),
    ...runs.map((each, i) => run(i === 0 ? 'recording.run' : `recording.run.${i + 1}`, 'run', tellRun(each))),
    ...(threadCount === undefined
      ? []
      : [run('recording.threads', 'threads', { status: 'ok', found: `${threadCount} at most` })]),
  ];
}

function tellRun({ run: { rootPid, processes }, from, ended }: RunSurvey): Told {
  const line = processes.find(({ pid }) => pid === rootPid)?.commandLine.join(' ') ?? '';
  const found = `PID ${rootPid}, ${line.length > 60 ? `${line.slice(0, 59)}…` : line}: ${spellCount(processes.length, 'process', 'processes')}, watched from ${spellTime(from)}`;
  if (!ended) return { status: 'ok', found };
  const reason = ended.reason === undefined ? undefined : endedReason(ended.reason);
  return { status: 'note', found: `${found}; it ended at ${spellTime(ended.time)}`, why: reason };
}

function sourceChecks({ survey }: RecordingFindings): readonly Check[] {
  const { sources, link, linkLosses } = survey;
  const all = [...sources].map(([name, states]) => source(`source.${name}`, name, tellSource(states)));
  const nothing = sources.size === 0 ? [source('source', 'sources', unknown('none said how it fared'))] : [];
  return [source('link', 'link', tellLink(link, linkLosses)), ...all, ...nothing];
}

function tellLink(states: ReadonlyMap<string, Readonly<Stretches>>, losses: number): Told {
  const of = (state: string) => states.get(state)?.ms ?? 0;
  const down = of('lost') + of('failed') + of('connecting');
  const why = plain((states.get('failed') ?? states.get('lost'))?.reason);
  if (states.size === 0) return unknown('nothing tells of it');
  if (!states.has('up')) return { status: 'failed', found: `never up in ${spellDuration(down)}`, why };
  const up = `up for ${spellDuration(of('up'))}`;
  if (losses === 0) return { status: 'ok', found: `${up}, never lost` };
  return { status: 'warn', found: `${up}, lost ${spellCount(losses, 'time')} for ${spellDuration(down)}`, why };
}

function tellSource(states: SourceSurvey): Told {
  const total = [...states.values()].reduce((sum, { ms }) => sum + ms, 0);
  const live = states.get('live');
  const share = total > 0 ? `${percent((live?.ms ?? 0) / total)} of the time` : undefined;
  const bad = (['failed', 'stale', 'off'] as const).flatMap((status) => {
    const of = states.get(status);
    return of && of.ms > 0 ? [{ status, ...of }] : [];
  });
  if (!live) {
    const [worst] = bad;
    if (!worst) return unknown('nothing came from it', states.get('waiting')?.reason);
    return {
      status: worst.status === 'failed' ? 'failed' : 'note',
      found: `never live: ${worst.status}`,
      why: plain(worst.reason),
    };
  }
  const waiting = states.get('waiting');
  const found = [
    `live for ${spellDuration(live.ms)}`,
    ...(share === undefined ? [] : [share]),
    ...(waiting && waiting.ms >= 1000 ? [`waiting for ${spellDuration(waiting.ms)}`] : []),
  ].join(', ');
  if (bad.length === 0) return { status: 'ok', found };
  const told = bad.map(
    ({ status, ms, count }) => `${status} for ${spellDuration(ms)}${count > 1 ? ` (${count} times)` : ''}`,
  );
  const reasons = bad.flatMap(({ reason }) => plain(reason) ?? []);
  return {
    status: bad.every(({ status }) => status === 'off') ? 'note' : 'warn',
    found: `${found}; ${told.join(', ')}`,
    why: reasons.length > 0 ? reasons.join('; ') : undefined,
  };
}

function logChecks({ survey }: RecordingFindings): readonly Check[] {
  const log = checksOf('Log');
  return [...survey.logs].map(([name, { path, format, lines, gaps, errors }]) =>
    log(name, name, {
      status: gaps > 0 ? 'warn' : 'ok',
      found: `${path}: ${spellCount(lines, 'line')} (${format})${errors > 0 ? `, ${spellCount(errors, 'error')}` : ''}`,
      why: gaps > 0 ? `${spellCount(gaps, 'gap')}: lines that were not read, each named in its place` : undefined,
    }),
  );
}

function eventChecks({ survey, header }: RecordingFindings): readonly Check[] {
  const { events, captures } = survey;
  const kinds = [...events].map(([kind, { count, first, last, text }]) =>
    event(`event.${kind.replaceAll(' ', '-')}`, kind, {
      status: 'note',
      found: `${spellCount(count, 'time')}, ${count === 1 ? 'at' : 'first at'} ${spellTime(first)}${count === 1 ? '' : `, last at ${spellTime(last)}`}`,
      why: text === '' ? undefined : `${count === 1 ? '' : 'the last: '}${text}`,
    }),
  );
  const none = kinds.length === 0 ? [event('event', 'events', { status: 'ok', found: 'none' })] : [];
  const dumps =
    captures > 0
      ? [event('captures', 'captures', { status: 'note', found: `${spellCount(captures, 'dump')} of stacks` })]
      : [];
  const demo = header.demo;
  const truth = demo
    ? [event('truth', 'truth', { status: 'note', found: `simulated: scenario ${demo.scenario}, seed ${demo.seed}` })]
    : [];
  return [...kinds, ...none, ...dumps, ...truth];
}

function unknown(found: string, why?: string): Told {
  return { status: 'unknown', found, why: plain(why) };
}

function plain(reason: string | undefined): string | undefined {
  return reason === undefined ? undefined : endedReason(reason);
}

/** Not 100 % while something is missing. */
function percent(share: number): string {
  const value = share * 100;
  return `${value < 99.95 && value > 99 ? Math.min(99.9, value).toFixed(1) : Math.round(value)} %`;
}
