import { situations, type Situation } from '../model/situations.ts';
import type { Evidence, MissingSignal, NextStep, Verdict, VerdictScope } from '../model/verdict-samples.ts';
import * as is from './shape.ts';

const figure = is.object<Evidence>({
  signal: is.text,
  of: is.optional(is.text),
  value: is.number,
  unit: is.text,
  source: is.text,
  expected: is.optional(is.text),
});

/** A situation by its name. */
export const situationShape: is.Shape<Situation> = is.oneOf(
  Object.fromEntries(situations.map((name) => [name, true])) as Record<Situation, true>,
);

/** A verdict as it is written. */
export const verdictShape: is.Shape<Verdict> = is.object<Verdict>({
  situation: situationShape,
  scope: is.object<VerdictScope>({
    ranks: is.optional(is.list(is.number)),
    gpus: is.optional(is.list(is.number)),
    role: is.optional(is.text),
    queue: is.optional(is.text),
    side: is.optional(is.oneOf({ producer: true, consumer: true })),
    cause: is.optional(is.text),
  }),
  confidence: is.number,
  since: is.moment,
  summary: is.text,
  evidence: is.list(figure),
  against: is.list(figure),
  missing: is.list(is.object<MissingSignal>({ signal: is.text, get: is.text, key: is.optional(is.text) })),
  next: is.list(is.object<NextStep>({ text: is.text, key: is.optional(is.text) })),
});
