import type { EventKind } from '../model/samples.ts';
import * as is from './shape.ts';

/** The kinds of events that files may hold: one that is in use stays. */
export const eventKind: is.Shape<EventKind> = is.oneOf({
  'run started': true,
  'run ended': true,
  'run restarted': true,
  'host rebooted': true,
  'link lost': true,
  'link back': true,
  'source failed': true,
  'source back': true,
  'log error': true,
  'log gap': true,
  'loss not finite': true,
  'out of memory': true,
  'NCCL timeout': true,
  'gpu error': true,
  'job cancelled': true,
  'rank exit': true,
  'norm not finite': true,
  'loss spike': true,
  'steps skipped': true,
  checkpoint: true,
  evaluation: true,
  'epoch end': true,
  'training end': true,
  'gpu lost': true,
  'gpu back': true,
  capture: true,
  signal: true,
  'recording gap': true,
});
