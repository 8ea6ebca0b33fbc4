import { logPath } from '../places.ts';
import type { Player } from '../shell.ts';
import { logFileOf } from './log-file.ts';

const inode = 1_835_021;

/** The source `log`: it looks and follows as the client says (collectors/log/script.ts), and prints each line as the trainer writes it. */
export const log: Player = ({ machine, clock, body, print, printError, every, finish }) => {
  const mark = /(@traintop-log[^'\s]*)/.exec(body)?.[1] ?? '';
  const say = (words: string) => print(`${mark} ${words}\n`);
  const exists = body.includes(`'${logPath}'`);
  const file = logFileOf(machine);
  const seconds = () => Math.floor(clock.now() / 1000);
  const size = () => file.grow(machine.uptime(clock.now()));
  let printed: number | undefined;
  every(500, () => {
    if (printed === undefined) return;
    const now = size();
    if (now > printed) print(file.read(printed));
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
      print(file.read(Number(from)));
    } else if (word === 'e') {
      printError('traintop: missing\n');
      finish(3);
    }
  };
};
