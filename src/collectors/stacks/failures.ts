import type { CaptureKind } from '../../model/samples.ts';
import type { Context } from '../collector.ts';
import type { SpyAnswer } from './answer.ts';
import { explainPermission } from './permission.ts';

interface Init {
  readonly answer: SpyAnswer;
  readonly what: CaptureKind;
  readonly pid: number;
  readonly context: Context;
  /** How long py-spy was given. */
  readonly limitMs: number;
}

/** Why there is no result of a process, and what to do about it: one sentence. */
export function explainFailure({ answer, what, pid, context, limitMs }: Init): string {
  const { host, facts } = context;
  const { executable, fault, missing, noFile, over, shellText, skipped, timedOut, tool, version, whole } = answer;
  const { code, errorText = '' } = answer.outputs.at(-1) ?? {};
  if (fault !== undefined) return `No ${nouns[what]} of process ${pid} from ${host}: ${fault}`;
  if (timedOut) {
    return `py-spy gave no answer in ${Math.round(limitMs / 1000)} s on ${host}: process ${pid} may hang in the kernel or the host be overloaded; try again`;
  }
  if (tool === undefined) {
    if (skipped !== undefined) {
      return `${skipped} on ${host} is another user's and is not run as root unasked: give --py-spy ${skipped} if you trust it, or install py-spy for root`;
    }
    if (shellText !== '') return `No ${nouns[what]} from ${host}: the shell there said "${lastLine(shellText)}"`;
    if (!whole) return `No ${nouns[what]} from ${host}: the link was cut before py-spy began; try again`;
    return notFound(answer, context);
  }
  const spy = `py-spy${version === undefined ? '' : ` ${version}`}`;
  if (missing === 'setsid') {
    return `${host} has no setsid, without which ${spy} could not be ended safely when the link goes: install util-linux or busybox there`;
  }
  if (missing === 'folder') {
    return `${facts.user} has room neither in $TMPDIR, /tmp, /dev/shm nor /var/tmp on ${host}, or may not write there, and ${spy} needs a folder for its answer: free one of them, or log in with TMPDIR set`;
  }
  const unsupported = /Unsupported version of Python: ([\w.]+)/.exec(errorText)?.[1];
  if (unsupported !== undefined) {
    return `${spy} does not know Python ${unsupported} of process ${pid}: install a newer py-spy (\`pip install -U py-spy\`), or name one with --py-spy PATH`;
  }
  if (answer.state === 'T' && /Failed to suspend/.test(errorText)) {
    return `Process ${pid} on ${host} is stopped (state T), and ${spy} cannot hold one that is: let it go on (SIGCONT), or take a capture that does not hold it`;
  }
  if (/Permission Denied|os error 13|Operation not permitted|os error 1\b/i.test(errorText))
    return explainPermission({ rights: answer.rights, pid, context });
  if (isGone(errorText)) return `Process ${pid} on ${host} is gone`;
  if (isNotPython(answer)) {
    const runs = executable === undefined ? '' : ` (it runs ${executable})`;
    return `Process ${pid} is no Python that ${spy} knows${runs}: choose a Python process, or if it is one take a newer py-spy`;
  }
  if (/os error 28\b|No space left/.test(errorText)) {
    return `The disk of ${host} is full where ${spy} writes its answer: free some of $TMPDIR or /tmp there`;
  }
  if (over) return `The ${nouns[what]} of process ${pid} was ended before ${spy} had anything`;
  if (code === undefined) return `The ${nouns[what]} of process ${pid} on ${host} was cut off: try again`;
  if (noFile || (code === 0 && errorText === '')) {
    return `${spy} said that all is well with process ${pid} of ${host}, and gave nothing that can be read: try again, or take another py-spy with --py-spy PATH`;
  }
  if (/Failed to (?:copy|suspend|get stack|merge)|os error 14/i.test(errorText)) {
    return `${spy} could not read process ${pid} while it moved on (it is not paused): try again`;
  }
  const said = lastLine(errorText) || 'nothing';
  return `${spy} failed on process ${pid} of ${host} with code ${code}, saying: ${said} (${facts.user}, ${tool})`;
}

/** It is another kind of program, or one that has only just begun: beside Python processes it is no failure. */
export function isNotPython({ outputs }: Pick<SpyAnswer, 'outputs'>): boolean {
  const errorText = outputs.at(-1)?.errorText ?? '';
  return /Failed to find python version|No python processes found/i.test(errorText) && !isGone(errorText);
}

/** The line of an error that tells most. */
export function lastLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const error = lines.find((line) => line.startsWith('Error:'));
  return (error ?? lines.at(-1) ?? '').slice(0, 200);
}

const nouns: Readonly<Record<CaptureKind, string>> = {
  dump: 'dump',
  native: 'dump',
  many: 'dumps',
  record: 'record',
  gil: 'record',
};

function isGone(errorText: string): boolean {
  return (
    /os error 2\b|No such process|os error 3\b/.test(errorText) && /executable name|No such process/.test(errorText)
  );
}

const mostFolders = 10;

function notFound({ looked, path }: SpyAnswer, { host, options }: Context): string {
  if (options.pySpyCopy !== undefined) return `The copy of py-spy is gone from ${host}: try again, it is copied anew`;
  if (options.pySpy !== undefined) {
    return `${options.pySpy} is no program that may be run on ${host}, nor a file of this machine that could be copied there: check --py-spy`;
  }
  const folders = [...new Set(path?.split(':'))].slice(0, mostFolders);
  const places = [...looked, ...(folders.length === 0 ? [] : [`PATH (${folders.join(':')})`])].join(', ');
  return `py-spy is not on ${host}${places && ` (looked for at ${places})`}: install it into the run's environment (\`pip install py-spy\`), or name one with --py-spy PATH, there or a file here that is copied there`;
}
