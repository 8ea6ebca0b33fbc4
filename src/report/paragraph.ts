import { situationWords } from '../model/diagnosis/words.ts';
import type { ReportData, Trouble } from './data.ts';
import { standing } from './pace.ts';
import { hours, lasting, percent, plain, short, whole, type Times } from './words.ts';

/** Verdicts are told every few seconds. */
const lastMs = 15_000;
/** Stretches that are told one by one. */
const mostStands = 3;

/** What the run did, in a paragraph of sentences that each follow from figures of the report. */
export function paragraphOf(data: ReportData, times: Times): string {
  return [
    who(data, times),
    done(data),
    odd(data, times),
    ...stood(data, times),
    links(data),
    ended(data, times),
    cost(data),
  ]
    .filter((text) => text !== '')
    .join(' ');
}

function who({ run, end, header, from, to, runs, isWritten }: ReportData, times: Times): string {
  const host = end.facts?.hostname ?? header.hostname ?? header.target;
  const watched = `was watched for ${lasting(to - from)}, from ${times.date(from)} to ${times.clock(to)}`;
  if (!run) return `The host ${host} ${watched}; no run was found there.`;
  const ranks = run.ranks > 1 ? `, ${run.ranks} ranks` : '';
  const since = run.startedAt === undefined ? '' : ` began at ${times.date(run.startedAt)} and`;
  const more = isWritten ? ' (the recording is still being written)' : '';
  const again = runs > 1 ? ` It was started ${runs} times; this is of the last and those before it.` : '';
  return `${run.title} on ${host} (PID ${run.pid}${ranks})${since} ${watched}${more}.${again}`;
}

function done({ steps, pace, loss }: ReportData): string {
  const did = [
    ...(steps
      ? [steps.done === 0 ? 'not one step' : `${whole(steps.done)} ${steps.done === 1 ? 'step' : 'steps'}`]
      : []),
    ...(pace && pace.unit !== 'steps' && pace.total >= 1 ? [`about ${short(pace.total)} ${pace.unit}`] : []),
  ].join(' and ');
  const speed =
    pace && Number.isFinite(pace.median)
      ? `${did === '' ? 'It ran' : ''} at a median of ${short(pace.median)} ${pace.unit}/s`
      : '';
  const first = did === '' ? speed : `It did ${did}${speed}`;
  const fell = loss && loss.first !== loss.last ? `the loss went from ${plain(loss.first)} to ${plain(loss.last)}` : '';
  if (first === '') return fell === '' ? '' : `${fell[0]?.toUpperCase()}${fell.slice(1)}.`;
  return `${first}${fell === '' ? '' : `; ${fell}`}.`;
}

/** A single one is of one step; what stays so spoils all that comes after. */
function odd({ loss, ending, to, runGpus }: ReportData, times: Times): string {
  if (!loss || loss.odd === 0) return '';
  const { oddSince: since } = loss;
  if (since === undefined) return `The loss was not a number ${loss.odd === 1 ? 'once' : `${whole(loss.odd)} times`}.`;
  const until = ending?.at ?? to;
  const spent = (Math.max(0, until - since) / 3_600_000) * runGpus.length;
  const of = spent > 0 ? `: ${hours(spent)} GPU-hours that trained nothing of use` : '';
  return `From ${times.exact(since)} to the end the loss was not a number${of}.`;
}

function links({ events }: ReportData): string {
  const lost = events.filter((each) => each.kind === 'event' && each.event === 'link lost').length;
  if (lost === 0) return '';
  return `The connection to the host was lost ${lost === 1 ? 'once' : `${lost} times`}; what the run did meanwhile was not seen.`;
}

function stood({ troubles, runGpus }: ReportData, times: Times): readonly string[] {
  const ofEnd = ({ span }: Trouble) => span.situation !== 'dead';
  const stands = troubles.filter((each) => standing.has(each.span.situation) && ofEnd(each));
  const told = stands
    .slice(0, mostStands)
    .map(({ span }) => `It stood from ${times.exact(span.from)} to ${times.exact(span.until)} ${standWords(span)}.`);
  const rest = stands.length - told.length;
  const slow = troubles
    .filter((each) => !standing.has(each.span.situation) && each.lost > 0)
    .sort((a, b) => b.lost - a.lost)[0];
  return [
    ...told,
    ...(rest > 0 ? [`It stood ${rest} more ${rest === 1 ? 'time' : 'times'}.`] : []),
    ...(slow && runGpus.length > 0
      ? [
          `From ${times.exact(slow.span.from)} to ${times.exact(slow.span.until)} it was slowed: ${situationWords[slow.span.situation].name}${scope(slow)}, which cost ${hours(slow.lost)} GPU-hours.`,
        ]
      : []),
  ];
}

function standWords({ situation, scope: of }: Trouble['span']): string {
  const rank = /^(ranks? .*) missing$/.exec(of)?.[1];
  if (situation === 'collective-hang')
    return rank === undefined ? 'in a collective hang' : `in a collective hang: ${rank} never came`;
  return situation === 'stalled' ? 'without any progress' : `(${situationWords[situation].name})`;
}

function scope({ span }: Trouble): string {
  return span.scope === '' ? '' : ` (${span.scope})`;
}

function ended({ ending, isWritten, run, troubles, to }: ReportData, times: Times): string {
  if (ending) return `It ended at ${times.exact(ending.at)}${ending.by}.`;
  if (!run) return '';
  const stands = troubles.some(({ span }) => standing.has(span.situation) && to - span.until <= lastMs);
  if (stands) return `It still stood so ${isWritten ? 'at the end of this report' : 'when the recording ended'}.`;
  return isWritten ? '' : 'It was still running when the recording ended.';
}

function cost({ losses, loss }: ReportData): string {
  if (!losses) return '';
  const after = losses.causes.find(({ key }) => key === 'after the end')?.hours ?? 0;
  const lost = losses.lost - after;
  const idle = after > 0 ? `; after its end the GPUs stood idle for ${hours(after)} more` : '';
  const total = hours(losses.total - after);
  if (lost === 0 && loss?.oddSince !== undefined)
    return `Its speed was as ever: none of its ${total} GPU-hours was lost to waiting${idle}.`;
  if (lost === 0) return `None of its ${total} GPU-hours was lost${idle}.`;
  const [most] = losses.causes.filter(({ key }) => key !== 'after the end' && key !== 'not known');
  const to =
    most && most.hours < 0.95 * lost && most.hours > 0.005 ? `, ${hours(most.hours)} of them to ${most.words}` : '';
  const share = percent(lost / (losses.total - after));
  return `${hours(lost)} of ${total} GPU-hours were lost (${share})${to}${idle}.`;
}
