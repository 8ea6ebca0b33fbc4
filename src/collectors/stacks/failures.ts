import type { Context } from '../collector.ts';
import type { DumpAnswer } from './parse.ts';
import { dumpSeconds } from './script.ts';

interface Init {
  readonly answer: DumpAnswer;
  readonly pid: number;
  readonly context: Context;
  readonly timedOut: boolean;
  /** What the shell itself printed, when the script did not come to its end. */
  readonly shellText: string;
}

/** Why there is no dump, and what to do about it: one sentence. Undefined when there is a whole one. */
export function explainFailure({ answer, pid, context, timedOut, shellText }: Init): string | undefined {
  const { host, facts, options } = context;
  const { errorText } = answer;
  if (timedOut)
    return `py-spy gave no answer in ${dumpSeconds} s on ${host}: the process may hang in the kernel or the host be overloaded; try again`;
  if (answer.tool === undefined) {
    if (answer.skipped !== undefined) {
      return `${answer.skipped} on ${host} is another user's and is not run as root unasked: give --py-spy ${answer.skipped} if you trust it, or install py-spy for root`;
    }
    if (shellText !== '') return `No dump from ${host}: the shell there said "${lastLine(shellText)}"`;
    return options.pySpy === undefined
      ? `py-spy is not on ${host}: install it into the run's environment (\`pip install py-spy\`), or say where it is with --py-spy PATH`
      : `${options.pySpy} is no program that may be run on ${host}: check --py-spy`;
  }
  if (answer.code === 0 && answer.threads) return undefined;
  const spy = `py-spy${answer.version === undefined ? '' : ` ${answer.version}`}`;
  const unsupported = /Unsupported version of Python: ([\w.]+)/.exec(errorText)?.[1];
  if (unsupported !== undefined) {
    return `${spy} does not know Python ${unsupported} of process ${pid}: install a newer py-spy (\`pip install -U py-spy\`), or name one with --py-spy PATH`;
  }
  if (/Permission Denied|os error 13|Operation not permitted|os error 1\b/i.test(errorText))
    return permission(pid, context);
  if (
    /os error 2\b|No such process|os error 3\b/.test(errorText) &&
    /executable name|No such process/.test(errorText)
  ) {
    return `Process ${pid} on ${host} is gone`;
  }
  if (/Failed to find python version|No python processes found/i.test(errorText)) {
    const what = answer.executable === undefined ? '' : ` (it runs ${answer.executable})`;
    return `Process ${pid} is no Python that ${spy} knows${what}: choose a Python process, or if it is one take a newer py-spy`;
  }
  if (/Failed to (?:copy|suspend|get stack|merge)|os error 14/i.test(errorText)) {
    return `${spy} could not read process ${pid} while it moved on (it is not paused): try again`;
  }
  if (answer.code === undefined) return `The dump of process ${pid} on ${host} was cut off: try again`;
  const said = lastLine(errorText) || 'nothing';
  return `${spy} failed on process ${pid} of ${host} with code ${answer.code}, saying: ${said} (${facts.user}, ${answer.tool})`;
}

function permission(pid: number, { host, facts }: Context): string {
  const start = `${facts.user} may not read process ${pid} on ${host}`;
  if (facts.uid === 0) {
    return `${start}: this root has no CAP_SYS_PTRACE; start the container with \`--cap-add SYS_PTRACE\`, or connect to its host`;
  }
  if (facts.ptraceScope !== undefined && facts.ptraceScope > 0) {
    return `${start}: kernel.yama.ptrace_scope is ${facts.ptraceScope}; connect as root, or set it to 0 there (\`sysctl kernel.yama.ptrace_scope=0\`)`;
  }
  return `${start}: connect as root or as the user who runs it; in a container it also takes \`--cap-add SYS_PTRACE\``;
}

function lastLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const error = lines.find((line) => line.startsWith('Error:'));
  return (error ?? lines.at(-1) ?? '').slice(0, 200);
}
