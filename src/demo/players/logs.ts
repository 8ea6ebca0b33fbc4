import { logPath } from '../places.ts';
import type { Player } from '../shell.ts';
import { logFileOf } from './log-file.ts';

const inode = 1_835_021;

/** Several logs over one channel (collectors/log/servants.ts): of the files that are asked for the demo's host has the run's log alone. */
export const logs: Player = ({ machine, clock, body, print }) => {
  const mark = /(@traintop-log[^'\s]*)/.exec(body)?.[1] ?? '';
  const file = logFileOf(machine);
  const seconds = () => Math.floor(clock.now() / 1000);
  const size = () => file.grow(machine.uptime(clock.now()));
  const paths = new Map<string, string>();
  /** By servant: up to where the client has read, of those that follow. */
  const followed = new Map<string, number>();
  let told: string[] = [];
  const say = (words: string) => print(`${mark} ${words}\n`);
  const emit = (servant: string, from: number) => {
    say(`${servant} from ${from}`);
    print(`${file.read(from)}\n`);
    say(`${servant} cut`);
  };

  function obey(servant: string, word: string, rest: string) {
    const [, from = '0'] = rest.split(' ');
    if (word === 'p') paths.set(servant, rest);
    else if (word === 't') {
      if (followed.has(servant)) followed.set(servant, Number(rest));
    } else if (word === 'l') {
      say(paths.get(servant) === logPath ? `${servant} path ${inode} ${size()} ${seconds()}` : `${servant} path`);
      say(`${servant} looked ${seconds()}`);
    } else if (word === 'f') {
      say(`${servant} at ${inode} ${size()} ${from} ${seconds()}`);
      followed.set(servant, Number(from));
      emit(servant, Number(from));
    } else if (word === 'e') say(`${servant} why traintop: missing`);
    else if (word === 'h') followed.delete(servant);
    else if (word === 'x') {
      const isNamed = named(rest);
      if (isNamed) say(`${servant} found 0.${inode} ${seconds()} ${logPath}`);
      say(`${servant} globbed ${isNamed ? 1 : 0}`);
    }
  }

  say('hello');
  return (line) => {
    if (!/^[.:;]$/.test(line)) {
      told.push(line);
      return;
    }
    for (const each of told) {
      const [, servant = '', word = '', rest = ''] = /^(\d+) (\w) ?(.*)$/.exec(each) ?? [];
      obey(servant, word, rest);
    }
    told = [];
    if (line !== '.') for (const [servant, from] of followed) if (size() > from) emit(servant, from);
    say('turn');
  };
};

/** Whether a pattern of the shell names the log. */
function named(pattern: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  try {
    return new RegExp(`^${source}$`).test(logPath);
  } catch {
    return false;
  }
}
