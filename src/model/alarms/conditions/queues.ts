import { nothing, standing, type Finding, type MakeCondition } from '../condition.ts';
import { figure } from '../words.ts';
import type { World } from '../world.ts';

const windowMs = 60_000;
/** What is usual is learned of so many looks, one each ten seconds, and of the newest hour of them. */
const lookMs = 10_000;
const fewestLooks = 12;
const mostLooks = 360;
/** So often is usual. */
const often = 0.5;
/** Below it of the usual speed the queue costs something. */
const costs = 0.9;
const mostQueues = 16;

type Side = 'empty' | 'full';
const sides: readonly Side[] = ['empty', 'full'];

interface Queue {
  /** Looks by what they found, oldest first. */
  looks: ('empty' | 'full' | 'between')[];
  lookedAt: number;
}

/** A queue that stands empty, or full, and costs speed. */
export const queues: MakeCondition = (ruleOf) => {
  const known = new Map<string, Queue>();
  let isHeld = false;

  function share({ looks }: Queue, side: Side): number {
    let count = 0;
    for (const each of looks) if (each === side) count++;
    return count / looks.length;
  }

  function ofQueue(name: string, now: number, { fill, speed, pause, log }: World): readonly Finding[] {
    const filled = fill(name, now - windowMs, now);
    let queue = known.get(name);
    if (!queue && known.size < mostQueues) known.set(name, (queue = { looks: [], lookedAt: -Infinity }));
    if (!filled || !queue || pause) return nothing;
    const speedNow = speed.look(now);
    const isSlower = speedNow !== undefined && speedNow.now < costs * speedNow.usual && speedNow.now < speedNow.lowest;
    let [isOdd, mayBeOdd] = [false, false];
    const found: Finding[] = [];
    for (const side of sides) {
      const rule = ruleOf(`queue-${side}`);
      const value = filled[side];
      const isUsual = queue.looks.length < fewestLooks || share(queue, side) >= often;
      const stands = standing(value, rule);
      const is = stands === 'beyond' && (isUsual || !isSlower) ? 'between' : stands;
      isOdd ||= is === 'beyond';
      mayBeOdd ||= stands === 'beyond' && !isUsual;
      if (rule.off) continue;
      found.push({
        ...{ alarm: `queue-${side}`, about: name, is, value, border: rule.threshold, unit: '%' },
        text: () =>
          `Queue ${name} is ${side} in ${figure(value)} % of the readings of the last minute (border ${figure(rule.threshold)} %), which it was not before: ${side === 'full' ? 'who empties it is too slow' : 'who fills it is too slow'}${speedNow ? `; the speed is ${Math.round((100 * speedNow.now) / speedNow.usual)} % of the usual` : ''}.`,
      });
    }
    if (mayBeOdd) isHeld = true;
    // Before the first steps queues are filled.
    if (!isOdd && log.steps > 0 && Math.abs(now - queue.lookedAt) >= lookMs) {
      queue.lookedAt = now;
      queue.looks.push(filled.full >= 50 ? 'full' : filled.empty >= 50 ? 'empty' : 'between');
      if (queue.looks.length > mostLooks) queue.looks.shift();
    }
    return found;
  }

  return {
    take() {},
    read(now, world) {
      if (!world.isRunning) return nothing;
      isHeld = false;
      const found = world.queueNames.flatMap((name) => ofQueue(name, now, world));
      world.speed.hold('queues', isHeld);
      return found;
    },
    forgetRun: () => known.clear(),
  };
};
