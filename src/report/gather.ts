import { leader, rankCount, shortCommand } from '../model/run-words.ts';
import type { EventSample } from '../model/samples.ts';
import type { State } from '../model/state.ts';
import { unreadable } from '../recording/play-faults.ts';
import type { Recording } from '../recording/recording.ts';
import type { Ending, GpuOf, Happened, Loss, ReportData, RunOf, Steps } from './data.ts';
import { readEvidence } from './evidence.ts';
import { lossesOf } from './losses.ts';
import { paceOf } from './pace.ts';
import { at, readSlots, valuesIn, type Slots } from './slots.ts';
import { stagesOf } from './stages.ts';
import { readTold } from './state-at.ts';
import { stoodIn } from './stood.ts';
import { troublesIn } from './troubles.ts';
import { median } from './words.ts';
import { worstOf } from './worst.ts';

/** Reads of a recording, or of a part of it, what a report says. Rejects with what the file system says. */
export async function gatherReport(
  recording: Recording,
  part: { readonly from?: number; readonly to?: number } = {},
): Promise<ReportData> {
  const whole = { from: recording.from, to: recording.to };
  const from = Math.max(whole.from, part.from ?? -Infinity);
  const to = Math.min(whole.to, part.to ?? Infinity);
  const span = { from, to };
  const { end, spans: told, alarms, withoutAlarms } = await readTold(recording, span);
  const { spans, still } = await stoodIn(recording, told, from);
  const slots = await readSlots(recording, span);
  const events = recording.events.filter(
    (each): each is Happened => each.kind !== 'alarm' && each.time >= from && each.time <= to,
  );
  const gpus = gpusOf(end);
  const runGpus = gpusOfRun(end, gpus);
  const ending = endingOf(events, end);
  const runTo = ending?.at ?? to;
  const factor = end.throughput.tokensScope === 'gpu' ? Math.max(1, runGpus.length) : 1;
  const pace = paceOf(slots, { spans, still, factor, span: { from, to: runTo } });
  const holes = recording.holes.filter((hole) => hole.to > from && hole.from < to);
  const begin = runBegan(events, end);
  const losses = lossesOf({ slots, spans, still, pace, gpus: runGpus, runFrom: begin ?? from, runTo, holes, span });
  const troubles = troublesIn({ spans, losses, slots, runTo });
  const steps = stepsOf(slots);
  const loss = lossOf(slots);
  const run = runOf(end);
  const worst = await worstOf({ recording, slots, losses, pace, span, runTo });
  const stages = stagesOf({ slots, troubles, span: { from, to: runTo } });
  const evidence = await readEvidence(recording, end, span);
  const isWritten = await recording.isWritten();
  const unread = unreadable(recording);
  return {
    ...{ path: recording.path, header: recording.header, from, to, whole, isWritten },
    ...(run && { run }),
    runs: 1 + events.filter((each) => each.kind === 'event' && each.event === 'run restarted').length,
    ...{ gpus, runGpus, slots, spans, troubles, events, alarms, evidence, holes, end },
    ...(pace && { pace }),
    ...(steps && { steps }),
    ...(loss && { loss }),
    ...(losses && { losses }),
    ...(worst && { worst }),
    ...(stages && { stages }),
    queues: [...slots.series.keys()].filter((name) => name.startsWith('queue/')),
    ...(ending && { ending }),
    missing: [
      ...(run ? [] : ['No run was found in this recording.']),
      ...(pace
        ? []
        : ['The log told no speed: GPU-hours are judged by whether GPUs worked, and there is no curve of it.']),
      ...(steps ? [] : ['The log told no steps.']),
      ...(gpus.length > 0 ? [] : ['No GPU was seen, so none was lost.']),
      ...(spans.length > 0 ? [] : ['No verdicts were kept in this recording; `traintop diagnose` judges it anew.']),
      ...(withoutAlarms ? ['No alarms were kept in this recording: it was made before there were any.'] : []),
      ...(unread === undefined ? [] : [unread]),
    ],
  };
}

function gpusOf({ gpus }: State): readonly GpuOf[] {
  if (!gpus) return [];
  return gpus.uuid
    .map((uuid, row): GpuOf => {
      const name = gpus.name[row];
      return { uuid, index: gpus.index[row] ?? row, ...(name != null && { name }) };
    })
    .sort((a, b) => a.index - b.index);
}

