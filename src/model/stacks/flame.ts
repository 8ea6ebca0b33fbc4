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
  readonly frame?: StackFrame | undefined;
  readonly count: number;
  /** Its width: as `count`, or as time where rates differ. */
  readonly weight: number;
  /** Of the counts, those that end here. */
  readonly self: number;
  /** Of the weight, what ends here. */
  readonly selfWeight: number;
  /** Most of it is of this class. */
  readonly class: StackClass;
  readonly parent?: FlameNode | undefined;
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
  const root = createNode(undefined, undefined);
  /** Parents stand before their children. */
  const nodes = [root];
  const kindOf = createKinds(lines);
  const levelKinds = new Map<string, Kind>();
  for (const stack of stacks) {
    const { frames, count } = stack;
    let node = root;
    for (const level of levels) {
      const key = levelKey(stack, level);
      let kind = levelKinds.get(key);
      if (!kind) levelKinds.set(key, (kind = { label: levelLabel(stack, level) }));
      node = childOf(node, kind);
    }
    const last = frames.length - 1;
    for (let i = 0; i <= last; i++) {
      const frame = frames[order === 'outermost' ? last - i : i] as StackFrame;
      node = childOf(node, kindOf(frame), frame);
    }
    const weight = weightOf(stack);
    node.self += count;
    node.selfWeight += weight;
    addClass(node, stack.class, weight);
  }
  for (let i = nodes.length - 1; i >= 0; i--) finish(nodes[i] as Growing);
  return root;

  function childOf(parent: Growing, kind: Kind, frame?: StackFrame): Growing {
    const { children, next } = parent;
    if (next) {
      const known = next.get(kind);
      if (known) return known;
    } else {
      for (const child of children) if (child.key === kind) return child;
    }
    const node = createNode(kind, parent, frame);
    children.push(node);
    if (next) next.set(kind, node);
    else if (children.length > fewChildren) parent.next = new Map(children.map((child) => [child.key, child]));
    nodes.push(node);
    return node;
  }
}

/** What one node stands for, wherever it is: nodes of one kind have the same object. */
interface Kind {
  readonly label: string;
}

/** Gives each frame its kind: its function's, or its line's. */
function createKinds(lines: boolean): (frame: StackFrame) => Kind {
  const kinds = new Map<string, Kind>();
  return remembered((frame: StackFrame) => {
    if (lines) return { label: placeOf(frame) };
    const key = functionKey(frame);
    let kind = kinds.get(key);
    if (!kind) kinds.set(key, (kind = { label: functionPlace(frame) }));
    return kind;
  });
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
  readonly frame: StackFrame | undefined;
  readonly parent: Growing | undefined;
  readonly key: Kind | undefined;
  /** Its children by key, when they are many: most nodes have one, and a Map each would be most of the work. */
  next?: Map<Kind | undefined, Growing>;
  /** Weights by class, when there are several; else all of it is of `class`. */
  classes?: Map<StackClass, number>;
  classWeight: number;
}

/** All of a node in one literal: what is added to an object later is another object, and there are a hundred thousand. */
function createNode(key: Kind | undefined, parent: Growing | undefined, frame?: StackFrame): Growing {
  return {
    label: key?.label ?? 'all',
    key,
    parent,
    frame,
    count: 0,
    weight: 0,
    self: 0,
    selfWeight: 0,
    class: 'unknown',
    classWeight: 0,
    depth: parent ? parent.depth + 1 : 0,
    children: [],
  };
}

/** Its children are finished: what they have goes up. */
function finish(node: Growing) {
  node.count += node.self;
  node.weight += node.selfWeight;
  let most = 0;
  for (const [of, weight] of node.classes ?? []) {
    if (weight > most) [node.class, most] = [of, weight];
  }
  if (node.children.length > 1) node.children.sort((a, b) => b.weight - a.weight || (a.label < b.label ? -1 : 1));
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
