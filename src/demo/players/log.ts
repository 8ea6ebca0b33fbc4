import { logPath } from '../cast.ts';
import type { Machine } from '../machine.ts';
import type { Player } from '../shell.ts';
import { beatAt, logBeat } from './log-text.ts';

/** The file was begun an hour (of two-second beats) before the demo's start. */
const beatsBefore = 1800;
const inode = 1_835_021;
/** What a first look reads of the end of the file (collectors/log/script.ts). */
const attachBytes = 256 * 1024;

/** The source `log`: the header, the file from an offset on, then each new line as the trainer writes it. */
export const log: Player = ({ machine, clock, body, print, printError, every, finish }) => {
  if (!body.includes(`'${logPath}'`)) {
    printError('traintop: missing\n');
    return finish(3);
  }
  const file = fileOf(machine);
  const size = file.grow(machine.uptime(clock.now()));
  const asked = /\no=(\d+)\n/.exec(body)?.[1];
  const wanted = asked === undefined ? Math.max(0, size - attachBytes) : Math.min(Number(asked), size);
  const from = Math.max(0, wanted - 1);
  const mark = /printf '(@traintop-log\S*) at/.exec(body)?.[1] ?? '';
  print(`${mark} at ${inode} ${size} ${from} \n${file.text().slice(from)}`);
  let printed = size;
  every(500, () => {
    const now = file.grow(machine.uptime(clock.now()));
    if (now > printed) print(file.text().slice(printed));
    printed = now;
  });
};

interface DemoFile {
  /** Writes what is due; returns the size. The text is ASCII: bytes are characters. */
  grow(up: number): number;
  text(): string;
}

const files = new WeakMap<Machine, DemoFile>();

function fileOf(machine: Machine): DemoFile {
  const existing = files.get(machine);
  if (existing) return existing;
  let text = '';
  let nextBeat = beatAt(machine, machine.startUp) - beatsBefore;
  const file: DemoFile = {
    grow(up) {
      const lines: string[] = [];
      for (; nextBeat <= beatAt(machine, up); nextBeat++) lines.push(...logBeat(machine, nextBeat));
      if (lines.length > 0) text += `${lines.join('\n')}\n`;
      return text.length;
    },
    text: () => text,
  };
  files.set(machine, file);
  return file;
}
