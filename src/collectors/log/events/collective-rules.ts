import { numberOf, told, type EventRule } from './rule.ts';

/** A collective that did not end in its time: NCCL's watchdog in all versions, its monitor, Gloo. */
const timeouts: readonly RegExp[] = [
  /\bcaught collective operation timeout\b/i,
  /\bException \(either an error or timeout\) detected by watchdog\b/,
  /\bTimeout at (?:NCCL|RCCL|HCCL) work\b/i,
  /\bwatchdog got stuck for \d+|\bdue to a collective timeout\b|\bcollective timeout detected\b/i,
  /\b(?:NCCL|RCCL|HCCL|Gloo|c10d|collective|all[-_ ]?reduce|all[-_ ]?gather|reduce[-_ ]?scatter|all[-_ ]?to[-_ ]?all|broadcast|barrier)\b.{0,80}\b(?:timed out|hit a time-?out|has not (?:finished|completed)) (?:after|on|at|in|waiting|within|for)\b/i,
  /\bTimed out waiting \d+ ?ms for (?:recv|send) operation\b/,
];

/** The process group broke, or was not made. */
const broken: readonly RegExp[] = [
  /\bDist(?:Backend|Network|Store)?Error\b(?=['":]|$)/,
  /\b(?:NCCL|RCCL|HCCL) (?:watchdog thread terminated with exception|communicator was aborted|operations have failed)\b/,
  /\b(?:NCCL|RCCL) error\b.{0,200}\bnccl\w+|\bnccl(?:System|UnhandledCuda|Internal|Remote|InvalidUsage)Error\b/,
  /\bTimed out after \d+ seconds waiting for clients\b|\bclient socket has timed out after\b|\bwait timeout after \d+ ?ms, keys:/,
  /\bConnection closed by peer\b.{0,60}\[?\d[\d.]+\]?:\d+|\bDEADLINE_EXCEEDED: Barrier timed out\b/,
];

/** Collectives that hang, and process groups that break. */
export const collectiveRules: readonly EventRule[] = [
  {
    words: ['timeout', 'watchdog', 'timed'],
    find({ text, record }) {
      if (!timeouts.some((pattern) => pattern.test(text))) return undefined;
      return told('nccl_timeout', {
        op: /\bOpType=(\w+)/.exec(text)?.[1],
        seq: numberOf(/\bSeqNum=(\d+)|\bat (?:NCCL |RCCL |HCCL )?work: (\d+)/, text),
        rank: numberOf(/\bRank (\d+)\]|\bon rank (\d+)\b/, text) ?? record.rank,
        timeoutMs: numberOf(/\bTimeout\(ms\)=(\d+)|\b(?:waiting|timed out after) (\d+) ?ms\b/, text),
        ranMs: numberOf(/\bran for (\d+) milliseconds\b/, text),
      });
    },
  },
  {
    words: [
      'disterror',
      'distbackenderror',
      'distnetworkerror',
      'diststoreerror',
      'nccl',
      'rccl',
      'hccl',
      'ncclsystemerror',
      'ncclunhandledcudaerror',
      'ncclinternalerror',
      'ncclremoteerror',
      'ncclinvalidusageerror',
      'timed',
      'timeout',
      'peer',
      'barrier',
    ],
    find({ text, record }) {
      if (!broken.some((pattern) => pattern.test(text))) return undefined;
      return told('dist_backend', {
        exception: /\b((?:\w+(?:\.|::))*Dist\w*Error)\b/.exec(text)?.[1],
        error: /\b(nccl[A-Z]\w*Error)\b/.exec(text)?.[1],
        rank: numberOf(/\bRank (\d+)\]|\bon rank (\d+)\b/, text) ?? record.rank,
      });
    },
  },
];
