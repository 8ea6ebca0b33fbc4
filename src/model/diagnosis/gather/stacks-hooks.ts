import { placeOf } from '../../classes/place.ts';
import type { FoldedStack } from '../../stacks/fold.ts';

/**
 * In a function of the run that the backward pass calls, or that is called around a module, and in a call which that look cannot name. Hooks
 * are a few lines: where they are found often they wait, mostly for the device (a norm that is read, a value that is printed).
 */
export function isInHook({ class: of, frames, pid, tid, thread }: FoldedStack): boolean {
  if (of !== 'unknown' && of !== 'native') return false;
  const python = frames.filter((frame) => isPython(placeOf(frame).from));
  const at = python.findIndex((frame) => placeOf(frame).from !== 'user');
  const own = python[at - 1];
  const caller = python[at];
  // Threads of Python begin in its library: what has nothing around it was called by C++, as the backward pass calls hooks of tensors.
  if (at < 0) return python.length > 0 && !(tid === pid || thread === 'MainThread');
  if (!own || !caller) return false;
  const { name } = placeOf(caller);
  // A module calls its forward by this name; what else it calls are hooks.
  return ofHooks.test(name) || (ofModules.test(name) && own.function !== 'forward');
}

function isPython(from: ReturnType<typeof placeOf>['from']): boolean {
  return from === 'user' || from === 'library';
}

const ofHooks = /^torch\/(utils\/hooks|autograd\/graph)\.py$/;
const ofModules = /^torch\/nn\/modules\/module\.py$/;
