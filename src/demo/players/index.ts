import type { Player } from '../shell.ts';
import { gpu } from './gpu-stream.ts';
import { log } from './log.ts';
import { probe } from './probe.ts';
import { threads } from './threads.ts';
import { playTop } from './top.ts';

/** What the demo host can play, by the name in a script's first line. */
export const players: Readonly<Record<string, Player>> = { probe, gpu, threads, busiest: playTop, log };
