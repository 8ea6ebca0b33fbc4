import type { StackClass } from '../classes/names.ts';
import type { StackFrame } from '../stacks.ts';
import type { FoldedStack } from './fold.ts';
import { functionKey } from './intern.ts';
import { placeOf } from './search.ts';
import { weightOf } from './weight.ts';

/** From which end stacks are read: outermost first is who called, innermost first is what ran. */
export type FrameOrder = 'outermost' | 'innermost';

/** What stands above the frames of a flame tree. */
export type FlameLevel = 'process' | 'role' | 'thread';

/** A frame in its place: all stacks that went through it. */
export interface FlameNode {
  /** `all`, a role, a thread or a frame. */
  readonly label: string;
  /** Absent above the frames, and of what is put together for lack of room. */
  readonly frame?: StackFrame;
  readonly count: number;
  /** Its width: as `count`, or as time where rates differ. */
  readonly weight: number;
  /** Of the counts, those that end here. */
  readonly self: number;
  /** Of the weight, what ends here. */
  readonly selfWeight: number;
  /** Most of it is of this class. */
  readonly class: StackClass;
  readonly parent?: FlameNode;
  /** 0 for the root. */
  readonly depth: number;
  /** The largest first. */
  readonly children: readonly FlameNode[];
}

/** How a flame tree is made. */
export interface FlameOptions {
  readonly order?: FrameOrder;
  /** Above the frames, from the root on; roles unless said. */
  readonly levels?: readonly FlameLevel[];
  /** Each line of a function is a node of its own; else its lines are put together. */
  readonly lines?: boolean;
}

/** Puts stacks together from one end on. */
export function flameTree(stacks: readonly FoldedStack[], options: FlameOptions = {}): FlameNode {
  const { order = 'outermost', levels = ['role'], lines = false } = options;
  const root = createNode('all');
  /** Parents stand before their children. */
  const nodes = [root];
  const keys = new Map<StackFrame, string | StackFrame>();
  for (const stack of stacks) {
    const { frames, count } = stack;
    let node = root;
    for (const level of levels) node = childOf(node, levelKey(stack, level), () => levelLabel(stack, level));
    const last = frames.length - 1;
    for (let i = 0; i <= last; i++) {
      const frame = frames[order === 'outermost' ? last - i : i] as StackFrame;
      let key = keys.get(frame);
      if (key === undefined) keys.set(frame, (key = lines ? frame : functionKey(frame)));
      node = childOf(node, key, lines ? placeOf : functionPlace, frame);
    }
    const weight = weightOf(stack);
    node.self += count;
    node.selfWeight += weight;
    node.classes.set(stack.class, (node.classes.get(stack.class) ?? 0) + weight);
  }
  for (const node of nodes.toReversed()) finish(node);
  return root;

  function childOf(
    parent: Growing,
    key: string | StackFrame,
    label: (frame: StackFrame) => string,
    frame?: StackFrame,
  ): Growing {
    const known = parent.next.get(key);
    if (known) return known;
    const node = createNode(label(frame as StackFrame), parent, frame);
    parent.next.set(key, node);
    parent.children.push(node);
    nodes.push(node);
    return node;
  }
}

interface Growing extends FlameNode {
  count: number;
  weight: number;
  self: number;
  selfWeight: number;
  class: StackClass;
  readonly children: Growing[];
  readonly parent?: Growing;
  readonly next: Map<string | StackFrame, Growing>;
  readonly classes: Map<StackClass, number>;
}

function createNode(label: string, parent?: Growing, frame?: StackFrame): Growing {
  return {
    label,
    ...(frame && { frame }),
    count: 0,
    weight: 0,
    self: 0,
    selfWeight: 0,
    class: 'unknown',
    ...(parent && { parent }),
    depth: parent ? parent.depth + 1 : 0,
    children: [],
    next: new Map(),
    classes: new Map(),
  };
}

/** Its children are finished: what they have goes up. */
function finish(node: Growing) {
  node.count += node.self;
  node.weight += node.selfWeight;
  let most = 0;
  for (const [of, weight] of node.classes) {
    if (weight > most) [node.class, most] = [of, weight];
  }
  node.children.sort((a, b) => b.weight - a.weight || (a.label < b.label ? -1 : 1));
  const { parent } = node;
  if (!parent) return;
  parent.count += node.count;
  parent.weight += node.weight;
  for (const [of, weight] of node.classes) parent.classes.set(of, (parent.classes.get(of) ?? 0) + weight);
}

function functionPlace({ function: name, file }: StackFrame): string {
  return `${name} (${file})`;
}

function levelKey({ pid, tid, thread, role }: FoldedStack, level: FlameLevel): string {
  if (level === 'role') return role;
  return level === 'process' ? `${pid}` : `${pid}:${tid ?? thread}`;
}

function levelLabel({ pid, rank, tid, thread, role }: FoldedStack, level: FlameLevel): string {
  if (level === 'role') return role;
  if (level === 'thread') return tid === undefined ? thread : `${thread} (TID ${tid})`;
  return rank === undefined ? `PID ${pid}` : `rank ${rank} (PID ${pid})`;
}
