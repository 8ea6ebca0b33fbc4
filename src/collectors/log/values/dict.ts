import { isLetter, isSpace, isWordly } from './chars.ts';
import type { Draft } from '../draft.ts';
import type { Meaning } from './names.ts';
import { remember } from './remember.ts';
import { scanNumber } from './scan-number.ts';
import { blankReading, scanValue } from './scan-value.ts';
import { take, takeByUnit, takeStage, type Place } from './take.ts';

interface DictPlace {
  readonly draft: Draft;
  readonly place: Place;
  readonly find: (key: string) => Meaning | undefined;
  /** Of the dict itself: `timings={'fwd': 0.1}`. */
  readonly prefix: string;
}

/** Names of dicts that say nothing of what is in them. */
const wrapper =
  /^(?:metrics?|logs?|stats?|results?|values?|data|output|outputs|info|record|payload|scalars?|summary|extra|fields|train|training|context|kwargs|attributes|labels|event|msg|message|status|report|reporting)$/i;
const phaseKey = /^(?:phase|split|mode|subset|stage|set|type|kind)$/i;
const evaluating = /^(?:val|valid|validation|eval|evaluation|test|dev)/i;
const setting =
  /^(?:.*batch_?size|seed|.*weight_decay|optimizer|.*warmup.*|num_?layers|n_?layers?|hidden_?(?:size|dim)|vocab_?size|d_?model|dropout|.*output_dir|model_?(?:name|path|type).*|num_(?:train_)?epochs|.*beta[s12]|.*_dir|dtype|.*num_workers|gradient_accumulation_steps|.*scheduler.*|max_grad_norm|clip_grad.*|n_?heads?|num_?heads|save_.*|log(?:ging)?_(?:every|steps|interval|level).*|eval_(?:every|steps|interval).*|(?:max|num)_(?:train(?:ing)?_)?(?:steps|iters|updates))$/i;
const configuration = /^(?:\w*config(?:uration)?|args|arguments|h?params|hyper_?parameters|settings|options|cfg)$/i;
const ownerKey = /^(?:queue|buffer|stage|phase|span|timer)(?:_?name)?$/i;
const ofStage =
  /^(?:avg|mean|average|max|maximum|n|count|calls|ms|seconds|time|duration|elapsed|took)(?:_(?:ms|us|s|sec|seconds))?$/i;
/** Of the run's own phases: what is told there is no stage of a step. */
const ofRun =
  /^(?:train(?:ing)?|val(?:id(?:at(?:e|ion))?)?|eval(?:uat(?:e|ion))?|test(?:ing)?|dev|warm-?up|predict|main|init|setup|start(?:ed)?|running|done|finished|completed?|\d+)$/i;
const ofQueue =
  /^(?:depth|size|len|length|cap|capacity|max_?size|limit|low|high|min|max|wait(?:ed|ing)?(?:_?time)?)(?:_(?:ms|us|s|sec|seconds))?$/i;
const mostDepth = 6;
const isSetting = remember((key) => setting.test(key));
const isWrapper = remember((key) => wrapper.test(key));

