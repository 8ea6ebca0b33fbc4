import type { LogField } from '../../../model/samples.ts';
import type { Meaning } from './names.ts';

/** Keys that are read as they stand, best first. */
const exactly: Readonly<Partial<Record<LogField, readonly string[]>>> = {
  step: ['global step', 'num updates', 'trainer global step', 'completed step', 'optimizer step', 'train step', 'training step', 'step', 'current step', 'current steps', 'opt step', 'update', 'upd', 'iteration', 'iter', 'iter train', 'training iteration', 'train iteration', 'train iter', 'current iteration', 'global iter', 'global iteration', 'step num', 'step number', 'iteration number', 'n iter', 'iter num', 'n step', 'step no', 'iter no', 'it', 'i step', 'batch'],
  totalSteps: ['total steps', 'max steps', 'num steps', 'total step', 'total iterations', 'max iterations', 'num iterations', 'total optimization steps', 'total training steps', 'num training steps', 'max train steps', 'total train steps', 'train iters', 'total iters', 'max iters', 'total updates', 'number of steps', 'step total'],
  epoch: ['epoch', 'current epoch', 'train epoch', 'training epoch', 'epoch num', 'epoch number', 'epochs', 'ep'],
  stepsPerEpoch: ['steps per epoch', 'steps epoch', 'batches per epoch', 'iters per epoch', 'iterations per epoch'],
  stepInEpoch: ['step in epoch', 'batch idx', 'batch index', 'batch in epoch', 'iter in epoch'],
  loss: ['reduced train loss', 'loss', 'train loss', 'training loss', 'train ce loss', 'lm loss', 'loss train total', 'total loss', 'loss train', 'loss train curr', 'cross entropy loss', 'ce loss', 'ce', 'xent', 'policy loss', 'actor pg loss', 'closs', 'trainloss', 'nll'],
  learningRate: ['lr', 'learning rate', 'learningrate', 'rate learning', 'optim lr group 0', 'actor lr', 'act lr'],
  gradNorm: ['grad norm', 'gradient norm', 'gradients norm', 'norm grad', 'gnorm', 'gradnorm', 'grad norm total', 'optim total grad norm', 'actor grad norm', 'total grad norm', 'total norm', 'norm', 'g norm', 'gn', 'grad', 'grads'],
  tokensPerSecond: ['tps', 'wps', 'tokps', 'tgs'],
  iterationsPerSecond: ['ups', 'itps', 'sps it'],
  stepSeconds: ['step time', 'steptime', 'time step', 'iter time', 'time iter', 'iteration time', 'time per step', 'time per iter', 'time per iteration', 'elapsed time per iteration', 'train step timing in s', 'train step timing', 'step avg', 'step duration', 'step dur', 'iter dur', 'iteration dur', 'batch dur', 'iter duration', 'iteration duration', 'update time', 'update duration', 'step latency', 'avg step time', 'mean step time', 'seconds per step', 'sec per step', 's per step', 's it', 's step', 'sec step', 'sec it', 't step', 't iter', 'step t', 'ms per step', 'batch time', 'time per batch', 'time batch', 'dt', 't step', 'step t'],
  etaSeconds: ['eta', 'remaining time', 'time remaining', 'time left', 'remaining', 'estimated time remaining', 'est remaining', 'eta time', 'time to go', 'estimated remaining time', 'eta total', 'left'],
  elapsedSeconds: ['elapsed', 'elapsed time', 'time elapsed', 'wall', 'wall time', 'walltime', 'wall clock', 'wall clock time', 'time since start', 'total elapsed', 'total time elapsed', 'elapsed total', 'runtime', 'uptime', 'time total', 'total time', 'training time', 'train time'],
}; // prettier-ignore

/** Of a total that stands beside a step, or is none. */
const besideStep = -50;

/** Keys of which all words are known, in lower case. */
export const spelled = new Map<string, Meaning>();
for (const [field, names] of Object.entries(exactly) as [LogField, readonly string[]][])
  names.forEach((name, i) =>
    spelled.set(name, { as: field, rank: names.length - i, ...(isWeak(name) && { weak: true }) }),
  );
// Told by its unit: of the last step where that is small, else of a step or of all so far.
spelled.set('time', { as: 'stepSeconds', rank: -3, weak: true });
for (const name of ['steps', 'iters', 'iterations']) spelled.set(name, { as: 'step', rank: -1, weak: true });
// `3 updates available`: beside other figures.
spelled.set('updates', { as: 'step', rank: -2, weak: true });
// Of a dump of settings as often: read beside a step.
for (const name of [
  'total steps',
  'max steps',
  'num steps',
  'max iterations',
  'num iterations',
  'max train steps',
  'num training steps',
  'total train steps',
  'train iters',
  'max iters',
  'total updates',
])
  spelled.set(name, { as: 'totalSteps', rank: besideStep });
spelled.set('tgs', { as: 'tokensPerSecond', rank: 1, scope: 'gpu' });

/** As often settings as readings, or a word of a sentence. */
function isWeak(name: string): boolean {
  return /^(?:it|batch|left|remaining|epochs|norm|wall|i step|ce|rate learning|total time|time total|training time|train time|runtime|uptime|ep)$/.test(
    name,
  );
}
