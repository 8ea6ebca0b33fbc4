import type { Player } from '../shell.ts';
import { blackBox } from './black-box.ts';
import { doctor } from './doctor.ts';
import { gpu } from './gpu-stream.ts';
import { host } from './host.ts';
import { log } from './log.ts';
import { logs } from './logs.ts';
import { probe } from './probe.ts';
import { processes } from './processes.ts';
import { signals } from './signals.ts';
import { stacks } from './stacks.ts';
import { threads } from './threads.ts';
import { playTop } from './top.ts';
import { waits } from './waits.ts';

/** What the demo host can play, by the name in a script's first line. */
export const players: Readonly<Record<string, Player>> = {
  probe,
  processes,
  threads,
  waits,
  busiest: playTop,
  gpu,
  host,
  log: (stage) => (stage.body.includes('servant() {') ? logs(stage) : log(stage)),
  stacks,
  signals,
  'black-box': blackBox,
  doctor,
};
