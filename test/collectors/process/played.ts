import { readFileSync } from 'node:fs';
import type { CollectorOptions } from '../../../src/collectors/collector.ts';
import { createLineSplitter } from '../../../src/collectors/lines.ts';
import { createProcessRounds } from '../../../src/collectors/process/rounds.ts';
import type { Run } from '../../../src/model/run.ts';
import type { RunSample, Sample } from '../../../src/model/samples.ts';
import { factsOf, madeContext } from '../made-context.ts';

/** A talk with the script: lines `> REQUEST`, and the answers. */
export function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/process/${name}`, import.meta.url), 'utf8');
}

interface Play {
  readonly options?: Partial<CollectorOptions>;
  readonly run?: Run;
  readonly bootId?: string;
  /** How the host's bytes come; all at once by default. */
  readonly cut?: (bytes: Buffer) => readonly Buffer[];
}

/** Plays the host's part of a talk; fails when the client asks something else than it did in the captured one. */
export function play(talk: string, { options, run, bootId, cut = (bytes) => [bytes] }: Play = {}) {
  const made = madeContext({ facts: factsOf({ awk: 'mawk', ...(bootId !== undefined && { bootId }) }), run });
  const context = { ...made, options: { ...made.options, ...options } };
  const { parser, line } = createProcessRounds(context);
  const splitter = createLineSplitter();
  const samples: Sample[] = [];
  const turns = talk.split(/^(?=> )/m).map((turn) => {
    const at = turn.indexOf('\n') + 1;
    return { request: turn.slice(2, at - 1), answer: turn.slice(at) };
  });
  let asked: string[] = [];
  turns.forEach(({ request, answer }, turn) => {
    if (asked.length === 0) asked = (parser.ask?.() ?? line(context) ?? 'nothing').split('\n');
    const said = asked.shift();
    if (said !== request) throw new Error(`turn ${turn}: asked ${said}, captured ${request}`);
    for (const chunk of cut(Buffer.from(answer)))
      for (const { text, bytes } of splitter.push(chunk)) samples.push(...parser.push(text, turn * 1000, bytes));
  });
  const runs = samples.filter((sample): sample is RunSample => sample.kind === 'run');
  return { samples, runs, rejected: parser.rejected, next: () => parser.ask?.() ?? line(context) };
}
