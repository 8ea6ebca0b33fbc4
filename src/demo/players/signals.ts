import type { Player } from '../shell.ts';
import { startTicks } from './processes.ts';

/** As of a Python under nohup behind `&` of a script, that writes a checkpoint on SIGTERM and its stacks on SIGUSR1. */
const ignored = '0000000000001007';
const caught = '0000000000004200';

/** The script `signals` (collectors/signals/script.ts): what a process does with them, and one that is sent. */
export const signals: Player = ({ machine, clock, body, print, finish, every }) => {
  const say = (...lines: readonly string[]) => print(lines.map((line) => `@signal ${line}\n`).join(''));
  const end = (...lines: readonly string[]) => {
    say(...lines);
    finish(0);
  };
  const pid = Number(/\bp=(\d+)$/m.exec(body)?.[1]);
  const up = () => machine.uptime(clock.now());
  const find = () => machine.processes(up()).find((each) => each.pid === pid);
  const process = find();
  if (!process) return end('gone');
  const state = () => (machine.isStopped(pid, up()) ? 'T' : 'S');
  const start = String(startTicks(machine, process));
  const [, name] = /^kill -([A-Z]\w*) \$p/m.exec(body) ?? [];
  if (name === undefined) {
    return end(
      ...[`start ${start}`, `state ${state()}`, `Name: ${process.comm}`, 'Uid: 0 0 0 0', `NSpid: ${pid}`, 'ours 1'],
      ...[`SigIgn: ${ignored}`, `SigCgt: ${caught}`, 'SigBlk: 0000000000000000'],
      ...[`command ${process.commandLine.join(' ')}`, 'end'],
    );
  }
  if (!body.includes(`= ${start} ]`)) return end('other');
  if (name === 'KILL') return end('refused : the run of the demo is only played, and has no end of its own');
  say(`sent ${up().toFixed(2)}`);
  let was = state();
  if (name === 'CONT') machine.resume(pid, up());
  every(200, () => {
    if (!find()) return end(`ended ${up().toFixed(2)}`);
    if (state() === was) return;
    was = state();
    say(`state ${was}`);
  });
};
