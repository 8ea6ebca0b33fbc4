import type { Rule } from '../rule.ts';
import { noSteps, underfed } from './clues.ts';

/** Copies between host and device set the pace. */
export const copyBound: Rule = {
  situation: 'copy-bound',
  of: 'gpu',
  explains:
    'The GPU is often idle while much goes over PCIe, or the training thread is found in copies between host and device: kernels wait for bytes.',
  must: [
    ...underfed,
    {
      signal: 'pcieRate',
      least: 'heavyCopies',
      weight: 2,
      needed: true,
      or: [{ signal: 'stackCopy', least: 'stacksMany' }],
    },
  ],
  speaksFor: [{ signal: 'stackCopy', least: 'stacksMany', weight: 2 }],
  speaksAgainst: [
    ...noSteps,
    { signal: 'stackInput', least: 'stacksMany', weight: 2 },
    { signal: 'stackPython', least: 'stacksMost', weight: 2 },
    { signal: 'stackLaunch', least: 'stacksMany' },
    { signal: 'workersBusy', least: 'mostWorkers', weight: 1 },
    { signal: 'queueFull', least: 'mostLooks', weight: 2 },
  ],
  next: [
    { text: 'see in native stacks who copies', key: 'D' },
    { text: 'pinned memory and non_blocking copies, smaller types, or leave it on the device' },
  ],
};
