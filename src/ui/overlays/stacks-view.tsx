import type { ReactElement } from 'react';
import type { StacksSample } from '../../model/samples.ts';
import type { StackThread } from '../../model/stacks.ts';
import type { State } from '../../model/store.ts';
import { formatCpu } from '../parts/format.ts';
import { Frame, innerSize } from '../parts/frame.tsx';
import type { Line, Segment } from '../parts/line.ts';
import { lineWidth } from '../parts/render-line.ts';
import { cutText, fitText, plainText, wrapText } from '../parts/width.ts';
import type { StacksView as View } from '../ui-state.ts';
import { chosenStacks } from './selectors.ts';

interface StacksProps {
  readonly state: State;
  readonly view: View;
  readonly dumping: number | undefined;
  readonly width: number;
  readonly height: number;
}

/** The newest dump of a process: its threads, and the stack of the one under the cursor. */
export function StacksView({ state, view, dumping, width, height }: StacksProps): ReactElement {
  const inner = innerSize({ width, height });
  const stacks = chosenStacks(state, view.pid);
  const title = `Stacks of PID ${view.pid ?? stacks?.pid ?? '?'}`;
  if (!stacks) {
    const text = dumping === undefined ? 'No dump of this process was taken.' : 'The dump is under way …';
    return <Frame title={title} width={width} height={height} focused rows={[[{ text, tone: 'dim' }]]} />;
  }
  const rows = stacksLines({ state, stacks, view, ...inner });
  return <Frame title={title} note={noteOf(state, stacks)} width={width} height={height} focused rows={rows} />;
}

interface Input {
  readonly state: State;
  readonly stacks: StacksSample;
  readonly view: View;
  readonly width: number;
  readonly height: number;
}

/** The rows inside of the frame: side by side from 90 cells, else the list over the stack. */
function stacksLines(input: Input): readonly Line[] {
  const { stacks, view, width, height } = input;
  const failure =
    stacks.failure === undefined ? [] : wrapText(stacks.failure, width).map((text): Line => [{ text, tone: 'bad' }]);
  const saved: readonly Line[] =
    stacks.savedTo === undefined ? [] : [[{ text: 'saved to ', tone: 'dim' }, { text: stacks.savedTo }]];
  const { threads } = stacks;
  if (threads.length === 0) return [...failure, [], ...saved];
  const head = failure.slice(0, Math.max(1, Math.floor(height / 3)));
  const room = height - head.length - saved.length - (saved.length > 0 ? 1 : 0);
  const thread = threads[Math.min(view.thread, threads.length - 1)];
  const body = width >= 90 ? sideBySide(input, thread, room) : above(input, thread, room);
  const filled = Array.from({ length: room }, (_, i) => body[i] ?? []);
  return [
    ...head,
    ...filled,
    ...(saved.length > 0 ? [[{ text: '─'.repeat(width), tone: 'dim' } as const], ...saved] : []),
  ];
}

function sideBySide(input: Input, thread: StackThread | undefined, height: number): readonly Line[] {
  const listWidth = Math.min(58, Math.floor(input.width * 0.45));
  const list = threadList(input, listWidth, height);
  const stack = stackLines(thread, input.view.top, { width: input.width - listWidth - 3, height });
  return Array.from({ length: height }, (_, i) => {
    const left = list[i] ?? [];
    const blanks = ' '.repeat(Math.max(0, listWidth - lineWidth(left)));
    return [...left, { text: blanks }, { text: ' │ ', tone: 'dim' as const }, ...(stack[i] ?? [])];
  });
}

function above(input: Input, thread: StackThread | undefined, height: number): readonly Line[] {
  const listHeight = Math.max(2, Math.min(input.stacks.threads.length + 1, Math.floor(height / 2)));
  const list = threadList(input, input.width, listHeight);
  const size = { width: input.width, height: height - list.length - 1 };
  return [...list, [{ text: '─'.repeat(input.width), tone: 'dim' }], ...stackLines(thread, input.view.top, size)];
}

const tidWidth = 8;
const cpuWidth = 6;
const stateWidth = 7;

