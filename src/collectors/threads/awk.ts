import type { HostFacts } from '../../model/facts.ts';

/** How to call this host's awk so that it answers line by line; undefined when it has none. */
export function awkCommand(facts: HostFacts): string | undefined {
  if (facts.awk === undefined) return undefined;
  // mawk (Debian's and Ubuntu's default) reads a pipe in blocks of 4 kB without it; its output is then unbuffered, so the
  // programs here print once a frame.
  return facts.awk === 'mawk' ? 'awk -W interactive' : 'awk';
}

/** Why nothing that needs awk runs. */
export const noAwk = 'no awk answers on this host: threads cannot be read without one (mawk, gawk and BusyBox awk do)';

/**
 * awk: reads one /proc/PID/task/TID/stat into `field` (field[1] is the state, proc(5)'s number less two) and `name` (with its
 * parentheses); true when it is there. A name may hold anything, so the numbers begin behind the last `) `, and a newline in
 * it (sent as CR) splits the file: it is whole when enough numbers follow. A name has 15 bytes at most and cannot fake them.
 */
export const statFunction = String.raw`
function readStat(file,  part, text, open) {
  text = ""
  while ((getline part < file) > 0) {
    text = text part
    if (match(text, /.*[)] /) && split(substr(text, RLENGTH + 1), field, " ") > 36) {
      close(file); open = index(text, "("); name = substr(text, open, RLENGTH - open); return 1
    }
    text = text "\r"
  }
  close(file); return 0
}`;
