import { event, reasonText, type Finder } from './found.ts';

/** Boxes that were told, so that one that gets more at the end of its run is told as that. */
const mostKnown = 64;

/** Evidence that was taken by itself, when all of it is there. */
export function createBoxFinder(): Finder {
  let known: readonly string[] = [];
  return {
    find(sample) {
      if (sample.kind !== 'blackBox' || sample.endedAt === undefined) return [];
      const { id, reason, captures, parts, state } = sample;
      if (known.includes(id)) return [event(sample, 'black box', 'the end of the run was added to the evidence')];
      known = [...known, id].slice(-mostKnown);
      const had = parts.filter(({ lines }) => lines !== undefined).length;
      const counts = [count(captures.length, 'capture'), `${had} of ${count(parts.length, 'part')}`];
      const lacks = state === 'partial' ? ', not all could be had' : '';
      return [event(sample, 'black box', `evidence taken (${counts.join(', ')}${lacks}): ${reasonText(reason)}`)];
    },
  };
}

const count = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
