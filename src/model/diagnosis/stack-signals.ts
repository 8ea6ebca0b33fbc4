import type { SignalMeaning, SignalUnit, sources } from './signals.ts';

const s = (from: keyof typeof sources, unit: SignalUnit, words: string, measured: string): SignalMeaning => ({
  from,
  unit,
  words,
  measured,
});

/** Signals of captures: what py-spy found the training and autograd threads in within the last ten minutes, and who had the GIL. */
export const stackSignals = {
  stackSync: s(
    'native',
    '%',
    'stacks in stream synchronization',
    'stacks of the training threads that wait for the device; without native frames at least so many',
  ),
  stackAllocator: s(
    'native',
    '%',
    'stacks in the CUDA allocator',
    'stacks of the training threads that allocate or free device memory; without native frames at least so many',
  ),
  stackLaunch: s(
    'native',
    '%',
    'stacks in kernel launches',
    'stacks of the training threads that launch kernels, of the frameworks or the driver; without native frames at least so many',
  ),
  stackInput: s(
    'stacks',
    '%',
    'stacks waiting for data',
    'stacks of the training threads that wait for a batch, a file or a socket, or sleep',
  ),
  stackPython: s(
    'stacks',
    '%',
    'stacks in Python of the run',
    "stacks of the training threads in the run's own Python code",
  ),
  stackCopy: s(
    'native',
    '%',
    'stacks in copies',
    'stacks of the training threads that copy between host and device; without native frames at least so many',
  ),
  stackCollective: s(
    'stacks',
    '%',
    'stacks in collectives',
    'stacks of the training threads that wait in a collective; without native frames at least so many',
  ),
  stackGilWait: s('stacks', '%', 'stacks waiting for the GIL', 'stacks of the training threads that wait for the GIL'),
  stackNative: s(
    'stacks',
    '%',
    'stacks in calls of its own lines',
    'stacks of the training threads in calls without the GIL that a plain dump cannot name: item(), cpu(), numpy',
  ),
  stackHooks: s(
    'stacks',
    '%',
    'stacks in its own hooks',
    'looks that found a function of the run called by the backward pass or around a module, in a call that a plain dump cannot name, of all of the training threads',
  ),
  stackCompile: s('stacks', '%', 'stacks compiling', 'stacks of the training threads in a compiler'),
  gilHeld: s('gil', '%', 'GIL held', 'looks at which any thread of the process held the GIL'),
  gilRivals: s('gil', '%', 'GIL held by others', 'looks at which a thread held it that is no training thread'),
} as const satisfies Readonly<Record<string, SignalMeaning>>;
