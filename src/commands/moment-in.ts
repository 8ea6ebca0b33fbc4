import { UsageFault } from '../config/check-options.ts';
import { readMoment } from '../model/moment.ts';

/** The moment of a recording that an option names. Throws a UsageFault. */
export function momentIn(
  span: { readonly from: number; readonly to: number },
  written: string,
  option = '--at',
): number {
  const { from, to } = span;
  const moment = readMoment(written, { from, to });
  if ('fault' in moment) throw new UsageFault(`${option}: ${moment.fault}`);
  return moment.time;
}
