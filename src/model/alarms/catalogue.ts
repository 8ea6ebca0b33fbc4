import type { AlarmName } from '../alarm-samples.ts';
import type { AlarmEntry } from './catalogue-entry.ts';
import { ofMachine } from './catalogue-machine.ts';
import { ofRun } from './catalogue-run.ts';

/** All alarms, with borders at which a healthy run is silent. */
export const catalogue: Readonly<Record<AlarmName, AlarmEntry>> = { ...ofRun, ...ofMachine };
