import type { Ask, Gatherer, Known, Window } from '../../../../src/model/diagnosis/gather/gatherer.ts';
import { createGpuFinder } from '../../../../src/model/diagnosis/gpus-of-run.ts';
import { learn, nothingKnown } from '../../../../src/model/diagnosis/known.ts';
import type { Readings } from '../../../../src/model/diagnosis/signals.ts';
import type { Subject } from '../../../../src/model/diagnosis/subjects.ts';
import type { Sample } from '../../../../src/model/samples.ts';

/** Values by signal; a signal that is not told is not there. */
export type Values = Partial<Record<keyof Readings, number>>;

/** A gatherer that has taken Samples, to be asked of its run. */
export interface Asked {
  readonly known: Known;
  /** The run, then its GPUs. */
  readonly subjects: readonly Subject[];
  /** When the last Sample came. */
  readonly to: number;
  /** What is told of the subject at this place, or of another one in its stead, over a window: the last ten seconds, of which five are late, where nothing else is asked. */
  values(subject: number, window?: Partial<Window>, instead?: Subject): Values;
}

/** Feeds a gatherer as the engine does. */
export function fed(gatherer: Gatherer, samples: readonly Sample[]): Asked {
  const finder = createGpuFinder();
  let known: Known & Parameters<typeof learn>[0] = nothingKnown();
  for (const sample of samples) {
    known = learn(known, sample).state;
    finder.take(sample);
    gatherer.take(sample, known);
  }
  const to = samples.at(-1)?.receivedAt ?? 0;
  const subjects: readonly Subject[] = [{ kind: 'run' }, ...finder.find(known)];
  return {
    ...{ known, subjects, to },
    values(place, asked, instead) {
      const values: Values = {};
      const subject = instead ?? subjects[place];
      if (!subject) throw new Error(`there are ${subjects.length} subjects`);
      const ask: Ask = {
        ...{ subject, subjects, known },
        window: { from: to - 10_000, to, lateFrom: to - 5000, ...asked },
        set: (signal, { value }) => {
          if (Number.isFinite(value)) values[signal] = value;
        },
        get: () => undefined,
      };
      gatherer.read(ask);
      return values;
    },
  };
}
