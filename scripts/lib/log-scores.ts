import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogReader } from '../../src/collectors/log/reader.ts';
import { piecesOf, type NumberedPiece } from '../../src/commands/logs/pieces.ts';
import { recordJson } from '../../src/commands/logs/record-json.ts';
import { sameName } from './log-score-names.ts';

/** What a log says, made by hand: NAME.expected.json beside NAME.log. */
export interface ExpectedLog {
  /** In the order of the file; several of one line where it holds frames of a bar. Fields as `traintop logs --json` prints them. */
  readonly records: readonly ({ readonly line: number } & Readonly<Record<string, unknown>>)[];
  /** Lines from which nothing may be read, not even a metric. */
  readonly chatter?: readonly number[];
  /** By line: fields that count neither way: `step`, `metrics`, `stages.step`, `metrics.*`, `*`. */
  readonly ambiguous?: Readonly<Record<string, readonly string[]>>;
  /** The table is whole: every frame of a bar, every metric and every rank is in it. */
  readonly whole?: boolean;
}

/** How well one log is read. */
export interface LogScore {
  readonly name: string;
  readonly expected: number;
  readonly found: number;
  readonly missing: readonly string[];
  readonly wrong: readonly string[];
}

type Value = string | number;
interface Entry {
  readonly path: string;
  readonly value: Value;
}
interface Given {
  readonly line: number;
  readonly entries: readonly Entry[];
}

/** The logs of a folder that have a table beside them, by name. */
export async function scoreFolder(folder: string): Promise<readonly LogScore[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.expected.json')).sort();
  const scores: LogScore[] = [];
  for (const file of names) {
    const name = file.replace(/\.expected\.json$/, '');
    const log = await readFile(join(folder, `${name}.log`));
    const table = JSON.parse(await readFile(join(folder, file), 'utf8')) as ExpectedLog;
    scores.push({ name, ...(await scoreLog(log, table)) });
  }
  return scores;
}

async function scoreLog(log: Buffer, table: ExpectedLog): Promise<Omit<LogScore, 'name'>> {
  const given = await read(log);
  const physical = log.toString('latin1').split('\n');
  const lines = new Set([...given.map(({ line }) => line), ...table.records.map(({ line }) => line)]);
  const missing: string[] = [];
  const wrong: string[] = [];
  let expected = 0;
  for (const line of [...lines].sort((a, b) => a - b)) {
    const wanted = table.records.filter((record) => record.line === line).map((record) => entriesOf(record));
    const ambiguous = table.ambiguous?.[String(line)] ?? [];
    const isFree = (path: string) => ambiguous.some((field) => field === '*' || within(path, field));
    // `metrics.*`: those that the table does not name.
    const isOpen = (path: string) =>
      ambiguous.some((field) => field === '*' || (!field.endsWith('.*') && within(path, field)));
    const here = given.filter((record) => record.line === line).map(({ entries }) => entries);
    const pairs = align(wanted, here);
    const chatter = table.chatter?.includes(line) ?? false;
    const judged = ({ path }: Entry) =>
      !isFree(path) &&
      !/^(?:lines|level)$|^event\.(?!kind$)/.test(path) &&
      (table.whole === true || chatter || !path.startsWith('metrics.')) &&
      (table.whole === true || wanted.length > 0 || path !== 'rank');
    wanted.forEach((record, i) => {
      const found = here[pairs[i] ?? -1] ?? [];
      for (const entry of record) {
        if (isOpen(entry.path)) continue;
        expected++;
        if (!found.some((candidate) => tells(candidate, entry))) missing.push(`${line}: ${show(entry)}`);
      }
    });
    // Frames of a bar that a table does not list may say what they like; a line without any may not.
    const frames = table.whole !== true && wanted.length > 0 && /\r./.test(physical[line - 1] ?? '');
    here.forEach((entries, j) => {
      const record = wanted[pairs.indexOf(j)];
      if (!record && frames) return;
      for (const entry of entries) {
        const right = record?.some((one) => tells(entry, one)) ?? false;
        const contradicts = record?.some(({ path }) => path === entry.path && path !== 'lines') ?? false;
        if (!right && ((contradicts && !isFree(entry.path)) || judged(entry))) wrong.push(`${line}: ${show(entry)}`);
      }
    });
  }
  return { expected, found: expected - missing.length, missing, wrong };
}