/** Reads Python dicts, JSON objects and their like, entry by entry: a dict with `nan` is neither JSON nor a literal. */
export function createDictReader() {
  const reading = blankReading();

  return (text: string, at: number, { draft, place, find, prefix }: DictPlace): number => {
    const outer = prefix === '' || isWrapper(prefix) ? '' : prefix;
    let settings = configuration.test(prefix) ? 2 : 0;
    let running = false;
    /** `"queue": "loader", "depth": 7`: whose numbers follow. */
    let owner: { readonly as: 'queue' | 'stage'; readonly name: string } | undefined;
    let numbers = 0;
    let calls: { readonly key: string; readonly name: string; readonly value: number } | undefined;
    let timed = false;
    // The run's summary: its train_loss is a mean over the whole run (transformers' Trainer).
    const summary = text.includes('train_runtime') && text.includes('train_loss');

    const object = (from: number, path: string, depth: number): number => {
      let i = from + 1;
      let key = '';
      let hasKey = false;
      while (i < text.length) {
        const code = text.charCodeAt(i);
        if (isSpace(code) || code === 44 || code === 10) {
          i++;
          continue;
        }
        if (code === 125) return i + 1;
        if (!hasKey) {
          if (code === 34 || code === 39) {
            const to = stringEnd(text, i, code);
            key = text.slice(i + 1, to);
            i = to + 1;
          } else if (isWordly(code) || code === 64 || code === 36 || code === 40) {
            let to = i + 1;
            while (to < text.length && !/[:=,}\]\n]/.test(text.charAt(to))) to++;
            key = text.slice(i, to).trim();
            i = to;
          } else {
            i++;
            continue;
          }
          while (isSpace(text.charCodeAt(i))) i++;
          const tie = text.charCodeAt(i);
          if (tie !== 58 && tie !== 61) continue;
          i++;
          hasKey = true;
          continue;
        }
        hasKey = false;
        const full = path === '' || isWrapper(key) ? (path === '' ? key : path) : `${path}/${key}`;
        const name = isWrapper(path) || path === '' ? key : `${path}/${key}`;
        i = valueAt(i, isWrapper(key) ? path : full, name, key, depth);
      }
      return i;
    };

    /** `[{"name": "fwd", "avg_ms": 88.1}, ...]`: each under its name. */
    const objects = (from: number, path: string, depth: number): number => {
      let i = from + 1;
      while (i < text.length) {
        const code = text.charCodeAt(i);
        if (code === 93) return i + 1;
        if (code !== 123) i++;
        else {
          const name = /^\{\s*["'](?:name|stage|queue|id|key|op)["']\s*:\s*["']([^"']{1,60})["']/.exec(
            text.slice(i, i + 120),
          )?.[1];
          i = name === undefined ? skipNested(text, i) : object(i, path === '' ? name : `${path}/${name}`, depth + 1);
        }
      }
      return i;
    };

    const valueAt = (from: number, path: string, name: string, key: string, depth: number): number => {
      const i = skipCast(text, from);
      const code = text.charCodeAt(i);
      if (code === 123) return depth < mostDepth ? object(i, path, depth + 1) : skipNested(text, i);
      if (code === 34 || code === 39) {
        const to = stringEnd(text, i, code);
        const told = text.slice(i + 1, to);
        if (told !== '' && told.length < 60 && ownerKey.test(key) && !ofRun.test(told))
          owner = { as: /^(?:queue|buffer)/i.test(key) ? 'queue' : 'stage', name: told };
        if (phaseKey.test(key)) draft.evaluation(evaluating.test(told));
        else if (/^[-+\d.nNiI]/.test(told) && told.length < 40) string(name, told);
        if (isSetting(key)) settings++;
        return to + 1;
      }
      if (isSetting(key)) settings++;
      if (code === 91 && text.charCodeAt(skipBlank(text, i + 1)) === 123 && depth < mostDepth)
        return objects(i, path, depth);
      if (code === 91 || code === 40) {
        const to = skipNested(text, i);
        if (
          code === 91 &&
          to - i < 60 &&
          scanValue(text, i, 'point', reading) &&
          reading.end <= to &&
          reading.kind !== 'time'
        )
          number(name, key);
        return to;
      }
      if (scanNumber(text, i, 'point', reading.first)) {
        const end = reading.first.end;
        if (end < text.length && !endsEntry(text, end)) {
          // `12.5ms`, `12.5 ms`, `12 / 500`: a unit, or a pair.
          if (!scanValue(text, i, 'point', reading)) return skipBare(text, i);
        } else {
          reading.kind = 'number';
          reading.unit = undefined;
          reading.end = end;
        }
        number(name, key);
        return Math.max(reading.end, end);
      }
      return skipBare(text, i);
    };

    const string = (name: string, told: string) => {
      if (!scanValue(told, 0, 'point', reading) || reading.end < told.trimEnd().length) return;
      number(name, name);
    };

    const number = (name: string, key: string) => {
      numbers++;
      const own = owner && name === key ? meaningOf(owner, key) : undefined;
      if (own?.part === 'count' && own.as === 'stage') {
        calls = { key, name: own.name ?? key, value: reading.first.value };
        return;
      }
      if (own && take(key, own, reading, place)) {
        timed ||= own.as === 'stage';
        return;
      }
      const meaning = find(name) ?? (name === key ? undefined : partMeaning(name, key));
      if (meaning && (meaning.as === 'step' || meaning.as === 'loss' || meaning.as.endsWith('PerSecond')))
        running = true;
      if (summary) {
        if (reading.kind === 'number' && meaning?.as !== 'epoch') draft.other(name, reading.first.value);
        else if (meaning) take(name, meaning, reading, place);
        return;
      }
      if (meaning && meaning.as !== 'nothing' && take(name, meaning, reading, place)) return;
      if (meaning?.as === 'nothing' || isClock(name, reading.first.value)) return;
      if (meaning === undefined && takeByUnit(name, reading, { place, scope: undefined, rank: 0 })) return;
      if (reading.kind === 'number') {
        if (reading.unit?.of === 'time' && !meaning && takeStage(name, { part: 'average' }, reading, draft)) return;
        draft.other(name, reading.first.value);
      } else if (reading.kind === 'pair' && reading.unit?.of === 'time')
        takeStage(name, { part: 'average' }, reading, draft);
    };

    const meaningOf = (
      { as, name }: { readonly as: 'queue' | 'stage'; readonly name: string },
      key: string,
    ): Meaning | undefined => {
      if (!(as === 'stage' ? ofStage : ofQueue).test(key)) return undefined;
      const own = find(as === 'queue' ? `queue_${key}` : `timings/x_${key}`);
      return own && (own.as === as || (own.as === 'wait' && as === 'queue')) ? { ...own, name } : undefined;
    };

    /** The last word of a path alone, where the whole is not known: `train.loss` is, `losses/ce` is not. */
    const partMeaning = (name: string, key: string): Meaning | undefined => {
      if (
        !/^(?:train|training|progress|trainer|metrics|optim|optimizer|optimiser|perf|performance|throughput|schedule|state|iteration|global|run|model|step|time|spans?|timing|system|memory|mem|gpu|loop|position|speed|learning)\//i.test(
          name,
        )
      )
        return undefined;
      const meaning = find(key);
      return meaning && (meaning.as === 'queue' || meaning.as === 'stage' || meaning.as === 'wait')
        ? undefined
        : meaning;
    };

    const end = object(at, outer, 0);
    if (calls && timed) draft.stage({ name: calls.name, count: calls.value });
    else if (calls) draft.other(calls.key, calls.value);
    if (numbers > 0 && !(settings > 1 && !running)) draft.metrics();
    return end;
  };
}