function threadList({ state, stacks, view }: Input, width: number, height: number): readonly Line[] {
  const nameWidth = Math.max(4, width - tidWidth - cpuWidth - stateWidth - 9);
  const cells = (name: string, tid: string, cpu: string, activity: string) =>
    [
      fitText(name, nameWidth),
      fitText(tid, tidWidth, 'right'),
      fitText(cpu, cpuWidth, 'right'),
      fitText(activity, stateWidth),
    ].join(' ');
  const known = knownThreads(state, stacks.pid);
  const room = height - 1;
  const first = Math.max(0, Math.min(view.thread - Math.floor(room / 2), stacks.threads.length - room));
  const rows = stacks.threads.slice(first, first + room).map((thread, i): Line => {
    const { name, tid, active, ownsGil } = thread;
    const here = first + i === Math.min(view.thread, stacks.threads.length - 1);
    const frame = tid === undefined ? undefined : known.get(tid);
    const text = cells(
      // A native thread that entered Python (autograd's) has no name there: the kernel's tells.
      name ?? frame?.comm ?? '?',
      tid === undefined ? '?' : String(tid),
      formatCpu(frame?.cpuPercent),
      active ? 'active' : 'idle',
    );
    const gil: Segment = { text: ownsGil ? ' GIL' : '    ', tone: here ? 'plain' : 'warn', inverse: here };
    const tone = active || here ? 'plain' : 'dim';
    return [{ text: here ? '▸ ' : '  ', tone: 'focus' }, { text, tone, inverse: here }, gil];
  });
  return [[{ text: `  ${cells('THREAD', 'TID', 'CPU %', 'STATE')}`, tone: 'strong' }], ...rows];
}

interface KnownThread {
  readonly comm: string | undefined;
  readonly cpuPercent: number | null | undefined;
}

/** The newest threads frame of one process, by TID. */
function knownThreads({ threads }: State, pid: number): ReadonlyMap<number, KnownThread> {
  const known = new Map<number, KnownThread>();
  threads?.tid.forEach((tid, row) => {
    if (threads.pid[row] === pid) known.set(tid, { comm: threads.comm[row], cpuPercent: threads.cpuPercent[row] });
  });
  return known;
}

function stackLines(
  thread: StackThread | undefined,
  top: number,
  size: { width: number; height: number },
): readonly Line[] {
  if (!thread) return [];
  const { frames } = thread;
  if (frames.length === 0) return [[{ text: 'no Python frames', tone: 'dim' }]];
  const room = size.height - 1;
  const first = Math.max(0, Math.min(top, frames.length - room));
  const more = frames.length - first - room;
  const count = `${frames.length} frames, innermost first${more > 0 ? `, ${more} more below` : ''}`;
  const rows = frames.slice(first, first + room).map((frame, i): Line => {
    const name = cutText(plainText(frame.function), Math.max(8, Math.floor(size.width / 2)));
    const place = `${frame.file}${frame.line === undefined ? '' : `:${frame.line}`}`;
    const left = size.width - lineWidth([{ text: name }]) - 2;
    return [
      { text: name, tone: first + i === 0 ? 'strong' : 'plain' },
      { text: `  ${endOf(place, left)}`, tone: 'dim' },
    ];
  });
  return [[{ text: cutText(count, size.width), tone: 'dim' }], ...rows];
}

/** The end of a path says more than its beginning. */
function endOf(path: string, width: number): string {
  const text = plainText(path);
  if (lineWidth([{ text }]) <= width) return text;
  return width > 1 ? `…${[...text].slice(-(width - 1)).join('')}` : '';
}

function noteOf({ committedAt }: State, { receivedAt, threads, failure }: StacksSample): string {
  const seconds = Math.max(0, Math.round((committedAt - receivedAt) / 1000));
  const count = `${threads.length} ${threads.length === 1 ? 'thread' : 'threads'}`;
  const what = failure !== undefined && threads.length === 0 ? 'no dump' : count;
  return `${what} · ${seconds < 2 ? 'just now' : `${seconds} s ago`}`;
}
