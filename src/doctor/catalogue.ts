import type { Context, Plan } from '../collectors/collector.ts';
import { attachScript, watchesScript } from '../collectors/attach-scripts.ts';
import { boxScript } from '../collectors/black-box/script.ts';
import { whom } from '../collectors/black-box/whom.ts';
import { envelope } from '../collectors/envelope.ts';
import { isPattern } from '../collectors/log/patterns.ts';
import { loginShellScript } from '../collectors/login-shell.ts';
import { hangUpScript } from '../collectors/open-shell.ts';
import { probeScript } from '../collectors/probe.ts';
import { collectors } from '../collectors/registry.ts';
import { lookScript, sendScript } from '../collectors/signals/script.ts';
import { copyScript } from '../collectors/stacks/copy-script.ts';
import { guardScript } from '../collectors/stacks/guard.ts';
import type { CaptureKind } from '../model/samples.ts';
import type { HostFacts } from '../model/facts.ts';
import { wishedFields } from '../collectors/gpu/fields.ts';
import { doctorScript, sizesRead } from './script.ts';

/** One script that traintop may run on a host. */
export interface Command {
  /** The word in its first line. */
  readonly name: string;
  /** When it runs, and how often. */
  readonly when: string;
  readonly reads: string;
  /** As it is sent, with NONCE where each channel has a random word of its own. */
  readonly script: string;
  /** As it is sent once more to a shell that led no process group and begins anew as one that does (envelope.ts). */
  readonly again: string;
}

/** Every script that would run for this context, in the order in which they begin. */
export function catalogue(context: Context): readonly Command[] {
  const { options, run } = context;
  const before = plansOf({ ...context, run: undefined }).flatMap(commandsOf);
  const plans = plansOf(context).flatMap(commandsOf);
  const only = before.filter(({ script }) => !plans.some((each) => each.script === script));
  const look = { context, pid: run?.rootPid, log: logPath(context), sizes: sizesRead };
  return [
    job('probe', probeScript(options)),
    ...only.map((command) => ({ ...command, when: 'until a run is found' })),
    ...plans,
    ...captureKinds
      .filter((what) => what !== 'native' || !options.readOnly)
      .map((what) => captureCommand(context, what)),
    ...touching(context),
    ...(options.readOnly ? [] : [job('black-box', boxScript(run ? whom(run).plain : []))]),
    job('login-shell', loginShellScript),
    job('hangup', hangUpScript('MARK')),
    job('doctor', doctorScript(look)),
    job('watches', watchesScript),
    { name: 'attach', ...joins, script: join, again: join },
  ];
}

const join = attachScript({ node: '/path/of/node', program: '/path/of/traintop', name: 'NAME' });
const joins = {
  when: 'in traintop attach, where sshd forwards no sockets, and behind a wrapper, once a connection',
  reads: 'nothing: it runs the traintop there, which joins the connection to the watch',
};

function plansOf(context: Context): readonly Plan[] {
  return collectors.flatMap((collector) => collector.plans(context)).filter((plan) => 'body' in plan);
}

/** The file that doctor looks at: the first log that is followed, when it was not a pattern that named it. */
export function logPath({ options, run }: Pick<Context, 'options' | 'run'>): string | undefined {
  if (options.logs.length > 0) return options.logs.find((path) => !isPattern(path));
  return run?.outputs.find(({ kind }) => kind === 'file')?.path;
}

/** What --commands shows without a host. */
export function typicalContext(options: Context['options']): Context {
  const processes = [4242, 4243].map((pid) => ({
    pid,
    parentPid: 1,
    commandLine: ['python', 'train.py'],
    gpuMinors: [0],
  }));
  const outputs = [
    { fd: 1, kind: 'file', path: '/path/of/train.log' },
    { fd: 2, kind: 'file', path: '/path/of/train.err' },
  ] as const;
  return {
    host: 'HOST',
    facts: typicalFacts,
    run: { id: '4242:0', rootPid: 4242, processes, outputs },
    options,
    shellPids: [],
  };
}

const typicalFacts: HostFacts = {
  hostname: 'HOST',
  user: 'root',
  uid: 0,
  clockTicks: 100,
  pageSize: 4096,
  bootTime: 0,
  clockOffsetMs: 0,
  utcOffsetMinutes: 0,
  awk: 'mawk',
  top: { flavour: 'procps', version: '4.0.4', leaderRowIsTotal: false },
  pidstatVersion: '12.6.1',
  tailFollows: true,
  nvidia: { fields: wishedFields(), gpuCount: 8 },
};

const captureKinds: readonly CaptureKind[] = ['dump', 'native', 'many', 'record', 'gil'];

function captureCommand(context: Context, what: CaptureKind): Command {
  const body = guardScript(context, { what, pid: context.run?.rootPid ?? 0 });
  const told = captures[what];
  return {
    name: 'stacks',
    when: told.when,
    reads: told.reads,
    ...sent({ name: 'stacks', body, talks: true }),
  };
}

/** What --read-only leaves out, beside the captures that hold a process. */
function touching({ options, run }: Context): readonly Command[] {
  if (options.readOnly) return [];
  const pid = run?.rootPid ?? 0;
  const send = sendScript({ pid, startTicks: '0', signal: 'SIGTERM' });
  const copy = copyScript({ size: 0, sha256: 'SHA256' });
  return [
    { name: 'signals', ...touches.look, ...sent({ name: 'signals', body: lookScript(pid), talks: false }) },
    { name: 'signals', ...touches.send, ...sent({ name: 'signals', body: send, talks: true }) },
    { name: 'py-spy-copy', ...touches.copy, ...sent({ name: 'py-spy-copy', body: copy, talks: true }) },
  ];
}