/** Those that the run has open; all, where nobody tells. */
function gpusOfRun({ run, facts }: State, gpus: readonly GpuOf[]): readonly GpuOf[] {
  const minors = new Set(run?.run?.processes.flatMap(({ gpuMinors }) => gpuMinors));
  const known = facts?.nvidia?.minors;
  const own = gpus.filter(({ uuid, index }) => minors.has(known?.[uuid] ?? index));
  return own.length > 0 ? own : gpus;
}

function runOf({ run }: State): RunOf | undefined {
  if (!run?.run) return undefined;
  const first = leader(run.run);
  const started = run.run.processes.flatMap(({ startTime }) => startTime ?? []);
  const command = first ? shortCommand(first.commandLine) : '';
  return {
    title: command.split(' ')[0] || `PID ${run.run.rootPid}`,
    command,
    pid: run.run.rootPid,
    ranks: rankCount(run.run),
    ...(started.length > 0 && { startedAt: Math.min(...started) }),
  };
}

function runBegan(events: readonly Happened[], end: State): number | undefined {
  const began = events.find(isOf('run started'))?.time;
  const known = runOf(end)?.startedAt;
  return began !== undefined && known !== undefined ? Math.min(began, known) : (known ?? began);
}

const isOf =
  (...kinds: readonly EventSample['event'][]) =>
  (each: Happened): each is EventSample =>
    each.kind === 'event' && kinds.includes(each.event);

/** What ended a run, in the words behind `ended at 03:22`; the first that is found counts. */
const reasons = [
  ['NCCL timeout', " by NCCL's watchdog"],
  ['oom kill', ' because the kernel killed it for memory'],
  ['out of memory', ' out of memory'],
  ['job cancelled', ' because its job was cancelled'],
  ['gpu lost', ' after a GPU was lost'],
  ['gpu error', ' after an error of a GPU'],
  ['signal', ' after a signal'],
  ['training end', ' when the training was done'],
  ['rank exit', ' after a rank had exited'],
  ['loss not finite', ' after the loss was no number any more'],
] as const;
/** Ranks take some time to go. */
const reasonMs = 5 * 60_000;

function endingOf(events: readonly Happened[], end: State): Ending | undefined {
  const last = events.findLast(isOf('run ended', 'run started', 'run restarted'));
  if (last?.event !== 'run ended' && end.run?.phase !== 'ended') return undefined;
  const ended = events.findLast(isOf('run ended'));
  const time = ended?.time ?? end.phaseSince ?? end.run?.time;
  if (time === undefined) return undefined;
  const before = events.filter((each) => each.time <= time + 60_000 && each.time > time - reasonMs);
  const reason = reasons.find(([kind]) => before.some(isOf(kind)));
  return { at: time, by: reason?.[1] ?? '' };
}

function stepsOf(slots: Slots): Steps | undefined {
  const series = slots.series.get('log/step');
  const known = series ? [...series.mean.keys()].filter((i) => Number.isFinite(series.mean[i])) : [];
  const [first, last] = [known[0], known.at(-1)];
  if (!series || first === undefined || last === undefined) return undefined;
  let done = at(series.high, first) - at(series.low, first);
  let restarts = 0;
  for (const [n, i] of known.entries()) {
    const before = known[n - 1];
    if (before === undefined) continue;
    const grown = at(series.high, i) - at(series.high, before);
    const fell = grown < 0 || at(series.low, i) < at(series.low, before);
    done += fell ? at(series.high, i) - at(series.low, i) : grown;
    if (fell) restarts++;
  }
  const told = median(valuesIn(slots.series.get('log/stepSeconds')?.mean));
  const perSecond = median(valuesIn(slots.series.get('log/iterationsPerSecond')?.mean));
  const seconds = told ?? (perSecond === undefined || perSecond === 0 ? undefined : 1 / perSecond);
  return {
    ...{ done, restarts, first: at(series.low, first), last: at(series.high, last) },
    lastAt: slots.from + (last + 1) * slots.slotMs,
    ...(seconds !== undefined && { seconds }),
  };
}

function lossOf({ series, from, slotMs }: Slots): Loss | undefined {
  const loss = series.get('log/loss');
  const values = valuesIn(loss?.mean);
  const [first, last] = [values[0], values.at(-1)];
  if (!loss || first === undefined || last === undefined) return undefined;
  const lastSlot = loss.mean.findLastIndex(Number.isFinite);
  const lost = loss.odd.findIndex((n, i) => i > lastSlot && n > 0);
  return {
    ...{ first, last, lowest: Math.min(...valuesIn(loss.low)), odd: loss.odd.reduce((sum, n) => sum + n, 0) },
    ...(lost >= 0 && { oddSince: from + lost * slotMs }),
  };
}
