import { byOutline } from './outline.ts';

/** A line without the marks that launchers put before and behind it. */
export interface Prefixed {
  readonly rank?: number;
  /** What was taken off before it. */
  readonly mark: string;
  readonly rest: string;
}

type Taken = Omit<Prefixed, 'mark'>;

/** Takes the marks of one log's launchers off its lines. */
export interface PrefixReader {
  take(text: string): Prefixed;
}

/** Marks that are known by their shape alone; the group is a rank. By the character that they begin with. */
const marks: Readonly<Record<string, readonly RegExp[]>> = {
  '[': [
    // PyTorch's loggers, torchrun --tee (a role's name and a number), axolotl.
    /^\[(?:rank|default|trainer|worker|RANK|Rank|gpu|GPU|local_rank|process)[ :=_-]?(\d{1,5})\]:?\s?/,
    /^\[(?!step|iter|epoch|batch|update)[a-z_]+(\d{1,4})\]:(?=\D)\s?/,
    // Open MPI --tag-output (job, rank), SageMaker's MPI.
    /^\[\d+,(?:mpirank:)?(\d+)(?:,[^\]]*)?\]<std(?:out|err)>:\s?/,
    // kubectl logs --prefix.
    /^\[pod\/[\w./-]+\]\s/,
  ],
  // Ray and vLLM: `(TaskRunner pid=16292, ip=10.0.0.2)`, `(VllmWorker rank=1 pid=7)`.
  '(': [
    /^\((?:[\w.:]+(?:\([^()]{0,80}\))?\s)?(?:(?:rank=(\d+)|\w+=[^(),\s]+),?\s)*pid=\d+(?:,\s?\w+=[^(),\s]+)*\)\s?/,
    /^\((?:raylet|autoscaler)(?:,[^()]*)?\)\s/,
  ],
};

/** Of container runtimes: `2026-01-02T03:04:05.123456789Z stdout F text`. */
const runtime = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d) std(?:out|err) [FP] /;
/** docker compose: `trainer-1  | text`. */
const compose = /^(?!step|iter|epoch|batch|update)[A-Za-z][\w.]{0,60}[-_]\d{1,4}\s{0,60}\| /i;
/** pdsh, clush, DeepSpeed's launcher: the name of a host before what a logger wrote. */
const hostName =
  /^(?!step|iter|epoch|batch|update)[A-Za-z][\w.-]{0,60}\d[\w.-]{0,60}: (?=\[|\d{4}-\d\d|[A-Z]{4,8}\b|\{')/i;
/** A digit, and what follows the one or the other. */
const mayBeNamed = byOutline((text) => (/\d\s{0,60}\| |\d[\w.-]{0,60}: (?:\[|\d|[A-Z]|\{')/i.test(text) ? 1 : 0));
/** `srun --label`: a number alone before a colon is a rank only where the step is told in the line itself. */
const label = /^\s{0,3}(\d{1,5}): (?=\S|\s)/;
const toldStep = /\b(?:global_?step|step|iter|iteration|it)\b/i;
/** What Ray writes behind a line that several workers printed. */
const repeated = /\s{0,9}\[repeated \d+x across cluster\](?:\s\(Ray deduplicates.*)?\s*$/;
/** Names of ranks inside a line, where a logger writes them, and in what DeepSpeed and Composer say. */
const inside =
  /\[(?:RANK:|Rank |rank:|rank )(\d{1,5})\]|[,[ ]rank[=:](\d{1,5})[\],]|\[PG [^\]]{0,80}Rank (\d{1,5})\]|\bOVERFLOW! Rank (\d{1,5}) |^-+(?:Begin|End) global rank (\d{1,5}) STD|^\s*[[(<]?rank[ :=_]?(\d{1,5})(?:\/\d{1,5})?[\])>:,|]|(?:^|[\s,([{|])(?<!lora |low-)["']?rank["']?\s?[=:]\s?(\d{1,5})(?=[\s,\])}|]|$)/i;

const isRepeated = 1;
const tellsRank = 2;
const saidInside = byOutline(
  (text) =>
    (text.includes('x across cluster]') ? isRepeated : 0) |
    (text.includes('ank') || text.includes('RANK') ? tellsRank : 0),
);

/** A reader at the beginning of a log: whether numbers before a colon are ranks shows itself in its lines. */
export function createPrefixReader(): PrefixReader {
  let labelled = false;
  return {
    take(text) {
      let rest = text;
      let rank: number | undefined;
      // A launcher within a launcher: srun around torchrun.
      for (let marked = 0; marked < 4; marked++) {
        const taken = takeMark(rest) ?? takeLabel(rest);
        if (!taken) break;
        rank ??= taken.rank;
        rest = taken.rest;
      }
      const mark = text.length === rest.length ? '' : text.slice(0, text.length - rest.length);
      const said = saidInside(rest);
      if (said & isRepeated) rest = rest.replace(repeated, '');
      if (said & tellsRank) rank ??= toldInside(rest);
      return rank === undefined ? { rest, mark } : { rest, mark, rank };
    },
  };

  function takeLabel(text: string): Taken | undefined {
    const first = text.charCodeAt(0);
    if (first !== 32 && !(first >= 48 && first <= 57)) return undefined;
    const match = label.exec(text);
    if (!match) return undefined;
    const rest = text.slice(match[0].length);
    if (!labelled && !toldStep.test(rest)) return undefined;
    labelled = true;
    return { rest, rank: Number(match[1]) };
  }
}

function takeMark(text: string): Taken | undefined {
  const first = text[0] ?? '';
  const known = marks[first];
  if (known) {
    for (const mark of known) {
      const match = mark.exec(text);
      if (match)
        return { rest: text.slice(match[0].length), ...(match[1] !== undefined && { rank: Number(match[1]) }) };
    }
    return undefined;
  }
  if (first >= '0' && first <= '9') return without(runtime, text);
  if (/[A-Za-z]/.test(first) && mayBeNamed(text)) return without(compose, text) ?? without(hostName, text);
  return undefined;
}

function without(mark: RegExp, text: string): Taken | undefined {
  const match = mark.exec(text);
  return match ? { rest: text.slice(match[0].length) } : undefined;
}

function toldInside(text: string): number | undefined {
  const told = inside
    .exec(text)
    ?.slice(1)
    .find((rank) => rank !== undefined);
  return told === undefined ? undefined : Number(told);
}