const touches = {
  look: {
    when: 'when you open the menu of signals (K, F9), once',
    reads: 'which signals one process ignores, catches and blocks, its command line, and whether it may be signalled',
  },
  send: {
    when: 'when you send a signal after you typed the PID, once; it then watches for the end of the process',
    reads:
      'whether it is still the same process; sends one signal (the one that you chose; here SIGTERM) and reads its state',
  },
  copy: {
    when: 'when --py-spy names a file of your machine, the host has no such program, and you said yes',
    reads: 'the program, by standard input, into a private folder there; removed when traintop ends or the link is cut',
  },
} satisfies Readonly<Record<string, Pick<Command, 'when' | 'reads'>>>;

function job(name: keyof typeof about, body: string): Command {
  return { name, ...about[name], ...sent({ name, body, talks: false }) };
}

/** What a plan sends at first, and after a lost link. */
function commandsOf(plan: Plan): readonly Command[] {
  const { source, tick, resume } = plan;
  const told = about[plan.sources ? 'logs' : (source as keyof typeof about)];
  const pace = tick ? `; it waits for a line of ours, every ${tick.everyMs / 1000} s` : '';
  const send = (body: string) => sent({ name: source, body, talks: tick !== undefined });
  const first = { name: source, when: told.when + pace, reads: told.reads, ...send(plan.body) };
  const resumed = resume && send(resume(plan.parser()));
  if (resumed === undefined || resumed.script === first.script) return [first];
  return [first, { ...first, when: 'again after a lost link, from where it was', ...resumed }];
}

function sent(script: { readonly name: string; readonly body: string; readonly talks: boolean }) {
  return {
    script: envelope({ ...script, nonce: 'NONCE' }),
    again: envelope({ ...script, nonce: 'NONCE', again: true }),
  };
}

const always = 'as long as traintop runs';
const withRun = 'while a run is watched';

const about = {
  probe: {
    when: 'once after connecting, and again after this machine slept or its clock was set',
    reads:
      'clock, host name, kernel, user, versions of awk, top, pidstat and nvidia-smi, the names of its fields, where py-spy is',
  },
  processes: {
    when: always,
    reads:
      '/proc of all processes: stat, cmdline, exe, cwd, open files; of the run also io, and ranks (RANK and the like) of its environment',
  },
  threads: { when: withRun, reads: 'CPU times, states and names of the threads of the run' },
  waits: {
    when: withRun,
    reads:
      'what threads of the run wait in: their current calls, what these calls are on, places and stacks in the kernel, counts of switches, cores they may run on',
  },
  busiest: {
    when: `${always}, a frame every 10 s, more seldom where there are many threads`,
    reads: 'the busiest threads of the host, by top',
  },
  gpu: {
    when: always,
    reads:
      'figures of all GPUs, their utilization four times a second, and every 10 s their own counters and the processes on them, by nvidia-smi',
  },
  host: {
    when: always,
    reads:
      'load, memory, disks, pressure and limits of the host, and what our own processes there use; every 30 s the room on the file systems of the run (df), and lines of the kernel’s log about GPUs and kills for want of memory (dmesg, else journalctl -k)',
  },
  log: {
    when: withRun,
    reads:
      'the log: its last 256 KiB, then what is added; names, sizes and first bytes of the files that a rotation may have made of it',
  },
  logs: {
    when: `${withRun}, and has more than one log, or --log names a pattern`,
    reads:
      'the other logs, as the first: of a file that grows what is new, of a quiet one every few seconds whether it is as it was; which files a pattern names',
  },
  'black-box': {
    when: 'by itself when a run stalls, hangs or ends, at most four times an hour and twelve a day (not with --no-black-box or --read-only)',
    reads:
      "of the threads of the run's processes their states, where each sleeps in the kernel and, as root, the kernel's stacks; lines of the kernel's log on GPUs, memory and disks; what nvidia-smi -q says",
  },
  'login-shell': {
    when: 'in traintop shell behind a wrapper, once',
    reads: 'which shell the user there has, from passwd',
  },
  hangup: {
    when: 'behind a wrapper, when a shell that you opened did not end by itself (the link went, ~., traintop ended)',
    reads:
      'the environments of processes, for the word that marks that shell; those that have it and a terminal are hung up',
  },
  watches: {
    when: 'in traintop attach HOST, once a connection',
    reads: 'what watches of yours tell of themselves, in their folders, and whether their processes live',
  },
  doctor: {
    when: 'in traintop doctor, once',
    reads:
      'paths and versions of tools, identities, signs of GPUs and containers, whether PYTHONUNBUFFERED is set, the size of the log',
  },
} satisfies Readonly<Record<string, Pick<Command, 'when' | 'reads'>>>;

const captures: Readonly<Record<CaptureKind, Pick<Command, 'when' | 'reads'>>> = {
  dump: {
    when: 'when you take a dump, and by itself for the names of threads (at attach, then at most every 5 min; not with --no-auto-dump)',
    reads: 'the Python stacks of one process, by py-spy without pausing it',
  },
  native: {
    when: 'when you take a dump with native frames',
    reads: 'the stacks of one process down to its libraries, by py-spy, which holds it meanwhile',
  },
  many: {
    when: 'when you take many dumps',
    reads: 'the Python stacks of one process, several times, without pausing it',
  },
  record: {
    when: 'when you take a record',
    reads: 'samples of the Python stacks of one process, by py-spy, without pausing it unless you ask for that',
  },
  gil: { when: 'when you ask for the GIL share', reads: 'samples of who holds the GIL of one process, by py-spy' },
};
