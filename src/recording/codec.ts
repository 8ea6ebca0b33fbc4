import { isDeepStrictEqual } from 'node:util';
import type { Sample } from '../model/samples.ts';
import { readRows, writeRows, type Columns } from './frame.ts';
import { readLine, writeLine } from './json-line.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import { limits, wholeMs } from './limits.ts';
import { listOf, Misfit, moment, number, objectOf, text, type Shape } from './shape.ts';

/** Samples to lines. Each leans on the one before it of its kind and source (its chain) and tells what is new; after `reset` on none. */
export interface Encoder {
  /** One line without its end. */
  encode(sample: Sample): string;
  reset(): void;
}

/** Lines to the same Samples. */
export interface Decoder {
  /** Undefined for a line that is broken, or that leans on one that is missing: both are counted. */
  decode(line: string): Sample | undefined;
  reset(): void;
  readonly broken: number;
  readonly withheld: number;
}

/** The names that a line has beside its Sample's fields. */
export const lineNames = ['n', 'whole', 'gone', 'rows', 'at'] as const;

type Said = Readonly<Record<string, unknown>>;

/** An encoder at a point where nothing is leant on. */
export function createEncoder(): Encoder {
  const chains = new Map<string, { readonly n: number; readonly last: Sample | undefined; readonly wholeAt: number }>();
  return {
    encode(sample) {
      const kind = kinds.get(sample.kind);
      if (!kind) return writeLine(sample);
      if (kind.alone) return writeLine(lineOf({ sample, kind, n: undefined, last: undefined }).line);
      const name = chainOf(sample);
      const chain = chains.get(name);
      const n = (chain?.n ?? -1) + 1;
      // A clock that was set back begins anew, too.
      const isDue = !chain || Math.abs(sample.receivedAt - chain.wholeAt) >= wholeMs;
      const last = isDue ? undefined : chain.last;
      const { line, isEven } = lineOf({ sample, kind, n, last });
      // Columns of different lengths are a fault of who made them, which no line can tell: a reader counts it.
      chains.set(name, { n, last: isEven ? sample : undefined, wholeAt: last ? chain!.wholeAt : sample.receivedAt });
      return writeLine(line);
    },
    reset() {
      for (const [name, chain] of chains) chains.set(name, { ...chain, last: undefined });
    },
  };
}

/** A decoder for what such an encoder wrote. */
export function createDecoder(): Decoder {
  const chains = createChains();
  let broken = 0;
  let withheld = 0;
  return {
    decode(line) {
      try {
        const said = readLine(line);
        const kind = kinds.get(said['kind'] as string);
        // A newer traintop may have more kinds in the same format.
        if (!kind) return undefined;
        if (kind.alone) return sampleOf({ said, kind, last: undefined });
        const n = number(said['n']);
        const name = chainOf({ kind: said['kind'] as string, source: text(said['source']) });
        const known = chains.take(name);
        const chain = said['whole'] === true ? undefined : known;
        if (said['whole'] !== true && chain?.n !== n - 1) {
          withheld++;
          return undefined;
        }
        const sample = sampleOf({ said, kind, last: chain?.last });
        chains.put(name, { n, last: sample, characters: (chain?.characters ?? 0) + line.length });
        return sample;
      } catch {
        broken++;
        return undefined;
      }
    },
    reset: () => chains.clear(),
    get broken() {
      return broken;
    },
    get withheld() {
      return withheld;
    },
  };
}

interface Chain {
  readonly n: number;
  readonly last: Sample;
  /** Of its lines since the last whole one: the Sample has no more. */
  readonly characters: number;
}

/** A file may begin chains without end: those are forgotten that have been without a line for longest, as if the next were missing. */
function createChains() {
  const chains = new Map<string, Chain>();
  let characters = 0;
  const take = (name: string) => {
    const chain = chains.get(name);
    chains.delete(name);
    characters -= chain?.characters ?? 0;
    return chain;
  };
  const isOver = () => chains.size > limits.chains.value || characters > limits.chainText.value;
  return {
    take,
    put(name: string, chain: Chain) {
      chains.set(name, chain);
      characters += chain.characters;
      for (const oldest of chains.keys()) {
        if (!isOver() || oldest === name) break;
        take(oldest);
      }
    },
    clear() {
      chains.clear();
      characters = 0;
    },
  };
}

/** A Sample of one of these kinds as it is in memory, told whole. */
export function wholeSample<K extends Sample['kind']>(
  ...names: readonly K[]
): Shape<Extract<Sample, { readonly kind: K }>> {
  return (value) => {
    const said = objectOf(value);
    const kind = names.includes(said['kind'] as K) ? kinds.get(said['kind'] as K) : undefined;
    if (!kind) throw new Misfit('a Sample is of another kind');
    return sampleOf({ said, kind, last: undefined }) as Extract<Sample, { readonly kind: K }>;
  };
}

interface Writing {
  readonly sample: Sample;
  readonly kind: Kind;
  /** None: it leans on nothing, and nothing leans on it. */
  readonly n: number | undefined;
  readonly last: Sample | undefined;
}

function lineOf({ sample, kind, n, last }: Writing): { readonly line: Said; readonly isEven: boolean } {
  const { host, source, time, receivedAt } = sample;
  const now = sample as unknown as Said;
  const before = (last ?? {}) as Said;
  const place = n === undefined ? {} : { n, ...(!last && { whole: true }) };
  const line: Record<string, unknown> = { kind: sample.kind, source, ...place, receivedAt };
  if (time !== receivedAt) line['time'] = time;
  if (host !== last?.host) line['host'] = host;
  for (const name of Object.keys(kind.fields)) {
    if (now[name] !== undefined && !isDeepStrictEqual(now[name], before[name])) line[name] = now[name];
  }
  const written =
    kind.keys.length === 0 ? {} : writeRows({ kind, now: now as Columns, last: last as Columns | undefined });
  const names = [...Object.keys(kind.fields), ...Object.keys(kind.columns)];
  const gone = names.filter((name) => now[name] === undefined && before[name] !== undefined);
  return { line: { ...line, ...(gone.length > 0 && { gone }), ...written }, isEven: written !== undefined };
}

interface Reading {
  readonly said: Said;
  readonly kind: Kind;
  readonly last: Sample | undefined;
}

/** Throws a Misfit. */
function sampleOf({ said, kind, last }: Reading): Sample {
  const before = (last ?? {}) as Said;
  const receivedAt = moment(said['receivedAt']);
  const sample: Record<string, unknown> = {
    kind: said['kind'],
    host: said['host'] === undefined && last ? last.host : text(said['host']),
    source: text(said['source']),
    time: said['time'] === undefined ? receivedAt : moment(said['time']),
    receivedAt,
  };
  const gone = new Set(said['gone'] === undefined ? [] : listOf(said['gone']));
  for (const [name, field] of Object.entries(kind.fields)) {
    const shape = typeof field === 'function' ? field : field.optional;
    const value = said[name] !== undefined ? shape(said[name]) : gone.has(name) ? undefined : before[name];
    if (value !== undefined) sample[name] = value;
    else if (typeof field === 'function') throw new Misfit('a field is missing');
  }
  if (kind.keys.length > 0) Object.assign(sample, readRows({ kind, said, gone, last: last as Columns | undefined }));
  return sample as unknown as Sample;
}

function chainOf({ kind, source }: { readonly kind: string; readonly source: string }): string {
  return `${kind} ${source}`;
}