/** At the end of a number: `,`, a bracket, an end of a line or blanks before one of them. */
function endsEntry(text: string, at: number): boolean {
  let i = at;
  while (isSpace(text.charCodeAt(i))) i++;
  const code = text.charCodeAt(i);
  return code !== code || code === 44 || code === 125 || code === 93 || code === 41 || code === 10;
}

/** A time stamp in seconds or milliseconds since 1970. */
const isClock = (name: string, value: number) =>
  /^instant\//.test(name) ||
  (value > 1e9 && /(?:^|[_.\s/])(?:time|ts|timestamp|created|date|at|epoch_ms)$/i.test(name));

/** `tensor(2.31)`, `np.float64(0.5)`: what is in it. */
function skipCast(text: string, at: number): number {
  let i = at;
  while (isSpace(text.charCodeAt(i)) || text.charCodeAt(i) === 10) i++;
  if (!isLetter(text.charCodeAt(i))) return i;
  const match = /^(?:[\w.]*(?:tensor|Tensor|float\d*|int\d*|Array|array|Decimal|number))\(/.exec(text.slice(i, i + 24));
  return match ? i + match[0].length : i;
}

function skipBlank(text: string, at: number): number {
  let i = at;
  while (isSpace(text.charCodeAt(i)) || text.charCodeAt(i) === 10) i++;
  return i;
}

function stringEnd(text: string, at: number, quote: number): number {
  let i = at + 1;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 92) i++;
    else if (code === quote) return i;
  }
  return text.length;
}

function skipNested(text: string, at: number): number {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34 || code === 39) i = stringEnd(text, i, code);
    else if (code === 91 || code === 40 || code === 123) depth++;
    else if (code === 93 || code === 41 || code === 125) {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return text.length;
}

function skipBare(text: string, at: number): number {
  let i = at;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code === 44 || code === 125 || code === 10) return i;
    if (code === 40 || code === 91) i = skipNested(text, i);
    else i++;
  }
  return i;
}
