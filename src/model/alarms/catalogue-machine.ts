import type { AlarmEntry } from './catalogue-entry.ts';

const s = 1000;
const min = 60 * s;

/** Alarms of GPUs, memory and disks. */
export const ofMachine = {
  'gpu-idle': {
    title: 'GPU idle',
    unit: '%',
    measures:
      'utilization of a GPU of the run that had worked, the mean of half a minute, while the run makes steps and does not save or evaluate',
    worse: 'lower',
    rule: {
      ...{ threshold: 5, clear: 15, forMs: 5 * min, clearForMs: 10 * s, coolDownMs: 30 * min },
      severity: 'warning',
    },
    because: {
      threshold: 'a GPU with work shows more in each second; below is a driver that looks',
      times:
        'GPUs take turns where one part generates and another trains: five minutes, and twice the usual gap between steps, have a turn of each in them',
      severity: 'the run goes on without it',
    },
    over: 'it works again',
    resolved: 'It works again',
    ofRun: true,
  },
  'gpu-hot': {
    title: 'GPU hot',
    unit: '°C',
    measures: 'temperature of a GPU; of HBM (where it is told) 10 °C more, of other memory 24 °C more',
    worse: 'higher',
    rule: {
      ...{ threshold: 86, clear: 82, forMs: 30 * s, clearForMs: min, coolDownMs: 30 * min },
      severity: 'warning',
    },
    because: {
      threshold:
        'GPUs of data centres slow down at 87 to 92 °C and run at 45 to 75; cards with fans are held at 83 or 84 on purpose. HBM slows down from 95 °C on, GDDR6X from 110',
      times: 'a fan needs some seconds to follow the load',
      severity: 'it protects itself, by its clock',
    },
    over: 'it is at `clear` or below for a minute',
    resolved: 'It is cool again',
  },
  'gpu-throttled': {
    title: 'GPU throttled',
    unit: '%',
    measures:
      'readings of the last minute in which heat (hw thermal, sw thermal), a hardware slowdown or a power brake held the clock down, while the GPU works. The software power cap is none: a healthy GPU at full power is at it',
    worse: 'higher',
    rule: {
      ...{ threshold: 50, clear: 20, forMs: 30 * s, clearForMs: min, coolDownMs: 30 * min },
      severity: 'warning',
    },
    because: {
      threshold: 'a slowdown for some seconds costs nothing that counts; half of the time costs steps of all ranks',
      times: 'together with the minute that is looked at, it has lasted about as long',
      severity: 'the run goes on, slower',
    },
    over: 'it is held down in less than `clear` of the time, for a minute',
    resolved: 'Its clock is free again',
  },
  'gpu-ecc': {
    title: 'GPU memory error',
    unit: 'errors',
    measures:
      'uncorrected ECC errors of a GPU since its driver was loaded, beyond those that were there when it was first seen',
    worse: 'higher',
    rule: {
      ...{ threshold: 1, clear: 0, forMs: 0, clearForMs: 30 * min, coolDownMs: 30 * min },
      severity: 'critical',
    },
    because: {
      threshold:
        'each was a wrong word in memory: a program that reads it is ended, or computes with it. What was there before is not news',
      times: 'it is no state but happened; after half an hour without another it is over',
      severity: 'the GPU needs a reset, or a page of it is retired',
    },
    over: 'there was no further one for half an hour',
    resolved: 'No further error of its memory came',
  },
  'gpu-xid': {
    title: 'GPU fault (Xid)',
    unit: 'lines',
    measures: 'lines about a fault of a GPU in the log of the kernel, or of the run, since the watch began',
    worse: 'once',
    rule: {
      ...{ threshold: 1, clear: 0, forMs: 0, clearForMs: 10 * min, coolDownMs: 10 * min },
      severity: 'critical',
    },
    because: {
      threshold: 'the driver writes none for a healthy run',
      times: 'it is no state but happened; one fault makes many lines within minutes',
      severity:
        'hardware faults (48, 63, 64, 74, 79, 92, 94, 95, 119 and others) are critical; 13, 31, 43 and 45, which a program makes by itself or which follow its end, are a `warning`',
    },
    over: 'there was no further one for ten minutes',
    resolved: 'No further fault came',
  },
  'gpu-lost': {
    title: 'GPU lost',
    unit: '',
    measures: 'two frames in a row in which a GPU is not listed, or in which its cells say that it is lost',
    worse: 'once',
    rule: {
      ...{ threshold: 1, clear: 0, forMs: 0, clearForMs: 10 * s, coolDownMs: 5 * min },
      severity: 'critical',
    },
    because: {
      threshold: 'one frame may be cut',
      times: 'it comes back after a reset only',
      severity: 'the run stands, or ends',
    },
    over: 'it answers again',
    resolved: 'It answers again',
  },
  'nvml-broken': {
    title: 'NVML broken',
    unit: '',
    measures: 'nvidia-smi fails with words of NVML, while GPUs were there before and the run goes on',
    worse: 'once',
    rule: {
      ...{ threshold: 1, clear: 0, forMs: 30 * s, clearForMs: 10 * s, coolDownMs: 30 * min },
      severity: 'warning',
    },
    because: {
      threshold:
        'a container that lost its devices (systemd daemon-reload), or a driver that was updated under its module',
      times: 'a reset of another GPU, and a driver that is loaded again, take some seconds',
      severity: 'what runs goes on; what starts next finds no GPU',
    },
    over: 'nvidia-smi answers again',
    resolved: 'nvidia-smi answers again',
  },
  'memory-full': {
    title: 'memory full',
    unit: '%',
    measures:
      'memory that is left: of the limit of the cgroup where there is one (file pages that can be dropped are not counted as used), and of the host',
    worse: 'lower',
    rule: {
      ...{ threshold: 5, clear: 8, forMs: 30 * s, clearForMs: 30 * s, coolDownMs: 30 * min },
      severity: 'critical',
    },
    because: {
      threshold: 'a checkpoint that is gathered on the host, or a loader more, takes that much at once',
      times: 'a peak of a save is over sooner',
      severity: 'the kernel kills the largest process: the run',
    },
    over: 'more than `clear` is left for half a minute',
    resolved: 'There is memory again',
  },
  'shm-full': {
    title: '/dev/shm full',
    unit: '%',
    measures: 'what is left of /dev/shm, looked at every half minute',
    worse: 'lower',
    rule: {
      ...{ threshold: 5, clear: 10, forMs: 0, clearForMs: 0, coolDownMs: 30 * min },
      severity: 'critical',
    },
    because: {
      threshold: 'batches of some workers that come at once take that much',
      times: 'it is looked at seldom: one look counts',
      severity: 'a loader worker that writes there beyond the end dies of SIGBUS, and the run with it',
    },
    over: 'a look finds more than `clear`',
    resolved: 'There is room again',
  },
  'disk-full': {
    title: 'disk full',
    unit: '%',
    measures:
      'what is left for the user of the file systems with the folder of the run, its logs, its checkpoints and /tmp, together with less than 50 GB; files (inodes) too. Or a quarter is left at most, and it will be full within half an hour at the speed of the last minutes',
    worse: 'lower',
    rule: {
      ...{ threshold: 5, clear: 8, forMs: 0, clearForMs: 0, coolDownMs: 30 * min },
      severity: 'critical',
    },
    because: {
      threshold: 'of a file system of 28 TB a twentieth is room for days: both must be so',
      times: 'it is looked at every half minute: one look counts',
      severity: 'a checkpoint that cannot be written ends most runs, or leaves half a file',
    },
    over: 'a look finds more than `clear`, or 60 GB, and for ten minutes it did not fill up soon, or three tenths are left',
    resolved: 'There is room again',
  },
} as const satisfies Readonly<Record<string, AlarmEntry>>;
