import type { LogEvent, LogLine, LogValues } from '../../model/samples.ts';
import { cleanText } from './clean.ts';
import { createEventDetector } from './events/detector.ts';
import { lastedIn } from './events/lasted.ts';
import type { LogFormat } from './formats/format.ts';
import { levelOf } from './level.ts';
import { createPrefixReader } from './prefix.ts';
import { createChoice } from './records/choice.ts';
import { joined } from './records/joined.ts';
import { depthOf, isInTraceback, isOfSettings, isTraceback, kindOf, shapeWith, type Shape } from './records/shapes.ts';
import { createValuesReader, linePlan, type Said } from './records/values.ts';
import { createRepeats } from './repeats.ts';

/** What the user teaches or pins. */
export interface ReaderOptions {
  /** Only this format is tried, by its name. */
  readonly pinned?: string;
  /** What the user's own patterns read: tried before all others. */
  readonly taught?: readonly LogFormat[];
  /** Each line is read the full way, without plans: what their values are held against. */
  readonly fully?: boolean;
}

/** A record that has more is given; what goes on it is read no more. */
const mostPieces = 400;
const mostCharacters = 4_000_000;
/** Tracebacks of several ranks at once. */
const mostBroken = 64;

/** A piece of a log between two ends of lines: LF or CR. */
export interface Piece {
  /** Without its end; as the host wrote it. */
  readonly text: string;
  /** Too many came: it is no part of any record, and nothing is read from it. */
  readonly unread?: boolean;
  /** It goes on the piece before, which had no end (a line longer than the splitter keeps): part of its record, and not read. */
  readonly goesOn?: boolean;
}

/** What belongs together, and what it says. */
export interface LogRecord<P extends Piece> {
  /** In order; at least one. */
  readonly pieces: readonly P[];
  /** Their texts as a terminal would show them, with their prefixes: one a piece, safe, bounded. */
  readonly texts: readonly string[];
  /** Absent: nothing was read. */
  readonly format?: string;
  readonly rank?: number;
  /** Of all its lines. */
  readonly level?: LogLine['level'];
  readonly values?: LogValues;
  readonly event?: LogEvent;
  /** The rank whose step this is. */
  readonly repeats?: number;
}

/**
 * Reads one log from its pieces to records: docs/formats.md says how. The same pieces give the same records, whenever they come; what is remembered
 * is bounded. Never throws.
 */
export interface LogReader<P extends Piece> {
  /** The format of this log, by the records so far; `generic` before there are any. */
  readonly format: string;
  /** Each piece comes out again in one record, in order; some only later. */
  push(piece: P): readonly LogRecord<P>[];
  /** Nothing more comes for now: gives what was held. */
  flush(): readonly LogRecord<P>[];
}

