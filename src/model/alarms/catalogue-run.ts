import type { AlarmEntry } from './catalogue-entry.ts';

const s = 1000;
const min = 60 * s;

/** Alarms of the run, its log, its queues and the way to it. */
export const ofRun = {
  'run-ended': {
    title: 'run ended',
    unit: '',
    measures: 'processes of the run that are there, the workers of its loaders left out; it rings when there is none',
    worse: 'once',
    rule: {
      ...{ threshold: 0, clear: 1, forMs: 0, clearForMs: 0, coolDownMs: 0 },
      severity: 'critical',
    },
    because: {
      threshold: 'a run whose root process and ranks are gone does not come back by itself',
      times:
        'it rings at once where the log or the kernel said why; else it waits for the next look at the log of the kernel, half a minute at most',
      severity: 'GPUs stand idle from here on; where the log said that the training is over it is `info`',
    },
    over: 'another run is watched',
    resolved: 'A run is there again',
  },
  'no-step': {
    title: 'no step',
    unit: '',
    measures:
      'time since the last line with a step, a loss or a speed, in usual step times; at least three of the usual gaps between such lines, and `for`',
    worse: 'higher',
    rule: {
      ...{ threshold: 10, clear: 1, forMs: min, clearForMs: 0, coolDownMs: 5 * min },
      severity: 'critical',
    },
    because: {
      threshold:
        'a step that is slow for once takes two or three times as long, not ten. Lines that come in bursts, because a buffer is written when it is full, have their usual gap too. GPUs that work as before say that only the log is late: then it does not ring',
      times:
        'a minute hides a collector of Python, a worker that is started again and a save that the log does not name. A checkpoint or an evaluation that the log or the disks tell of may take four times as long as the longest so far, and five minutes at least; half an hour where none was seen yet',
      severity: 'nothing is learned from here on, and the watchdog of NCCL ends the run in ten to thirty minutes',
    },
    over: 'a step is told again',
    resolved: 'Steps are told again',
    ofRun: true,
  },
  'loss-not-finite': {
    title: 'loss not finite',
    unit: 'lines',
    measures: 'lines in a row with a loss that is NaN or infinite, after one that was a number',
    worse: 'higher',
    rule: {
      ...{ threshold: 2, clear: 0, forMs: 0, clearForMs: 0, coolDownMs: 30 * min },
      severity: 'critical',
    },
    because: {
      threshold: 'one batch may be odd, and its step is skipped; weights that are NaN give NaN for ever',
      times: 'lines are counted, not seconds',
      severity: 'each further step is lost',
    },
    over: 'three losses in a row are numbers',
    resolved: 'The loss is a number again',
    ofRun: true,
  },
  'loss-jump': {
    title: 'loss jumped',
    unit: 'deviations',
    measures:
      'median of the newest ten losses above the median of some 120 before them, in robust deviations (1.48 times the median deviation), and a tenth of that median at least',
    worse: 'higher',
    rule: {
      ...{ threshold: 8, clear: 4, forMs: 0, clearForMs: min, coolDownMs: 30 * min },
      severity: 'warning',
    },
    because: {
      threshold:
        'losses of single batches have long tails, but the median of ten comes hardly two deviations away; eight are another regime',
      times: 'the median of ten lines is beyond when six of them are: a spike of some steps is none',
      severity: 'it may come down by itself; who looks can go back to a checkpoint in time',
    },
    over: 'the median is below `clear`, or has stayed where it is for 500 lines',
    resolved: 'The loss is as before',
    ofRun: true,
  },
  slow: {
    title: 'slow',
    unit: '',
    measures:
      'median speed of the last minute (tokens/s, else samples/s, else steps/s) as a share of the median of the last hour, of what was not slow',
    worse: 'lower',
    rule: {
      ...{ threshold: 0.7, clear: 0.8, forMs: 3 * min, clearForMs: min, coolDownMs: 30 * min },
      severity: 'warning',
    },
    because: {
      threshold:
        'length of sequences and neighbours on the network move the speed by a tenth or two; three tenths are hours of a night. It must be below the lowest twentieth of the hour too: a run whose steps differ by nature is not slow',
      times:
        'three minutes are longer than a save, whose pause is left out besides; of twenty readings at least is learned what is usual',
      severity: 'the run goes on',
    },
    over: 'the speed is above `clear` for a minute, or has stayed where it is for two hours',
    resolved: 'The speed is as before',
    ofRun: true,
  },
  'queue-empty': {
    title: 'queue empty',
    unit: '%',
    measures:
      'readings of the last minute with a queue at a tenth or below, while the run is slower than before and the queue was not so in its learned time',
    worse: 'higher',
    rule: {
      ...{ threshold: 90, clear: 50, forMs: 10 * min, clearForMs: min, coolDownMs: 60 * min },
      severity: 'warning',
    },
    because: {
      threshold: 'who fills it is late nearly always. A queue that always is empty, or costs no speed, is healthy',
      times: 'a shard that is opened, or a cache that is cold, holds it empty for minutes',
      severity: 'the run goes on, slower',
    },
    over: 'it is empty in less than `clear` of the readings for a minute',
    resolved: 'It fills again',
    ofRun: true,
  },
  'queue-full': {
    title: 'queue full',
    unit: '%',
    measures:
      'readings of the last minute with a queue at nine tenths or above, while the run is slower than before and the queue was not so in its learned time',
    worse: 'higher',
    rule: {
      ...{ threshold: 90, clear: 50, forMs: 10 * min, clearForMs: min, coolDownMs: 60 * min },
      severity: 'warning',
    },
    because: {
      threshold: 'who empties it is late nearly always. A queue that always is full, or costs no speed, is healthy',
      times: 'an evaluation, or a slow neighbour, holds it full for minutes',
      severity: 'the run goes on, slower',
    },
    over: 'it is full in less than `clear` of the readings for a minute',
    resolved: 'It empties again',
    ofRun: true,
  },
  'link-lost': {
    title: 'link lost',
    unit: '',
    measures: 'time for which nothing comes from the host, while this machine was awake',
    worse: 'once',
    rule: {
      ...{ threshold: 1, clear: 0, forMs: min, clearForMs: 10 * s, coolDownMs: 10 * min },
      severity: 'warning',
    },
    because: {
      threshold: 'the connection was up before',
      times: 'a change of the network is over within a minute, and it is tried again by itself',
      severity: 'the run goes on; nobody sees how',
    },
    over: 'it is up for ten seconds',
    resolved: 'The link is back',
  },
  verdict: {
    title: 'verdict',
    unit: '',
    measures: 'confidence of a verdict that is asked for by name',
    worse: 'higher',
    rule: {
      ...{ threshold: 0.75, clear: 0.5, forMs: 30 * s, clearForMs: 10 * s, coolDownMs: 5 * min },
      severity: 'critical',
    },
    because: {
      threshold: 'from here on the screen calls it sure',
      times:
        'of collective-hang: a rank that plots or saves alone is back within half a minute, or its work is seen; of stalled two minutes, for it names nobody, and only where `no-step` knows no pace or is off, unless it is asked for by name',
      severity: 'of those that ring by default, collective-hang and stalled, nothing comes back by itself',
    },
    over: 'it is not told, or with less than `clear`, for ten seconds',
    resolved: 'It is over',
    ofRun: true,
  },
  pattern: {
    title: 'pattern',
    unit: 'lines',
    measures: 'lines of the logs that fit a pattern of yours, since the watch began',
    worse: 'once',
    rule: {
      ...{ threshold: 1, clear: 0, forMs: 0, clearForMs: min, coolDownMs: 5 * min },
      severity: 'warning',
    },
    because: {
      threshold: 'you asked for it',
      times: 'a line that repeats is told every five minutes, with how many were not',
      severity: 'you know; it can be said with each',
    },
    over: 'a minute after it rang',
    resolved: 'It was told',
  },
} as const satisfies Readonly<Record<string, AlarmEntry>>;
