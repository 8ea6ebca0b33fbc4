import { gilShares } from '../../model/classes/gil.ts';
import type { Folded } from '../../model/stacks/fold.ts';
import { version } from '../version.ts';
import type { Taken } from './report.ts';

/**
 * A capture as docs/stacks.md says. `stacks` is the version of the shape: it grows when a field goes or changes its meaning. What was
 * found stands last, a line each.
 */
export function stacksObject({ capture, state, target, wish }: Taken, folded: Folded): string {
  const { what, startedAt, endedAt, notes, files, failure, stoppedPids } = capture;
  const { stacks, processes, unit, samples, errors, rate, count, leftOut, native } = folded;
  const { run } = state.run ?? {};
  const gil = gilShares(folded);
  const head = {
    stacks: 1,
    traintop: version,
    target: target.name,
    wrap: wish.options.wrap,
    ...(target.demo && { demo: true }),
    kind: what,
    state: capture.state,
    from: iso(startedAt),
    to: endedAt === undefined ? undefined : iso(endedAt),
    run: run && { id: run.id, rootPid: run.rootPid },
    notes,
    failure,
    stoppedPids,
    files,
    unit,
    rate,
    samples,
    errors,
    native,
    count,
    leftOut: leftOut > 0 ? leftOut : undefined,
    processes,
    ...(gil.length > 0 && { gil }),
  };
  // Why a stack is of its class is what the screen says; docs/stacks.md has the fields.
  const rows = stacks.map((each) => `\n    ${JSON.stringify({ ...each, told: undefined })}`).join(',');
  return `${JSON.stringify(head, null, 2).replace(/\n\}$/, '')},\n  "folded": [${rows}${rows === '' ? '' : '\n  '}]\n}\n`;
}

const iso = (time: number) => new Date(time).toISOString();
