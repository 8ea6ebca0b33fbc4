import { endedReason } from '../../model/ended-reason.ts';
import type { Run } from '../../model/run.ts';
import { checksOf, type Check, type Told } from '../check.ts';
import type { Findings } from '../findings.ts';
import { tellSource } from './source.ts';

const check = checksOf('Run');

/** The run that is found, why that one, and which else there are. */
export function runChecks(findings: Findings): readonly Check[] {
  const { state, options } = findings;
  const isAsked = options.pid !== undefined || options.match !== undefined;
  if (!state?.run) {
    const told = tellSource(findings, 'processes', 'its processes are read');
    return [check('run', 'run', { ...told, needed: isAsked || told.status === 'failed' })];
  }
  const stopped = tellStopped(findings);
  return [
    check('run', 'run', { ...tellRun(findings, isAsked), needed: isAsked }),
    ...(stopped ? [check('run.stopped', 'stopped', stopped)] : []),
  ];
}

/** All of its processes, so that nothing of it goes on. */
function tellStopped({ state }: Findings): Told | undefined {
  const run = state?.run?.phase === 'running' ? state.run.run : undefined;
  const states = state?.processes?.state ?? [];
  if (!run || states.length === 0 || !states.every((each) => each === 'T' || each === 't')) return undefined;
  const traced = states.includes('t');
  const count = states.length === 1 ? 'its process is' : `all of its ${states.length} processes are`;
  return {
    status: 'warn',
    found: `${count} stopped (state ${traced ? 't' : 'T'})`,
    why: traced
      ? 'a debugger holds it: it computes nothing'
      : 'SIGSTOP, Ctrl-Z or the like: it computes nothing until it is continued',
    mend: traced
      ? 'let the debugger continue it, or end the debugger'
      : `\`kill -CONT ${states.length === 1 ? run.rootPid : state?.processes?.pid.join(' ')}\` there, or \`fg\` in its shell`,
  };
}

function tellRun(findings: Findings, isAsked: boolean): Told {
  const { run } = findings.state ?? {};
  if (run?.phase === 'running' && run.run)
    return { status: 'ok', found: describe(run.run), why: whyThat(findings, run.run) };
  if (run?.phase === 'choosing') {
    const shown = run.candidates.slice(0, 4).map((each) => `${each.rootPid} (${shortLine(each)})`);
    return {
      status: isAsked ? 'missing' : 'warn',
      found: `${run.candidates.length} fit`,
      why: `the screen lets you choose: ${shown.join(', ')}`,
      mend: 'name one with --pid or --match',
    };
  }
  const reason = run?.reason === undefined ? undefined : endedReason(run.reason);
  return {
    status: isAsked ? 'missing' : 'note',
    found: 'none',
    why: reason,
    mend: isAsked
      ? 'check --pid or --match'
      : 'traintop waits and takes up the next; a run without a GPU is named by --pid or --match',
  };
}

function describe(run: Run): string {
  const gpus = new Set(run.processes.flatMap(({ gpuMinors }) => gpuMinors)).size;
  const count = run.processes.length;
  const on = gpus === 0 ? 'no GPU' : `${gpus} GPU${gpus === 1 ? '' : 's'}`;
  return `PID ${run.rootPid}, ${shortLine(run)}: ${count} process${count === 1 ? '' : 'es'} on ${on}`;
}

function whyThat({ options, state }: Findings, run: Run): string {
  const others = (state?.run?.candidates.length ?? 1) - 1;
  const beside = others > 0 ? `; ${others} more could be chosen` : '';
  if (options.pid !== undefined)
    return `${options.pid === run.rootPid ? 'it is the PID' : `PID ${options.pid} belongs to it, which is`} that you named${beside}`;
  if (options.match) return `its command line matches ${options.match}${beside}`;
  const hasGpu = run.processes.some(({ gpuMinors }) => gpuMinors.length > 0);
  if (hasGpu) return `it is the only run of Python processes that hold a GPU${beside}`;
  return `no Python process holds a GPU, and this is the busiest${beside}`;
}

/** Its program and script, without their folders. */
function shortLine({ processes, rootPid }: Run): string {
  const line = processes.find(({ pid }) => pid === rootPid)?.commandLine ?? [];
  const text = line.map((word, i) => (i < 2 ? word.replace(/^\S*\//, '') : word)).join(' ');
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
