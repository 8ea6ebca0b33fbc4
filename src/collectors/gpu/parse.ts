import { safeText } from '../../model/text.ts';
import type { Sample } from '../../model/samples.ts';
import type { Context, Parser } from '../collector.ts';
import { createAppsReader } from './apps.ts';
import { explainGpu } from './explain.ts';
import type { Column } from './fields.ts';
import { countersEveryMs, createGpmReader } from './gpm.ts';
import { createReadingsReader } from './readings.ts';
import { readGpuRow, type GpuRow } from './rows.ts';
import { valueColumns } from './values.ts';

/** What of the host reading needs. */
export interface GpuContext {
  readonly host: string;
  readonly facts: Pick<Context['facts'], 'clockOffsetMs' | 'utcOffsetMinutes'> & {
    readonly nvidia?: { readonly gpuCount: number };
  };
}

/** A parser that can be told that nothing more comes. */
export interface GpuParser extends Parser {
  /** The round that was not whole by then. */
  end(receivedAt: number): readonly Sample[];
}

/**
 * Reads what script.ts prints. A frame is one row a GPU, in rising order of index: it goes out when as many rows came as the
 * last round had, else when the next round begins. A pause does not end it: a busy driver pauses within a round. The first
 * frame waits for the slow columns, but not longer than until the next. It has the readings that came since the one before, and the newest counters of GPM.
 */
export function createGpuParser(
  { host, facts }: GpuContext,
  columns: readonly Column[],
  slowColumns: readonly Column[] = [],
): GpuParser {
  /** The newest slow row of each index. */
  const slow = new Map<number, GpuRow>();
  let waitsForSlow = slowColumns.length > 0;
  let held: Round | undefined;
  const known = new Map<number, Identity>();
  const lost = new Map<number, string>();
  const apps = createAppsReader(host);
  const readings = createReadingsReader();
  let expected = Math.max(1, facts.nvidia?.gpuCount ?? 1);
  const gpm = createGpmReader(countersEveryMs(expected));
  let rows: GpuRow[] = [];
  let given = false;
  let rejected = 0;

  function frame(receivedAt: number): readonly Sample[] {
    if (rows.length === 0) return [];
    given = true;
    expected = rows.length;
    const round = { rows, readings: readings.take(), receivedAt };
    if (waitsForSlow && !held && slow.size < rows.length) {
      held = round;
      return [];
    }
    return [...release(), ...made(round)];
  }

  /** The first frame, if it still waits. */
  function release(): readonly Sample[] {
    waitsForSlow = false;
    const first = held;
    held = undefined;
    return first ? made(first) : [];
  }

  function made({ rows, readings, receivedAt }: Round): readonly Sample[] {
    const all = [...rows.map(withSlow), ...lostRows(rows)].sort((a, b) => a.index - b.index);
    const index = all.map((row) => row.index);
    const hostTime = rows[0]?.hostTime;
    const time = hostTime === undefined ? receivedAt : onOurAxis(hostTime - facts.clockOffsetMs, receivedAt);
    return [
      {
        kind: 'gpus',
        host,
        source: 'gpu',
        time,
        receivedAt,
        uuid: all.map((row) => row.uuid ?? known.get(row.index)?.uuid ?? `index:${row.index}`),
        index,
        name: all.map((row) => row.name ?? known.get(row.index)?.name ?? null),
        ...valueColumns(all, slow.size > 0 ? [...columns, ...slowColumns] : columns),
        ...(readings.size > 0 && { utilizationReadings: index.map((gpu) => readings.get(gpu) ?? null) }),
        // A GPU that is lost may have told some a moment ago.
        ...gpm.columns(
          index.map((gpu) => (rows.some((row) => row.index === gpu) ? gpu : undefined)),
          receivedAt,
        ),
      },
      ...apps.idle(receivedAt),
    ];
  }

  /** With what the newest slow row says; its faults only where they are of its own cells: others are older than the row's. */
  const withSlow = (row: GpuRow): GpuRow => {
    const more = slow.get(row.index);
    if (!more) return row;
    return {
      ...row,
      numbers: new Map([...more.numbers, ...row.numbers]),
      words: new Map([...more.words, ...row.words]),
      fault: row.fault ?? (more.fault === 'ERR!' ? more.fault : null),
    };
  };

  function takeSlow(text: string): readonly Sample[] {
    if (text === 'end') return release();
    const row = readGpuRow(text, slowColumns, facts.utcOffsetMinutes);
    if (row) slow.set(row.index, row);
    else if (!explainGpu(text)) rejected++;
    return held && slow.size >= held.rows.length ? release() : [];
  }

  const lostRows = (rows: readonly GpuRow[]): readonly GpuRow[] =>
    [...lost]
      .filter(([index]) => !rows.some((row) => row.index === index))
      .map(([index, fault]) => ({ index, name: null, numbers: new Map(), words: new Map(), reasons: null, fault }));

  function takeRow(row: GpuRow, receivedAt: number): readonly Sample[] {
    const last = rows.at(-1)?.index ?? -1;
    const before = row.index > last || given ? [] : frame(receivedAt);
    if (row.index <= last) {
      rows = [];
      given = false;
    }
    rows.push(row);
    if (row.uuid !== undefined) known.set(row.index, { uuid: row.uuid, name: row.name });
    return rows.length >= expected ? [...before, ...frame(receivedAt)] : before;
  }

  return {
    push(line, receivedAt) {
      if (line === '' || readings.push(line)) return [];
      if (line.startsWith('app ')) return apps.push(line.slice(4), receivedAt);
      if (line.startsWith('slow ')) return takeSlow(line.slice(5));
      if (line.startsWith('gpm ')) {
        gpm.push(line.slice(4), receivedAt);
        return [];
      }
      const note = /^(?:rows (\d+)|lost (\d+) (.*))$/.exec(line);
      if (note?.[1] !== undefined) {
        expected = Number(note[1]);
        rows = [];
        given = false;
        return [];
      }
      if (note?.[2] !== undefined) {
        lost.set(Number(note[2]), shorten(note[3] ?? ''));
        return [];
      }
      const row = readGpuRow(line, columns, facts.utcOffsetMinutes);
      if (row) return takeRow(row, receivedAt);
      if (!explainGpu(line)) rejected++; // an error stands on standard output too, and is told by the plan
      return [];
    },
    quiet: (receivedAt) => apps.quiet(receivedAt),
    end: (receivedAt) => [...(given ? [] : frame(receivedAt)), ...(held ? release() : [])],
    get rejected() {
      return rejected + apps.rejected();
    },
  };
}

/** One row a GPU, and what was read of each since the round before. */
interface Round {
  readonly rows: readonly GpuRow[];
  readonly readings: ReadonlyMap<number, readonly number[]>;
  readonly receivedAt: number;
}

interface Identity {
  readonly uuid: string;
  readonly name: string | null;
}

/**
 * The offset of the time zone was read when we connected: summer time may begin since, and nvidia-smi may run in a container
 * of another zone than date. Zones differ by quarters of an hour, and no line is that late.
 */
function onOurAxis(time: number, receivedAt: number): number {
  const quarter = 15 * 60_000;
  return time + Math.round((receivedAt - time) / quarter) * quarter;
}

/** `Unable to determine the device handle for GPU0000:09:00.0: GPU is lost.  Reboot ...` without what the row's place says. */
function shorten(text: string): string {
  const rest = text.replace(/^Unable to determine the device handle for GPU ?[0-9a-f:.]+: */i, '');
  return safeText(rest.replace(/\s+/g, ' ').trim()).slice(0, 200) || 'does not answer';
}
