import { numberOf, told, type EventRule } from './rule.ts';

/** Words of a shell and of srun for a process that a signal ended. */
const signals: Readonly<Record<string, string>> = {
  killed: 'SIGKILL',
  terminated: 'SIGTERM',
  aborted: 'SIGABRT',
  'segmentation fault': 'SIGSEGV',
  'bus error': 'SIGBUS',
  'floating point exception': 'SIGFPE',
  'illegal instruction': 'SIGILL',
  hangup: 'SIGHUP',
};
const signalNumbers: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
};
const signalWords = String.raw`Killed|Terminated|Aborted|Segmentation fault|Bus error|Floating point exception|Illegal instruction|Hangup`;
/** bash: `./run.sh: line 3: 12345 Killed    python train.py`; a shell at a terminal: the word alone. */
const ofShell = new RegExp(
  String.raw`^(?:\S+: line \d+:\s+(\d+) )?(${signalWords})(?: \(core dumped\)|\s+\(core dumped\)|$)?(?:\s{2,}\S.*|\s*)$`,
);
const ofSrun = new RegExp(
  String.raw`^srun: error: ([\w.-]+): tasks? ([\d,\[\]-]+): (?:Exited with exit code (\d+)|(${signalWords})\b)`,
);

/** In a launcher's own words; Go's `exit status 1`, `signal: killed`, and nothing but the words, where keys tell the rest. */
const ended =
  /\b(rank|worker|trainer|replica|process|pod|container|child)(?: process)?(?:[ -]#?(\d{1,6}))?\]?:? (?:process )?(?:has |was )?(?:exited|died|crashed|failed|terminated|killed)(?: unexpectedly)?(?:[:,]? ?\(?(?:with |by |on )?(?:(?:exit |return |error )?(?:code|status)[ :=]{0,2}(-?\d+)|signal:? (\w+))|$)/i;

/** Processes of the run that ended: by torchrun, DeepSpeed's launcher, srun, mpirun, a shell; and what SLURM ended. */
export const exitRules: readonly EventRule[] = [
  {
    words: ['cancelled'],
    find({ text }) {
      const match =
        /\*\*\* (JOB|STEP) (\d+)\S* (?:ON (\S+) )?CANCELLED AT (\S+)(?: DUE (?:TO|to) ([A-Za-z ]+?))? ?\*\*\*/.exec(
          text,
        );
      if (!match) return undefined;
      const [, , job, host, , reason] = match;
      if (reason === 'TIME LIMIT') return told('slurm_time_limit', { job, host });
      return told('slurm_cancelled', { job, host, reason: reason?.toLowerCase() });
    },
  },
  {
    words: ['rank'],
    also: ['local'],
    find({ text, memory }) {
      const rank = numberOf(/^\s*rank\s*: (\d+) \(local_rank: \d+\)\s*$/, text);
      if (rank !== undefined) memory.summaryRank = rank;
      return undefined;
    },
  },
  {
    words: ['exitcode'],
    find({ text, memory }) {
      const summary = /^\s*exitcode\s*: (-?\d+) \(pid: (\d+)\)\s*$/.exec(text);
      if (summary) return exit({ rank: memory.summaryRank, code: Number(summary[1]), pid: Number(summary[2]) });
      const agent = /\bfailed \(exitcode: (-?\d+)\) local_rank: (\d+) \(pid: (\d+)\)/.exec(text);
      return agent ? exit({ code: Number(agent[1]), localRank: Number(agent[2]), pid: Number(agent[3]) }) : undefined;
    },
  },
  {
    words: ['exits', 'exited', 'returned', 'died', 'exit', 'crashed', 'failed', 'terminated'],
    find({ text }) {
      // Ray.
      if (/\bA worker died or was killed while executing\b/.test(text)) return told('rank_exit');
      const launcher = /(?:\bProcess (\d+)|\]) exits (?:successfully|with return code = (-?\d+))/.exec(text);
      if (launcher) return exit({ pid: launcher[1] ? Number(launcher[1]) : undefined, code: Number(launcher[2] ?? 0) });
      const named =
        /\b([Rr]ank|[Ww]orker):? (\d+)\b\]?:? (?:has )?(?:(?:died|crashed)(?= unexpectedly|[.!]?$)|(?:exited|failed|died|terminated|crashed) with (?:exit |return |error )?(?:code|status):? (-?\d+))/.exec(
          text,
        );
      if (named) {
        const [, what = '', number, code] = named;
        const who = { [what.toLowerCase()]: Number(number) };
        return code === undefined ? told('rank_exit', who) : exit({ ...who, code: Number(code) });
      }
      if (/\bprocess(?:es)? (?:returned a|exited with) non-zero (?:exit code|status)\b/.test(text))
        return told('rank_exit');
      const mpirun = /\bprocess rank (\d+) with PID (\d+) on node (\S+) exited on signal (\d+)/.exec(text);
      if (mpirun) {
        const [, rank, pid, host, signal] = mpirun;
        return told('rank_exit', { rank: Number(rank), pid: Number(pid), host, signal: signalNumbers[Number(signal)] });
      }
      const plain =
        /\b[Rr]ank (\d+)(?: \(pid:? (\d+)\))? (?:has )?(?:exited|died|terminated|crashed) with (?:exit |return |error )?(?:code|status):? (-?\d+)/.exec(
          text,
        );
      if (plain)
        return exit({ rank: Number(plain[1]), pid: plain[2] ? Number(plain[2]) : undefined, code: Number(plain[3]) });
      const process =
        /\b[Pp]rocess (?:with )?(?:pid |PID )?\(?(\d+)\)? (?:has )?(?:exited|died|terminated) with (?:exit |return |error )?(?:code|status):? (-?\d+)/.exec(
          text,
        );
      if (process) return exit({ pid: Number(process[1]), code: Number(process[2]) });
      const worded = ended.exec(text);
      if (!worded) return undefined;
      const [, what = '', number, code, signal] = worded;
      // Nothing but these words: its keys tell the rest.
      if (number === undefined && code === undefined && signal === undefined && worded.index > 0) return undefined;
      const who = number !== undefined && { [whose(what)]: Number(number) };
      if (code !== undefined) return exit({ ...who, code: Number(code) });
      return told('rank_exit', {
        ...who,
        signal: signal && (signalNumbers[Number(signal)] ?? signals[signal.toLowerCase()]),
      });
    },
  },
  {
    words: ['srun', 'killed', 'terminated', 'aborted', 'segmentation', 'hangup', 'illegal', 'floating', 'bus'],
    find({ text }) {
      const srun = ofSrun.exec(text);
      if (srun) {
        const [, host, tasks = '', code, word = ''] = srun;
        const rank = /^\d+$/.test(tasks) ? Number(tasks) : undefined;
        return told('rank_exit', {
          rank,
          ...(rank === undefined && { ranks: tasks }),
          ...(code === undefined ? { signal: signals[word.toLowerCase()] } : { code: Number(code) }),
          host,
        });
      }
      const shell = ofShell.exec(text);
      if (!shell) return undefined;
      return told('rank_exit', {
        pid: shell[1] === undefined ? undefined : Number(shell[1]),
        signal: signals[shell[2]?.toLowerCase() ?? ''],
      });
    },
  },
  {
    words: ['sigabrt', 'sigsegv', 'sigterm', 'sigint', 'sighup', 'sigusr', 'signal', 'preempted', 'preemption'],
    find({ text }) {
      const google = /^\*\*\* (SIG[A-Z]+) received (?:at|by)\b/.exec(text);
      if (google) return told('signal', { signal: google[1] });
      const match =
        /^(?!\s*traceback\s*:|(?:\w+\.)*\w*(?:Error|Exception): ).*\b(?:[Rr]eceived|[Cc]aught|[Gg]ot) (?:a |the )?(?:termination |death )?(?:[Ss]ignal:? )?\(?(?:(SIG(?:TERM|INT|HUP|USR[12]|CONT|ABRT))|(\d{1,2})(?= death signal| \(|[,.;: ]|$))/.exec(
          text,
        );
      if (!match || /\b(?:if|when|whenever|until|unless)\b/i.test(text.slice(0, match[0].length))) return undefined;
      const named = match[1] ?? signalNumbers[Number(match[2])];
      return named === undefined || !/signal|SIG/i.test(text) ? undefined : told('signal', { signal: named });
    },
  },
];

const whose = (what: string) => (/^process$/i.test(what) ? 'pid' : /^worker$/i.test(what) ? 'worker' : 'rank');

/** The code of a process as Python tells it: a negative one is a signal. */
function exit({
  code,
  ...who
}: {
  code: number;
  rank?: number | undefined;
  localRank?: number;
  pid?: number | undefined;
}) {
  return told('rank_exit', { ...who, code, signal: code < 0 ? signalNumbers[-code] : undefined });
}