/** A reader at the beginning of a log. */
export function createLogReader<P extends Piece>(options: ReaderOptions = {}): LogReader<P> {
  const choice = createChoice(options);
  const prefixes = createPrefixReader();
  const readValues = createValuesReader(choice, options.fully);
  const events = createEventDetector();
  const repeats = createRepeats();
  const names = new Map<string, number>();
  let held: Held<P> | undefined;
  /** The newest record that was given: what comes late goes on it. */
  let given: Held<P> | undefined;
  /** Launchers' marks before lines of tracebacks that others are printed between. */
  const broken = new Map<string, Held<P>>();
  let name = 'generic';
  let newestStep = 0;

  /** `next`: the line that ended it, where there is one. */
  const close = (next?: string): readonly LogRecord<P>[] => {
    if (!held) return [];
    const { pieces, shown, texts, shape, rank, format, again, isException } = held;
    given = held;
    held = undefined;
    if (texts.length === 0) return [{ pieces, texts: shown }];
    const isLine = texts.length === 1 && !isStack(shape) && !isException && !options.fully;
    const plan = isLine ? linePlan(texts[0] ?? '', format) : undefined;
    let level: LogLine['level'];
    if (!plan?.isCalm) for (const text of texts) level = worse(level, levelOf(text));
    const said =
      isStack(shape) || isException || isOfSettings(texts) || (level === 'error' && !mayBeHeeded(texts[0] ?? ''))
        ? undefined
        : readValues({ text: joined(texts, shape), kind: kindOf(texts, shape), plan });
    const kept = level === undefined ? said : heeded(said, level, texts[0] ?? '');
    if (kept) count(kept.format);
    const event = again
      ? undefined
      : events.detect({ texts, values: kept?.values, rank, level, next, isCalm: plan?.isCalm === true });
    const repeated = repeats.of(rank, kept?.values);
    const record: Writable<LogRecord<P>> = { pieces, texts: shown };
    const told = event ? placed(kept, event, { text: texts[0] ?? '', newestStep }) : kept;
    newestStep = told?.values.step ?? newestStep;
    if (told) {
      record.format = told.format;
      record.values = told.values;
    }
    if (rank !== undefined) record.rank = rank;
    if (level) record.level = level;
    if (event) record.event = event;
    if (repeated !== undefined) record.repeats = repeated;
    return [record];
  };

  /** The log's format is the one of most of its records; one that is known before the generic one. */
  const count = (format: string) => {
    const times = (names.get(format) ?? 0) + 1;
    names.set(format, times);
    if (name === 'generic' || times > (names.get(name) ?? 0)) name = format === 'generic' ? name : format;
  };

  /** `before`: a record that was given, on which this line goes. */
  const open = (piece: P, shown: string, line: Line, before: Held<P> | undefined): Held<P> => ({
    pieces: [piece],
    shown: [shown],
    texts: before ? [...before.texts.slice(0, 1), line.rest] : [line.rest],
    shape: before?.shape,
    rank: line.rank ?? before?.rank,
    mark: line.mark,
    format: before?.format ?? choice.of(line.rest),
    depth: before ? before.depth + depthOf(line.rest) : depthOf(line.rest, 'first'),
    blanks: 0,
    characters: piece.text.length,
    isException: false,
    again: before !== undefined,
  });

  return {
    get format() {
      return name;
    },
    push(piece) {
      if (piece.unread) return [...close(), { pieces: [piece], texts: [cleanText(piece.text)] }];
      if (piece.goesOn) {
        if (held && held.characters < mostCharacters) add(held, piece, '');
        else return [...close(), { pieces: [piece], texts: [''] }];
        return [];
      }
      const shown = cleanText(piece.text);
      const line = prefixes.take(shown);
      if (line.rest.trim() === '') {
        // A line end of two bytes, or a line between the frames of a traceback.
        if (held && held.blanks++ < 2) add(held, piece, shown);
        else return [...close(), { pieces: [piece], texts: [shown] }];
        return [];
      }
      const full = held && (held.pieces.length >= mostPieces || held.characters > mostCharacters);
      const closedFull = full ? close() : [];
      const shape = held && goesOn(held, line);
      if (held && shape) {
        add(held, piece, shown);
        held.texts.push(line.rest);
        held.shape = shape;
        held.depth += depthOf(line.rest);
        held.blanks = 0;
        return [];
      }
      const { mark } = line;
      const other = held && held.mark !== mark ? held : undefined;
      if (other && (other.shape === 'traceback' || isTraceback(other.texts[0] ?? ''))) {
        if (broken.size >= mostBroken) broken.clear();
        broken.set(other.mark, { ...other, shape: 'traceback' });
      }
      const was = held?.mark === mark ? held : broken.get(mark);
      const ended = was?.shape === 'traceback' && !isInTraceback(line.rest);
      if (ended) broken.delete(mark);
      const late = held ? broken.get(mark) : given && goesOn(given, line) && given;
      const closed = close(held?.mark === mark ? line.rest : undefined);
      held = open(piece, shown, line, ended ? undefined : late);
      held.isException = ended;
      return full ? [...closedFull, ...closed] : closed;
    },
    flush: () => close(),
  };
}

