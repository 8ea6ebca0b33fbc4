import type { ThreadRow } from '../../model/thread-rows.ts';
import { farFromGpu, farWords } from '../../model/waits/far.ts';
import { lackSentences } from '../../model/waits/lacks.ts';
import { waitOf, type ThreadWait } from '../../model/waits/thread-wait.ts';
import { longWait, shortWait, shortWaitTime, waitTime } from '../../model/waits/words.ts';
import type { State } from '../../model/store.ts';
import { absent } from '../parts/format.ts';
import type { Line, Segment, Tone } from '../parts/line.ts';
import { dotted, rightCell } from '../parts/meter.ts';
import { clip, type Column } from '../parts/table.ts';
import { displayWidth, fitText } from '../parts/width.ts';

/** What each thread waits in, and for how long: what tells of a thread that does nothing why it does nothing. */
export function waitsColumn(state: State): Column<ThreadRow> {
  return {
    title: 'WAITS IN',
    width: 9,
    maxWidth: 26,
    priority: 5.5,
    cell(row, width) {
      const wait = ofRow(state, row);
      const word = wait && shortWait(wait);
      // A look is up to five seconds old: who runs now does not wait in what it waited in then.
      const isOver = row.state === 'R' && wait?.seconds === undefined;
      if (!wait || word === undefined || isOver) return { text: ' '.repeat(width) };
      const time = shortWaitTime(wait);
      const tone = waitTone(wait);
      if (time === undefined) return { text: fitText(word, width), tone };
      const room = Math.max(4, width - displayWidth(time) - 1);
      const kept = fitText(word, Math.min(room, displayWidth(word)));
      return { text: fitText(`${kept} ${time}`, width), tone };
    },
  };
}

/** The core it last ran on; `!` where that is far from the GPU of its process. */
export function coreCell(state: State, row: ThreadRow, width: number): Segment {
  const { core, group } = row;
  if (core === undefined) return rightCell(group ? '' : absent, width);
  return farOf(state, row) ? rightCell(`${core}!`, width, 'warn') : rightCell(String(core), width);
}

/** All that is known of what a thread waits in, in one line; empty for a group. */
export function waitDetail(state: State, row: ThreadRow, width: number): Line {
  if (row.group) return [];
  const wait = ofRow(state, row);
  const pieces: Segment[] = [{ text: `${row.name ?? row.comm} ${row.tid}`, tone: 'dim' }, doing(state, row, wait)];
  const far = farOf(state, row);
  if (far && row.core !== undefined) pieces.push({ text: farWords(far, row.core), tone: 'warn' });
  const switches = wait && switchWords(wait);
  if (switches !== undefined) pieces.push({ text: switches, tone: 'dim' });
  if (wait?.stack && wait.stack.length > 1) pieces.push({ text: wait.stack.join(' < '), tone: 'dim' });
  if (wait?.cpus !== undefined) pieces.push({ text: `may run on ${wait.cpus}`, tone: 'dim' });
  return clip(dotted(pieces), width);
}

function doing(state: State, row: ThreadRow, wait: ThreadWait | undefined): Segment {
  if (!wait) return { text: whyNothing(state, row), tone: 'dim' };
  const words = longWait(wait);
  const [lack] = lackSentences(state.waits?.lacks ?? {}, state.facts);
  if (words === undefined) {
    if (wait.state === 'R') return { text: 'runs', tone: 'ok' };
    return { text: lack ?? 'sleeps; what it waits in was not seen yet', tone: 'dim' };
  }
  const time = waitTime(wait);
  return { text: time === undefined ? `${words}, just now` : `${words} ${time}`, tone: waitTone(wait) };
}

function whyNothing({ waits, sources }: State, { life }: ThreadRow): string {
  if (life === 'gone') return 'gone';
  if (waits) return 'ran since it was looked at';
  const reason = sources.get('waits')?.reason;
  return reason === undefined ? 'what it waits in is not read yet' : `what it waits in is not known: ${reason}`;
}

function switchWords({ voluntaryPerSecond: given, involuntaryPerSecond: taken }: ThreadWait): string | undefined {
  if (given === undefined || taken === undefined || given + taken === 0) return undefined;
  return `switches ${perSecond(given)} voluntary, ${perSecond(taken)} involuntary`;
}

const perSecond = (count: number) => `${count < 10 ? count.toFixed(1) : Math.round(count)}/s`;

/** D is worth a look, a stopped thread more. A thread that sleeps in peace is most of them. */
function waitTone({ state, seconds }: ThreadWait): Tone {
  if (state === 'T' || state === 't') return 'bad';
  if (state === 'D' || state === 'R') return 'warn';
  return seconds === undefined ? 'dim' : 'plain';
}

/** Undefined too for one that has run since the look: the frames of CPU times come more often. */
function ofRow(state: State, row: ThreadRow): ThreadWait | undefined {
  if (row.group || row.life === 'gone') return undefined;
  const wait = waitOf(state.waits, row);
  return wait && hasRunSince(state, { row, wait }) ? undefined : wait;
}

function hasRunSince(
  { threads, waits }: State,
  { row, wait }: { readonly row: ThreadRow; readonly wait: ThreadWait },
): boolean {
  if (!threads || !waits || wait.seconds === undefined || (row.cpuPercent ?? 0) === 0) return false;
  const from = threads.time - (threads.intervalSeconds ?? 0) * 1000;
  return threads.time > waits.time && from >= waits.time - wait.seconds * 1000;
}

function farOf(state: State, row: ThreadRow) {
  const { pid, core, cpuPercent, group } = row;
  return group ? undefined : farFromGpu(state, { pid, core, cpuPercent, cpus: waitOf(state.waits, row)?.cpus });
}
