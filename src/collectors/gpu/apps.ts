import { safeText } from '../../model/text.ts';
import type { GpuProcessesSample } from '../../model/samples.ts';
import { readNumber } from './cells.ts';
import { explainGpu } from './explain.ts';
import { splitCells } from './rows.ts';
import { appsEveryMs } from './script.ts';

/** Reads the rows of `--query-compute-apps=gpu_uuid,pid,used_gpu_memory,process_name`; a round ends with a pause. */
export interface AppsReader {
  push(row: string, receivedAt: number): readonly GpuProcessesSample[];
  quiet(receivedAt: number): readonly GpuProcessesSample[];
  /** nvidia-smi prints nothing when no process holds a GPU: two silent rounds are an empty list. */
  idle(receivedAt: number): readonly GpuProcessesSample[];
  rejected(): number;
}

interface AppRow {
  readonly uuid: string;
  readonly pid: number;
  readonly memoryBytes: number | null;
  readonly name: string;
}

/** A reader for one nvidia-smi stream. */
export function createAppsReader(host: string): AppsReader {
  let rows: AppRow[] = [];
  let roundAt: number | undefined;
  let heardAt: number | undefined;
  let ended = false;
  let rejected = 0;

  const sample = (receivedAt: number): readonly GpuProcessesSample[] => {
    const round = rows;
    rows = [];
    heardAt = receivedAt;
    return [
      {
        kind: 'gpuProcesses',
        host,
        source: 'gpu',
        time: roundAt ?? receivedAt,
        receivedAt,
        uuid: round.map((row) => row.uuid),
        pid: round.map((row) => row.pid),
        name: round.map((row) => row.name),
        memoryBytes: round.map((row) => row.memoryBytes),
      },
    ];
  };

  return {
    push(text, receivedAt) {
      ended = text === 'end';
      if (ended) return rows.length > 0 ? sample(receivedAt) : [];
      const row = readApp(text);
      if (!row) {
        if (!explainGpu(text)) rejected++;
        return [];
      }
      // Half a round's time later it is another round, even if no pause was seen.
      const late = rows.length > 0 && receivedAt - (roundAt ?? receivedAt) > appsEveryMs / 2;
      const before = late ? sample(receivedAt) : [];
      if (rows.length === 0) roundAt = receivedAt;
      rows.push(row);
      return before;
    },
    quiet: (receivedAt) => (rows.length > 0 ? sample(receivedAt) : []),
    idle(receivedAt) {
      heardAt ??= receivedAt;
      if (ended || rows.length > 0 || receivedAt - heardAt < 2.5 * appsEveryMs) return [];
      roundAt = receivedAt;
      return sample(receivedAt);
    },
    rejected: () => rejected,
  };
}

/** Uuid, PID and memory stand first because a name may hold the separator. A hidden process is named `[Not Found]`. */
function readApp(text: string): AppRow | undefined {
  const [uuid = '', pid = '', memory = '', name = ''] = splitCells(text, 4) ?? [];
  if (!/^[\w-]{4,}$/.test(uuid) || !/^\d+$/.test(pid)) return undefined;
  const mebibytes = readNumber(memory);
  return {
    uuid,
    pid: Number(pid),
    memoryBytes: mebibytes === null ? null : mebibytes * 1024 * 1024,
    name: safeText(name),
  };
}
