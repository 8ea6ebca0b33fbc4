import type { StackThread } from '../../model/stacks.ts';
import { safeText } from '../../model/text.ts';
import { boundStacks } from './bound.ts';

/** What py-spy printed of one process. */
export interface TextDump {
  readonly threads?: readonly StackThread[];
  readonly command?: string;
  readonly pythonVersion?: string;
}

/** The text of `py-spy dump` (0.4.2), also with --native. The command line may hold newlines: the head ends at a blank line. */
export function readTextDump(text: string): TextDump {
  const pythonVersion = /^Python v([\w.+-]+)/m.exec(text)?.[1];
  const command = /^Process \d+: ([^]*?)\n(?:Python v|Parent Process|\n)/.exec(text)?.[1];
  const threads: (Omit<StackThread, 'frames'> & { frames: StackThread['frames'][number][] })[] = [];
  for (const line of text.slice(Math.max(0, text.indexOf('\n\n'))).split('\n')) {
    const head = /^Thread (\d+|0x[0-9A-Fa-f]+) \((idle|active|active\+gil)\)(?:: "(.*)")?$/.exec(line);
    if (head) {
      const [, number = '', state = '', name] = head;
      threads.push({
        ...(name !== undefined && { name: safeText(name).slice(0, 200) }),
        ...(/^\d+$/.test(number) && { tid: Number(number) }),
        active: state !== 'idle',
        ownsGil: state === 'active+gil',
        frames: [],
      });
      continue;
    }
    // `    function (file:line)`: the last bracket is the file's.
    const open = line.lastIndexOf(' (');
    if (!/^ {4}\S/.test(line) || open < 5 || !line.endsWith(')')) continue;
    const called = line.slice(4, open);
    const [, file = '', at] = /^([^]*?)(?::(\d+))?$/.exec(line.slice(open + 2, -1)) ?? [];
    threads.at(-1)?.frames.push({
      function: safeText(called),
      file: safeText(file),
      ...(at !== undefined && Number(at) > 0 && { line: Number(at) }),
      // A library has no lines; where there is debug information py-spy names the source of the machine code.
      ...((at === undefined || machineSource.test(file)) && { native: true as const }),
    });
  }
  return {
    ...(threads.length > 0 && { threads: boundStacks(threads) }),
    ...(pythonVersion !== undefined && { pythonVersion }),
    ...(command !== undefined && { command: safeText(command.replace(/\n/g, ' ')).slice(0, 2000) }),
  };
}

const machineSource = /\.(?:c|h|cc|cpp|cxx|hpp|cu|cuh|rs|S)$/;
