import type { LogValues } from '../../../model/samples.ts';
import { isEvaluation, isOfEpoch, readBar, type Bar } from '../bar.ts';
import { createDraft } from '../draft.ts';
import type { LogFormat } from '../formats/format.ts';
import { createGenericReader } from '../generic.ts';
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
}

/** Reads the text of records of one log: its bar, then by its format, then what that leaves by the generic reader. */
export function createValuesReader(choice: Choice): (record: RecordText) => Said | undefined {
  const generic = createGenericReader();
  const loop = createTrainingLoop();
  const phase = createPhase();

  /** `format`: of the whole record, where the text is a part of one. */
  const readText = (text: string, format: LogFormat | undefined, kind: RecordKind = 'plain'): Said | undefined => {
    const name = format?.name ?? generic.format;
    if (!format?.read && kind === 'plain') {
      const values = generic.read(text.slice(headEnd(text)), format);
      return values && { format: name, values };
    }
    // The format knows itself what is about an evaluation.
    const draft = createDraft(!format?.read && kind === 'evaluation');
    draft.metrics();
    const left = format?.read ? format.read(text, draft, choice.memoryOf(format)) : text;
    if (left !== undefined) generic.readInto(left.slice(headEnd(left)), draft, format);
    const values = draft.finish();
    return values && { format: name, values };
  };

  const readAround = (bar: Bar, text: string): Said => {
    const format = choice.of(text);
    const ofLoop = loop.sees(bar);
    const counts = format?.bar ?? (isOfEpoch(bar) ? 'epoch' : 'run');
    const description = bar.description.slice(headEnd(bar.description)).trimStart();
    const words = `${description}${description && bar.postfix ? ' | ' : ''}${bar.postfix}`;
    const around = ofLoop && /\d|nan|inf/i.test(words) ? readText(words, format) : undefined;
    const epoch = ofLoop ? epochOf(bar.description) : undefined;
    const glued = bar.rest.trim() === '' ? undefined : readPlain(bar.rest);
    const own = {
      ...barValues(bar, ofLoop ? counts : isEvaluation(bar) ? 'evaluation' : 'nothing'),
      ...(epoch !== undefined && { epoch }),
    };
    const values = merge(merge(own, around?.values), glued?.values);
    const named = [glued, around].find((said) => said && said.format !== generic.format);
    return { format: named?.format ?? format?.name ?? bar.format, values };
  };

  const readPlain = (text: string, kind: RecordKind = 'plain'): Said | undefined => {
    const format = choice.of(text);
    const said = readText(text.slice(choice.startOf(text)), format, kind);
    if (!said || said.values.step !== undefined || said.values.stepInEpoch !== undefined) return said;
    // transformers' Trainer: a dictionary says no step, its bar does.
    if (!/\{\s*['"]/.test(text)) return said;
    const at = loop.take();
    return at ? { ...said, values: { ...at, ...said.values } } : said;
  };

  return ({ text, kind }) => {
    const bar = readBar(text) ?? (headEnd(text) > 0 ? readBar(text.slice(headEnd(text))) : undefined);
    const said = bar ? readAround(bar, text) : readPlain(text, kind);
    const values = phase.read(text, said?.values, bar !== undefined);
    return said && values && !isEmpty(values) ? { ...said, values } : undefined;
  };
}

const isEmpty = (values: LogValues) => Object.keys(values).length === 0;

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
