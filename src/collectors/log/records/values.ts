import type { LogValues } from '../../../model/samples.ts';
import { createDraft } from '../draft.ts';
import type { LogFormat } from '../formats/format.ts';
import { createGenericReader } from '../generic.ts';
import type { Choice } from './choice.ts';

/** What a record says, and who read it. */
export interface Said {
  readonly format: string;
  readonly values: LogValues;
}

/** Reads the text of records of one log: by their format, what that leaves by the generic reader. */
export function createValuesReader(choice: Choice) {
  const generic = createGenericReader();
  const read = (text: string, format: LogFormat | undefined): LogValues | undefined => {
    if (!format) return generic.read(text);
    if (!format.read) return generic.read(text, format);
    const draft = createDraft(isEvaluation(text));
    const left = format.read(text, draft, choice.memoryOf(format));
    if (left !== undefined) generic.readInto(left, draft, format);
    return draft.finish();
  };
  return (text: string, format: LogFormat | undefined): Said | undefined => {
    const values = read(text, format);
    return values && { format: format?.name ?? generic.format, values };
  };
}

/** The line is about an evaluation: what it says is none of the training's. */
const isEvaluation = (text: string) => /\b(?:validate|validation|eval|evaluation)\b/i.test(text.slice(0, 120));
