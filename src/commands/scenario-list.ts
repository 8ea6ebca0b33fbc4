import { alarmScenarios } from '../demo/scenarios/alarms/index.ts';
import { scenarios } from '../demo/scenarios/index.ts';
import type { Scenario } from '../demo/scenario.ts';

/** What the demo can play, a line each. */
export function scenarioList(): string {
  const width = Math.max(...[...scenarios, ...alarmScenarios].map(({ name }) => name.length));
  const row = ({ name, title }: Scenario) => `  ${name.padEnd(width)}  ${title}`;
  return [
    'What a run can wait for, and what happens to one:',
    ...scenarios.map(row),
    '',
    'In which an alarm rings, or nearly does:',
    ...alarmScenarios.map(row),
    '',
    'traintop demo --scenario NAME plays one; docs/scenarios.md has what happens when.\n',
  ].join('\n');
}
