import type { StackClass } from '../classes/names.ts';
import type { StackFrame } from '../stacks.ts';
import type { FoldedStack } from './fold.ts';
import { functionKey } from './intern.ts';
import { placeOf, remembered } from './search.ts';
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
  const root = createNode('all', '');
  /** Parents stand before their children. */
  const nodes = [root];
  const keyOf = remembered((frame: StackFrame): string | StackFrame => (lines ? frame : functionKey(frame)));
  const labelOf = remembered(lines ? placeOf : functionPlace);
  for (const stack of stacks) {
    const { frames, count } = stack;
    let node = root;
    for (const level of levels) node = childOf(node, levelKey(stack, level), () => levelLabel(stack, level));
    const last = frames.length - 1;
    for (let i = 0; i <= last; i++) {
      const frame = frames[order === 'outermost' ? last - i : i] as StackFrame;
      node = childOf(node, keyOf(frame), labelOf, frame);
    }
    const weight = weightOf(stack);
    node.self += count;
    node.selfWeight += weight;
    addClass(node, stack.class, weight);
  }
  for (const node of nodes.toReversed()) finish(node);
  return root;

  function childOf(
    parent: Growing,
    key: string | StackFrame,
    label: (frame: StackFrame) => string,
    frame?: StackFrame,
  ): Growing {
    const known = parent.next ? parent.next.get(key) : parent.children.find((child) => child.key === key);
    if (known) return known;
    const node = createNode(label(frame as StackFrame), key, parent, frame);
    parent.children.push(node);
    if (parent.next) parent.next.set(key, node);
    else if (parent.children.length > fewChildren)
      parent.next = new Map(parent.children.map((child) => [child.key, child]));
    nodes.push(node);
    return node;
  }
}

/** More children than that are not searched one by one. */
const fewChildren = 8;

interface Growing extends FlameNode {
  count: number;
  weight: number;
  self: number;
  selfWeight: number;
  class: StackClass;
  readonly children: Growing[];
  frame?: StackFrame;
  parent?: Growing;
  readonly key: string | StackFrame;
  /** Its children by key, when they are many: most nodes have one, and a Map each would be most of the work. */
  next?: Map<string | StackFrame, Growing>;
  /** Weights by class, when there are several; else all of it is of `class`. */
  classes?: Map<StackClass, number>;
  classWeight: number;
}

function createNode(label: string, key: string | StackFrame, parent?: Growing, frame?: StackFrame): Growing {
  const node: Growing = {
    label,
    key,
    count: 0,
    weight: 0,
    self: 0,
    selfWeight: 0,
    class: 'unknown',
    classWeight: 0,
    depth: parent ? parent.depth + 1 : 0,
    children: [],
  };
  if (frame) node.frame = frame;
  if (parent) node.parent = parent;
  return node;
}

/** Its children are finished: what they have goes up. */
function finish(node: Growing) {
  node.count += node.self;
  node.weight += node.selfWeight;
  let most = 0;
  for (const [of, weight] of node.classes ?? []) {
    if (weight > most) [node.class, most] = [of, weight];
  }
  node.children.sort((a, b) => b.weight - a.weight || (a.label < b.label ? -1 : 1));
  const { parent } = node;
  if (!parent) return;
  parent.count += node.count;
  parent.weight += node.weight;
  if (node.classes) for (const [of, weight] of node.classes) addClass(parent, of, weight);
  else addClass(parent, node.class, node.classWeight);
}

function addClass(node: Growing, of: StackClass, weight: number) {
  if (node.classes) {
    node.classes.set(of, (node.classes.get(of) ?? 0) + weight);
  } else if (node.classWeight === 0 || node.class === of) {
    node.class = of;
    node.classWeight += weight;
  } else {
    node.classes = new Map([
      [node.class, node.classWeight],
      [of, weight],
    ]);
  }
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
