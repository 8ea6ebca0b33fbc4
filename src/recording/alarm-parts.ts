import { alarmNames, severities, type AlarmName, type Severity } from '../model/alarm-samples.ts';
import type { BlackBoxPart } from '../model/black-box-samples.ts';
import type { KernelLine } from '../model/space-samples.ts';
import * as is from './shape.ts';

const named = <T extends string>(names: readonly T[]) =>
  is.oneOf(Object.fromEntries(names.map((name) => [name, true])) as Record<T, true>);

/** An alarm by its name. */
export const alarmShape: is.Shape<AlarmName> = named(alarmNames);

/** How much an alarm matters. */
export const severityShape: is.Shape<Severity> = named(severities);

/** A piece of evidence. */
export const partShape: is.Shape<BlackBoxPart> = is.object<BlackBoxPart>({
  name: is.oneOf({
    ...{ threads: true, 'kernel stacks': true, 'nvidia-smi': true, 'kernel log': true },
    ...{ log: true, verdict: true, host: true },
  }),
  takenAt: is.moment,
  lines: is.optional(is.list(is.text)),
  cut: is.optional(is.yes),
  failure: is.optional(is.text),
});

/** A line of the kernel's log. */
export const kernelLineShape: is.Shape<KernelLine> = is.object<KernelLine>({
  time: is.moment,
  what: is.oneOf({ xid: true, 'oom-kill': true }),
  text: is.text,
  xid: is.optional(is.number),
  address: is.optional(is.text),
  pid: is.optional(is.number),
});
