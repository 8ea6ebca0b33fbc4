import { isLogSource } from './log-sources.ts';
import { cores } from './series-names.ts';
import type { GpusSample, HostSample, LogLine, LogSample, ProcessesSample, Sample, ThreadsSample } from './samples.ts';

/**
 * Reads what Samples say as numbers of named series: `gpu/0/powerWatts`. Names end in the unit that the Sample's field has. They are
 * all that there is; the history keeps a part of them (series-names.ts).
 */
export interface SeriesReader {
  /** Gives each number that is there; what is absent is not given. */
  read(sample: Sample, take: (series: string, time: number, value: number) => void): void;
  /** What the series is of, where its name does not tell: a GPU's model and UUID, a thread's name. */
  about(series: string): string | undefined;
}

/** The last value of a stretch stands for it: a mean of steps or counters says nothing. */
export const isCounter = (series: string): boolean =>
  /\/(?:step|totalSteps|epoch|etaSeconds|readBytes|writtenBytes|memoryTotalBytes|capacity|pcieGeneration|pcieWidth)$/.test(
    series,
  );

/**
 * A reader at the beginning of a recording. GPUs are named by nvidia-smi's index; one that takes an index which another one had
 * (after a boot without a broken GPU) is named by its UUID, so that two are never one series. Without `many` those of threads and
 * processes are left out.
 */
export function createSeriesReader({ many = true } = {}): SeriesReader {
  const gpuNames = new Map<string, string>();
  const name = createNames();
  const notes = new Map<string, string>();
  const note = (subject: string, text: string) => void notes.set(subject, text);

  function gpuName(uuid: string, index: number | undefined): string {
    const known = gpuNames.get(uuid);
    if (known !== undefined || index === undefined) return known ?? uuid;
    const free = ![...gpuNames.values()].includes(String(index));
    gpuNames.set(uuid, free ? String(index) : uuid);
    return free ? String(index) : uuid;
  }

  return {
    read(sample, take) {
      const { time } = sample;
      const give = (series: string, value: unknown, at = time) => {
        if (typeof value === 'number') take(series, at, value);
      };
      switch (sample.kind) {
        case 'gpus':
          return readGpus(sample, (row, field, value) => {
            const uuid = sample.uuid[row] ?? '';
            const gpu = name('gpu', gpuName(uuid, sample.index[row]));
            if (field === 'name') note(gpu, [value, uuid].filter(Boolean).join(' '));
            else give(name(gpu, field), value);
          });
        case 'gpuProcesses':
          if (!many) return;
          return sample.pid.forEach((pid, row) => {
            const gpu = gpuName(sample.uuid[row] ?? '', undefined);
            give(`process/${pid}/gpu/${gpu}/memoryBytes`, sample.memoryBytes[row]);
            note(`process/${pid}/gpu`, sample.name[row] ?? '');
          });
        case 'host':
          return readFields(sample, (field, value) => give(name('host', field), value));
        case 'link':
          return give('link/roundTripMs', sample.roundTripMs);
        case 'log':
          return readLog(sample, give);
        case 'processes':
          return many ? readProcesses(sample, give) : undefined;
        case 'threads':
          give('run/cores', withoutNoise(cores(sample.cpuPercent)));
          return many ? readThreads(sample, give, note) : undefined;
        default:
      }
    },
    about(series) {
      const parts = series.split('/');
      for (let length = parts.length - 1; length > 0; length--) {
        const note = notes.get(parts.slice(0, length).join('/'));
        if (note !== undefined) return note;
      }
      return undefined;
    },
  };
}

/** A name made anew for each value would be most of the work: of each pair the same string is given. */
function createNames(): (subject: string, field: string) => string {
  const names = new Map<string, Map<string, string>>();
  return (subject, field) => {
    let fields = names.get(subject);
    if (!fields) names.set(subject, (fields = new Map<string, string>()));
    let name = fields.get(field);
    if (name === undefined) fields.set(field, (name = `${subject}/${field}`));
    return name;
  };
}

type Give = (series: string, value: unknown, time?: number) => void;

/** Every column of numbers, those of later versions too, and the name; and whether the clocks are held down, as 1 or 0. */
function readGpus(sample: GpusSample, give: (row: number, field: string, value: unknown) => void) {
  for (const [field, column] of Object.entries(sample)) {
    if (field === 'index' || !Array.isArray(column)) continue;
    for (let row = 0; row < column.length; row++) give(row, field, column[row]);
  }
  sample.throttleReasons?.forEach((reasons, row) => {
    if (reasons) give(row, 'throttled', reasons.length > 0 ? 1 : 0);
  });
}

/** A sum has no more digits than its parts. */
function withoutNoise(sum: number | undefined): number | undefined {
  return sum === undefined ? undefined : Number(sum.toPrecision(12));
}

function readFields(
  { time: _t, receivedAt: _r, ...fields }: HostSample,
  give: (field: string, value: unknown) => void,
) {
  for (const [field, value] of Object.entries(fields)) give(field, value);
}

/** The values of the first log are `log/loss`, of the second `log:2/loss`. */
function readLog(sample: LogSample, give: Give) {
  const log = isLogSource(sample.source) ? sample.source : 'log';
  for (const line of sample.lines) if (isDated(line, sample)) readLine(log, line, give);
}

/** Of a backlog, lines without a stamp: nobody knows when they were written. */
function isDated({ undated, time }: LogLine, { backlog, receivedAt }: LogSample): boolean {
  return !undated && (!backlog || time !== receivedAt);
}

function readLine(log: string, { values, time }: LogLine, give: Give) {
  const { queues = [], stages = [], other = {}, ...fields } = values ?? {};
  for (const [field, value] of Object.entries(fields)) give(`${log}/${field}`, value, time);
  for (const [key, value] of Object.entries(other)) give(`${log}/other/${key}`, value, time);
  for (const { name, ...figures } of queues)
    for (const [figure, value] of Object.entries(figures)) give(`queue/${name}/${figure}`, value, time);
  for (const { name, ...figures } of stages)
    for (const [figure, value] of Object.entries(figures)) give(`stage/${name}/${figure}`, value, time);
}

function readProcesses(sample: ProcessesSample, give: Give) {
  sample.pid.forEach((pid, row) => {
    for (const field of ['rssBytes', 'threadCount', 'readBytes', 'writtenBytes'] as const)
      give(`process/${pid}/${field}`, sample[field][row]);
  });
}

function readThreads(sample: ThreadsSample, give: Give, note: (subject: string, text: string) => void) {
  sample.tid.forEach((tid, row) => {
    const thread = `thread/${sample.pid[row]}/${tid}`;
    note(thread, sample.comm[row] ?? '');
    for (const field of ['cpuPercent', 'userPercent', 'systemPercent', 'runQueuePercent'] as const)
      give(`${thread}/${field}`, sample[field][row]);
  });
}
