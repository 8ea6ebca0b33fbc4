import type { LogValues } from '../../../model/samples.ts';
import { isEvaluation, isOfEpoch, readBar, type Bar } from '../bar.ts';
import { createDraft } from '../draft.ts';
import type { FormatMemory, LogFormat } from '../formats/format.ts';
import { logFormats } from '../formats/registry.ts';
import { createGenericReader, type GenericReader } from '../generic.ts';
import { isCalm } from '../events/rules.ts';
import { levelOf } from '../level.ts';
import { valuesBy, type Plan } from '../plans/plan.ts';
import { createPlans } from '../plans/plans.ts';
import { barValues, epochOf } from './bar-values.ts';
import type { Choice } from './choice.ts';
import { headEnd } from './head.ts';
import { createPhase } from './phase.ts';
import { createTrainingLoop } from './training-loop.ts';

/** What a record says, and who read it. */
export interface Said {
  readonly format: string;
  readonly values: LogValues;
}

/** `table`: nothing stands in it but names and numbers; `evaluation`: they are those of one, as its header says. */
export type RecordKind = 'plain' | 'table' | 'evaluation';

/** A record as one text. */
export interface RecordText {
  readonly text: string;
  readonly kind: RecordKind;
  /** Of a line. */
  readonly plan?: Plan | undefined;
}

/** Reads the text of records of one log: its bar, then by its format, then what that leaves by the generic reader; what there is a plan for by that. */
export function createValuesReader(choice: Choice, fully = false): (record: RecordText) => Said | undefined {
  const generic = createGenericReader();
  const loop = createTrainingLoop();
  const phase = createPhase();

  /** `format`: of the whole record, where the text is a part of one. */
  const readText = (text: string, format: LogFormat | undefined, kind: RecordKind = 'plain'): Said | undefined => {
    const memory = format && choice.memoryOf(format);
    const values = readBy(generic, text, { format, kind, memory });
    return values && { format: format?.name ?? generic.format, values };
  };

  /** Undefined: there is no plan, or it does not say. */
  const readPlanned = (plan: Plan | undefined, text: string, format: LogFormat | undefined) => {
    const values = plan && generic.isFresh ? valuesBy(plan, text) : undefined;
    if (values !== 'nothing') return values && { format: format?.name ?? generic.format, values };
    if (!format) generic.nothing(text.slice(headEnd(text)));
    return values;
  };

  /** The words about a bar. */
  const readWords = (text: string, format: LogFormat | undefined): Said | undefined => {
    const said = fully ? undefined : readPlanned(wordsPlan(text, format), text, format);
    return said === 'nothing' ? undefined : (said ?? readText(text, format));
  };

  const readAround = (bar: Bar, text: string): Said => {
    const format = choice.of(text);
    const ofLoop = loop.sees(bar);
    const counts = format?.bar ?? (isOfEpoch(bar) ? 'epoch' : 'run');
    const description = bar.description.slice(headEnd(bar.description)).trimStart();
    const words = `${description}${description && bar.postfix ? ' | ' : ''}${bar.postfix}`;
    const around = ofLoop && /\d|nan|inf/i.test(words) ? readWords(words, format) : undefined;
    const epoch = ofLoop ? epochOf(bar.description) : undefined;
    const glued = bar.rest.trim() === '' ? undefined : readPlain(bar.rest);
    const own = barValues(bar, ofLoop ? counts : isEvaluation(bar) ? 'evaluation' : 'nothing');
    const placed = epoch === undefined ? own : { ...own, epoch };
    const values = merge(merge(placed, around?.values), glued?.values);
    const named = [glued, around].find((said) => said && said.format !== generic.format);
    return { format: named?.format ?? format?.name ?? bar.format, values };
  };

  const readPlain = (text: string, kind: RecordKind = 'plain'): Said | undefined => {
    const format = choice.of(text);
    return withStep(readText(text.slice(choice.startOf(text)), format, kind), text);
  };

  /** transformers' Trainer: a dictionary says no step, its bar does. */
  const withStep = (said: Said | undefined, text: string): Said | undefined => {
    if (!said || said.values.step !== undefined || said.values.stepInEpoch !== undefined) return said;
    if (!/\{\s*['"]/.test(text)) return said;
    const at = loop.take();
    return at ? { ...said, values: { ...at, ...said.values } } : said;
  };

  return ({ text, kind, plan }) => {
    const planned = plan && choice.startOf(text) === 0 ? readPlanned(plan, text, choice.of(text)) : undefined;
    const bar = planned ? undefined : barOf(text);
    const full = planned ? undefined : bar ? readAround(bar, text) : readPlain(text, kind);
    const said = planned === 'nothing' ? undefined : planned ? withStep(planned, text) : full;
    const values = phase.read(text, said?.values, bar !== undefined);
    if (!said || !values || isEmpty(values)) return undefined;
    return values === said.values ? said : { ...said, values };
  };
}

const barOf = (text: string): Bar | undefined =>
  readBar(text) ?? (headEnd(text) > 0 ? readBar(text.slice(headEnd(text))) : undefined);

interface How {
  readonly format: LogFormat | undefined;
  readonly kind: RecordKind;
  readonly memory: FormatMemory | undefined;
}

function readBy(
  generic: GenericReader,
  text: string,
  { format, kind, memory = new Map() }: How,
): LogValues | undefined {
  if (!format?.read && kind === 'plain') return generic.read(text.slice(headEnd(text)), format);
  // The format knows itself what is about an evaluation.
  const draft = createDraft(!format?.read && kind === 'evaluation');
  draft.metrics();
  const left = format?.read ? format.read(text, draft, memory) : text;
  if (left !== undefined) generic.readInto(left.slice(headEnd(left)), draft, format);
  return draft.finish();
}

/**
 * As it is read at the beginning of a log. Undefined: it hangs on more than the text, or others would be read otherwise behind it. What the user
 * taught is not asked, nor a format that asks for its memory: a plan would know nothing of either.
 */
function readAlone(text: string, format: LogFormat | undefined): LogValues | 'nothing' | undefined {
  if (format && ((format.read?.length ?? 0) > 2 || !known.has(format))) return undefined;
  const generic = createGenericReader();
  const values = readBy(generic, text, { format, kind: 'plain', memory: undefined });
  return generic.marks === 'point' ? (values ?? 'nothing') : undefined;
}
const known: ReadonlySet<LogFormat> = new Set(logFormats);

const wordsPlan = createPlans((format) => ({ read: (text) => readAlone(text, format), isCalm: () => false }));

/** Plans for lines that are a record by themselves. */
export const linePlan = createPlans((format) => ({
  read: (text) => (barOf(text) ? undefined : readAlone(text, format)),
  isCalm: (text) => levelOf(text) === undefined && isCalm(text),
}));

function isEmpty(values: LogValues): boolean {
  for (const _ in values) return false;
  return true;
}

/** Both together; what both say is as the second says it. */
function merge(first: LogValues, second: LogValues | undefined): LogValues {
  if (!second) return first;
  const queues = [...(first.queues ?? []), ...(second.queues ?? [])];
  const stages = [...(first.stages ?? []), ...(second.stages ?? [])];
  const other = { ...first.other, ...second.other };
  return {
    ...first,
    ...second,
    ...(queues.length > 0 && { queues }),
    ...(stages.length > 0 && { stages }),
    ...(Object.keys(other).length > 0 && { other }),
  };
}
