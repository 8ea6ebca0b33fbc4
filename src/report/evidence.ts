import { captureTitle } from '../model/capture-words.ts';
import { rankText } from '../model/ranges.ts';
import { roleFinder } from '../model/roles/finder.ts';
import type { BlackBoxSample, CaptureResult, CaptureSample } from '../model/samples.ts';
import { foldResults, type Folded } from '../model/stacks/fold.ts';
import { groupStacks } from '../model/stacks/group.ts';
import { oddRanks, type RankGroup } from '../model/stacks/odd-ranks.ts';
import { placeOf } from '../model/stacks/search.ts';
import type { StackFrame } from '../model/stacks.ts';
import type { State } from '../model/state.ts';
import type { Recording } from '../recording/recording.ts';
import type { EvidenceOf, StackGroupOf } from './data.ts';
import { stateAt } from './state-at.ts';

const mostGroups = 12;
const mostFrames = 24;
const mostCaptures = 6;
/** A result may be told a little after its capture. */
const lateMs = 2000;

/** The black boxes, and the newest captures besides, oldest first. */
export async function readEvidence(recording: Recording, end: State, span: { from: number; to: number }) {
  const inSpan = ({ startedAt }: { readonly startedAt: number }) => startedAt >= span.from && startedAt <= span.to;
  const boxes = end.blackBoxes.filter(inSpan);
  const taken = new Set(boxes.flatMap(({ captures }) => captures));
  const others = end.captures.filter((each) => inSpan(each) && !taken.has(each.id)).slice(0, mostCaptures);
  const made: EvidenceOf[] = [];
  for (const box of boxes)
    made.push(boxOf(box, await knows(recording, end, box.captures, box.endedAt ?? box.startedAt)));
  for (const capture of others) {
    if (capture.state !== 'done' && capture.state !== 'partial') continue;
    made.push(captureOf(capture, await knows(recording, end, [capture.id], capture.endedAt ?? capture.startedAt)));
  }
  return made.sort((a, b) => a.at - b.at);
}

/** The state that has their results: those of old captures are no more in that of the end. */
async function knows(recording: Recording, end: State, captures: readonly string[], at: number): Promise<State> {
  const has = (state: State) => captures.filter((id) => resultsOf(state, [id]).length > 0).length;
  if (captures.length === 0 || has(end) === captures.length) return end;
  const then = await stateAt(recording, at + lateMs);
  return has(then) > has(end) ? then : end;
}

function resultsOf(state: State, captures: readonly string[]): readonly CaptureResult[] {
  return state.results.filter(({ capture }) => capture !== undefined && captures.includes(capture));
}

function boxOf(box: BlackBoxSample, state: State): EvidenceOf {
  const { id: _, startedAt, reason, parts, folder, alarm, captures } = box;
  // One capture is what all ranks did at one time; several of the same ranks would be counted twice.
  const [id] = captures.filter((each) => resultsOf(state, [each]).length > 0);
  return {
    ...{ at: startedAt, title: 'Black box', reason, parts },
    ...stacksOf(state, id === undefined ? [] : resultsOf(state, [id])),
    notes: [
      ...(box.state === 'partial' ? ['Something of it could not be had; its part says what.'] : []),
      ...(box.state === 'taking' ? ['It was still being taken when the recording ended.'] : []),
      ...(captures.length > 1 ? [`It holds ${captures.length} captures; the stacks are those of the first.`] : []),
      ...(captures.length > 0 && id === undefined ? ['The stacks are not in this recording.'] : []),
    ],
    ...(folder !== undefined && { folder }),
    ...(alarm !== undefined && { alarm }),
  };
}

function captureOf(capture: CaptureSample, state: State): EvidenceOf {
  return {
    ...{ at: capture.startedAt, title: `Capture: ${captureTitle(capture, state.run?.run)}`, parts: [] },
    ...stacksOf(state, resultsOf(state, [capture.id])),
    notes: capture.notes.slice(0, 8),
  };
}

function stacksOf(state: State, results: readonly CaptureResult[]): Pick<EvidenceOf, 'finding' | 'groups'> {
  if (results.length === 0) return { groups: [] };
  const { threadNames, threads, run } = state;
  const folded = foldResults(results, {
    run: run?.run,
    threadNames,
    threads,
    roleOf: roleFinder(state),
  });
  const finding = findingOf(folded);
  return { ...(finding !== undefined && { finding }), groups: groupsOf(folded) };
}

/** `Rank 5 is in acquire (data/cache.py:57); 7 ranks (0-4, 6, 7) are in all_reduce (...).` */
function findingOf(folded: Folded): string | undefined {
  const found = oddRanks(folded).find(({ odd }) => odd.length > 0);
  if (!found) return undefined;
  const said = found.groups.map(
    (group) => `${ranksText(group.ranks)} ${group.ranks.length === 1 ? 'is' : 'are'} ${where(group)}`,
  );
  const text = said.join('; ');
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}

function where({ stacks: [stack] }: RankGroup): string {
  if (!stack) return 'without such a thread';
  const frame = tellingFrame(stack.frames);
  return `in ${frame ? placeOf(frame) : 'no known frame'}${stack.class === 'unknown' ? '' : `: ${stack.class}`}`;
}

/** The innermost that a reader knows: libraries' own names before machine code. */
function tellingFrame(frames: readonly StackFrame[]): StackFrame | undefined {
  return (
    frames.find(
      ({ function: name, native }) => !native && /all_reduce|all_gather|reduce_scatter|broadcast|barrier/.test(name),
    ) ??
    frames.find(({ native }) => !native) ??
    frames[0]
  );
}

function groupsOf(folded: Folded): readonly StackGroupOf[] {
  const roles = groupStacks(folded, 'role');
  const all = roles.flatMap(({ key, stacks }) =>
    stacks.filter(({ frames }) => frames.length > 0).map((stack) => ({ key, stack })),
  );
  const isMain = (key: string) => Number(key === 'main');
  return all
    .sort((a, b) => isMain(b.key) - isMain(a.key) || b.stack.count - a.stack.count)
    .slice(0, mostGroups)
    .map(({ key, stack }) => ({
      who: stack.ranks.length > 0 ? ranksText(stack.ranks) : pidsText(stack.of.map(({ pid }) => pid)),
      role: key,
      class: stack.class,
      count: stack.count,
      frames: [
        ...stack.frames.slice(0, mostFrames).map(placeOf),
        ...(stack.frames.length > mostFrames ? [`and ${stack.frames.length - mostFrames} more`] : []),
      ],
    }));
}

function pidsText(pids: readonly number[]): string {
  const all = [...new Set(pids)].sort((a, b) => a - b);
  return `PID ${all.slice(0, 8).join(', ')}${all.length > 8 ? `, and ${all.length - 8} more` : ''}`;
}

function ranksText(ranks: readonly number[]): string {
  return ranks.length > 1 ? `${ranks.length} ranks (${rankText(ranks).replace(/^ranks? /, '')})` : rankText(ranks);
}
