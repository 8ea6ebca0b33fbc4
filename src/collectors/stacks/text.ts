import type { StacksSample } from '../../model/samples.ts';
import type { StackThread } from '../../model/stacks.ts';

/**
 * A dump as py-spy prints it (`py-spy dump`, 0.4.2), for reading and for saving: full paths stand where py-spy shortens them, and the
 * number of a thread is its TID.
 */
export function formatStacks({
  pid,
  command,
  threads,
  failure,
}: Pick<StacksSample, 'pid' | 'command' | 'threads' | 'failure'>): string {
  const head = [`Process ${pid}: ${command}`, ...(failure === undefined ? [] : [failure]), ''];
  return [...head, ...threads.flatMap(formatThread)].join('\n') + '\n';
}

function formatThread({ tid, name, active, ownsGil, frames }: StackThread): readonly string[] {
  const state = ownsGil ? 'active+gil' : active ? 'active' : 'idle';
  return [
    `Thread ${tid ?? '?'} (${state})${name === undefined ? '' : `: "${name}"`}`,
    ...frames.map(
      (frame) => `    ${frame.function} (${frame.file}${frame.line === undefined ? '' : `:${frame.line}`})`,
    ),
  ];
}
