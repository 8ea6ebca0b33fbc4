import type { HostFacts } from '../../model/facts.ts';
import type { Collector, Context } from '../collector.ts';
import type { Conversation } from './conversation.ts';
import { createProcessRounds } from './rounds.ts';
import { processScript } from './script.ts';

interface Init {
  /** What stands before the number in the name of a GPU's device. */
  readonly devicePrefix: string;
  /** Between two looks while there is no run, and while there is. */
  readonly findEveryMs: number;
  readonly watchEveryMs: number;
}

/** Finds the run and watches its processes. */
export function createProcessCollector({ devicePrefix, findEveryMs, watchEveryMs }: Init): Collector {
  // One talk a stream. Its tick needs the newest options and its parser none, so they meet here: facts are one object
  // for the life of a connection.
  const talks = new WeakMap<HostFacts, Conversation>();
  const begin = (context: Context) => {
    const talk = createProcessRounds(context);
    talks.set(context.facts, talk);
    return talk.parser;
  };
  return {
    id: 'processes',
    plans(context) {
      const { facts, run, options } = context;
      if (!facts.awk)
        return [{ source: 'processes', off: `no awk on ${facts.hostname}: the run cannot be found; install one` }];
      return [
        {
          key: 'processes',
          source: 'processes',
          body: processScript({ awk: facts.awk, devicePrefix }),
          parser: () => begin(context),
          staleAfterMs: 20_000,
          tick: {
            everyMs: run ? watchEveryMs : findEveryMs,
            line: (now) => talks.get(now.facts)?.line(now),
            hurry: `${options.pid} ${options.match} ${options.looks ?? 0}`,
          },
        },
      ];
    },
  };
}

/** The source `processes` as every host has it. */
export const processCollector = createProcessCollector({
  devicePrefix: '/dev/nvidia',
  findEveryMs: 3000,
  watchEveryMs: 5000,
});
