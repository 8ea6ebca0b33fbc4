import type { Player } from '../shell.ts';

/** What the demo host can play, by the name in a script's first line. */
export const players: Readonly<Record<string, Player>> = {};