async function read(log: Buffer): Promise<readonly Given[]> {
  const reader = createLogReader<NumberedPiece>();
  const given: Given[] = [];
  const take = (records: ReturnType<typeof reader.push>) => {
    for (const record of records) {
      if (record.pieces.every(({ text }) => text.trim() === '')) continue;
      const [first, last] = [record.pieces[0]?.line ?? 0, record.pieces.at(-1)?.line ?? 0];
      const own = { level: record.level, lines: last - first + 1 };
      given.push({ line: first, entries: [...entriesOf(recordJson(record)), ...entriesOf(own)] });
    }
  };
  for await (const pieces of piecesOf(oneChunk(log))) for (const piece of pieces) take(reader.push(piece));
  take(reader.flush());
  return given;
}

async function* oneChunk(log: Buffer) {
  yield log;
}

/** Never judged where no table names them. */
const aside = ['line', 'span', 'format', 'repeats', 'note'];

function entriesOf(record: object, prefix = ''): readonly Entry[] {
  return Object.entries(record).flatMap(([key, value]): readonly Entry[] => {
    if ((prefix === '' && aside.includes(key)) || value === undefined || value === null) return [];
    if (typeof value === 'object') return entriesOf(value as object, `${prefix}${key}.`);
    return [{ path: prefix + key, value: value as Value }];
  });
}

/** The given record of each wanted one: in order, and so that most is found. */
function align(wanted: readonly (readonly Entry[])[], given: readonly (readonly Entry[])[]): readonly number[] {
  const worth = wanted.map((want) =>
    given.map((have) => want.filter((entry) => have.some((one) => tells(one, entry))).length + 0.001),
  );
  const best = Array.from({ length: wanted.length + 1 }, () => new Array<number>(given.length + 1).fill(0));
  const at = (i: number, j: number) => best[i]?.[j] ?? 0;
  for (let i = wanted.length - 1; i >= 0; i--)
    for (let j = given.length - 1; j >= 0; j--)
      (best[i] ?? [])[j] = Math.max(at(i + 1, j), at(i, j + 1), at(i + 1, j + 1) + (worth[i]?.[j] ?? 0));
  const pairs: number[] = [];
  let [i, j] = [0, 0];
  while (i < wanted.length) {
    if (j >= given.length) {
      pairs.push(-1);
      i++;
    } else if (at(i, j) === at(i + 1, j + 1) + (worth[i]?.[j] ?? 0)) {
      pairs.push(j++);
      i++;
    } else if (at(i, j) === at(i, j + 1)) j++;
    else {
      pairs.push(-1);
      i++;
    }
  }
  return pairs;
}

const within = (path: string, field: string) =>
  path === field || path.startsWith(`${field.replace(/\.\*$/, '')}.`) || (field.includes('.') && sameName(path, field));

/** Whether what was given is what the table has: a time may be a stage's, a wait's, or a metric. */
function tells(given: Entry, wanted: Entry): boolean {
  if (!equal(given.value, wanted.value)) {
    // 25.46 GiB are not whole bytes.
    const isMemory = given.path === 'memoryBytes' && wanted.path === given.path;
    return isMemory && Math.abs(Number(given.value) - Number(wanted.value)) < 1;
  }
  if (given.path === wanted.path) return true;
  const [from, to] = [kindOf(given.path), kindOf(wanted.path)];
  if (from === 'event' && to === 'event') return sameName(given.path, wanted.path);
  const named = ['metrics', 'stages', 'queues'];
  if (given.path === 'stepSeconds') return /^(?:stages\..*step|metrics\..*step).*/i.test(wanted.path);
  if (wanted.path === 'stepSeconds') return false;
  if (!named.includes(from) || !named.includes(to)) return false;
  const sameKind = from === to && partOf(given.path) === partOf(wanted.path);
  const times = isTime(given.path) && isTime(wanted.path);
  return (sameKind || times) && sameName(given.path, wanted.path);
}

const kindOf = (path: string) => path.slice(0, Math.max(0, path.indexOf('.')));
const partOf = (path: string) => (path.startsWith('metrics.') ? '' : path.slice(path.lastIndexOf('.') + 1));
const isTime = (path: string) => path.startsWith('metrics.') || /\.(?:averageSeconds|waitSeconds)$/.test(path);

function equal(a: Value, b: Value): boolean {
  if (typeof a !== 'number' || typeof b !== 'number') return a === b;
  return a === b || Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));
}

const show = ({ path, value }: Entry) => `${path} = ${String(value)}`;
