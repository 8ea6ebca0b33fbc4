#!/usr/bin/env node
/**
 * Writes numbered lines to a file, 2000 a second, as a process of its own: `node log-writer.mjs PATH`.
 * `reopen [PATH]` on standard input closes the file and opens it by its name, `stop` ends it; each is answered by the number of the
 * last line before it.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

let [, , path = ''] = process.argv;
let count = 0;
let fd = openSync(path, 'a');

const timer = setInterval(() => {
  let text = '';
  for (let i = 0; i < 10; i++) text += `line ${String(++count).padStart(7, '0')} of the training log\n`;
  writeSync(fd, text);
}, 5);

createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, to = path] = line.split(' ');
  closeSync(fd);
  path = to;
  if (word === 'reopen') fd = openSync(path, 'a');
  console.log(count);
  if (word === 'reopen') return;
  clearInterval(timer);
  process.exit();
});
process.stdin.on('end', () => process.exit());