/** A line without its prefix. */
interface Line {
  readonly rest: string;
  readonly mark: string;
  readonly rank?: number;
}

interface Held<P extends Piece> {
  readonly pieces: P[];
  readonly shown: string[];
  readonly texts: string[];
  shape: Shape | undefined;
  readonly rank: number | undefined;
  readonly mark: string;
  readonly format: LogFormat | undefined;
  depth: number;
  blanks: number;
  characters: number;
  isException: boolean;
  /** It goes on a record that was given. */
  readonly again: boolean;
}

function add<P extends Piece>(held: Held<P>, piece: P, shown: string): void {
  held.pieces.push(piece);
  held.shown.push(shown);
  held.characters += piece.text.length;
}

function goesOn<P extends Piece>(held: Held<P>, { rest, mark }: Line): Shape | undefined {
  const { format, texts } = held;
  if (mark === held.mark && format?.continues?.(rest, texts[0] ?? '')) return 'format';
  const shape = shapeWith(held, rest);
  return shape && (mark === held.mark || (shape === 'broken' && mark === '')) ? shape : undefined;
}

/** Most errors say neither. */
const mayBeHeeded = (text: string) => saysStep.test(text) || /nan|inf/i.test(text);

/**
 * What a warning counts is no reading, unless it is a line of metrics that warns, or tells how full a queue is; what an error counts is none
 * but where it happened, and the number that is none.
 */
function heeded(said: Said | undefined, level: 'error' | 'warning', text: string): Said | undefined {
  if (!said) return undefined;
  const { step, loss, gradNorm, queues } = said.values;
  if (level === 'warning' && step !== undefined) return said;
  const full = queues?.filter(({ depth, capacity }) => depth !== undefined && capacity !== undefined) ?? [];
  const values: LogValues =
    level === 'warning'
      ? { ...(full.length > 0 && { queues: full }) }
      : {
          ...(step !== undefined && saysStep.test(text) && { step }),
          ...(loss !== undefined && !Number.isFinite(loss) && { loss }),
          ...(gradNorm !== undefined && !Number.isFinite(gradNorm) && { gradNorm }),
        };
  return Object.keys(values).length > 0 ? { format: said.format, values } : undefined;
}

/**
 * What an event's sentence names as its step or its epoch is the record's, whatever else it says; a path is no sentence, and a checkpoint
 * that was written meanwhile is of a step before.
 */
function placed(said: Said | undefined, event: LogEvent | undefined, at: { text: string; newestStep: number }) {
  const { step, epoch } = event?.details ?? {};
  const isTold = typeof step === 'number' && step >= (event?.kind === 'checkpoint' ? at.newestStep : 0);
  const lasted =
    event?.kind === 'training_end' && said?.values.elapsedSeconds === undefined ? lastedIn(at.text) : undefined;
  const more = {
    ...(isTold && said?.values.step === undefined && saysStep.test(at.text) && { step }),
    ...(typeof epoch === 'number' && said?.values.epoch === undefined && { epoch }),
    ...(lasted !== undefined && { elapsedSeconds: lasted }),
  };
  if (Object.keys(more).length === 0) return said;
  return { format: said?.format ?? 'generic', values: { ...said?.values, ...more } };
}

/** Behind a blank: `step 12`, and not `ckpt/step_12`. */
const saysStep =
  /(?:^|[\s([{,;|"'])(?:global_?)?(?:step|iteration|iter|update|schritt|paso|passo|pas|krok)s?"?\s*[:=#]?\s*\d|[^\x00-\x7f]/i;

const isStack = (shape: Shape | undefined) => shape === 'traceback' || shape === 'stack' || shape === 'exception';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const worse = (a: LogLine['level'], b: LogLine['level']) => (a === 'error' || b === undefined ? a : b);
