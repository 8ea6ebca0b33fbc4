import { logPath } from '../cast.ts';
import type { Machine } from '../machine.ts';
import type { Player } from '../shell.ts';
import { beatAt, logBeat } from './log-text.ts';

/** The file was begun an hour (of two-second beats) before the demo's start. */
const beatsBefore = 1800;
const inode = 1_835_021;
/** The source `log`: it looks and follows as the client says (collectors/log/script.ts), and prints each line as the trainer writes it. */
export const log: Player = ({ machine, clock, body, print, printError, every, finish }) => {
  const mark = /printf '(@traintop-log\S*) /.exec(body)?.[1] ?? '';
  const say = (words: string) => print(`${mark} ${words}\n`);
  const exists = body.includes(`'${logPath}'`);
  const file = fileOf(machine);
  const seconds = () => Math.floor(clock.now() / 1000);
  const size = () => file.grow(machine.uptime(clock.now()));
  let printed: number | undefined;
  every(500, () => {
    if (printed === undefined) return;
    const now = size();
    if (now > printed) print(file.text().slice(printed));
    printed = now;
  });
  say('hello');
  return (line) => {
    const [word, , from] = line.split(' ');
    if (word === 'l') {
      say(exists ? `path ${inode} ${size()} ${seconds()}` : 'path');
      say(`looked ${seconds()}`);
    } else if (word === 'f') {
      printed = size();
      say(`at ${inode} ${printed} ${from} ${seconds()}`);
      print(file.text().slice(Number(from)));
    } else if (word === 'e') {
      printError('traintop: missing\n');
      finish(3);
    }
  };
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
