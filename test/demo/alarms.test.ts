import { describe, expect, test } from 'vitest';
import { collectors } from '../../src/collectors/registry.ts';
import { busiest } from '../../src/collectors/threads/busiest.ts';
import { waits } from '../../src/collectors/threads/waits.ts';
import { alarmScenarioNames } from '../../src/config/scenario-names.ts';
import { alarmScenarios } from '../../src/demo/scenarios/alarms/index.ts';
import { allScenarios, scenarios } from '../../src/demo/scenarios/index.ts';
import type { Scenario } from '../../src/demo/scenario.ts';
import { alarmNames } from '../../src/model/alarm-samples.ts';
import { faultsIn, toldIn } from '../support/scenario-truth.ts';
import { alarmSeconds, expectAlarms } from './expect-alarms.ts';
import { expectEvents } from './expect-truth.ts';
import { playScenario } from './scenario-play.ts';

/** Of the others scenarios.test.ts hears the alarms. */
const late = scenarios.filter((scenario) => alarmSeconds(scenario) > scenario.seconds);

test('the command line knows all of them', () => {
  expect(alarmScenarios.map(({ name }) => name)).toEqual([...alarmScenarioNames]);
});

test.each(alarmNames)('%s rings in one scenario, and stays silent in one like it', (alarm) => {
  expect(allScenarios.filter(({ truth }) => truth.alarms?.some((each) => each.alarm === alarm))).not.toEqual([]);
  const near = allScenarios.filter((scenario) => scenario.near?.includes(alarm));
  expect(near).not.toEqual([]);
  for (const { truth } of near) expect(truth.alarms?.filter((each) => each.alarm === alarm)).toEqual([]);
});

test('all scenarios say what rings', () => {
  expect(allScenarios.filter(({ truth }) => !truth.alarms)).toEqual([]);
});

describe.each([...alarmScenarios, ...late])('$name', (scenario) => {
  test('rings what its truth says, and nothing else', { timeout: 60_000 }, async () => {
    const played = await playScenario(scenario.name, { seconds: alarmSeconds(scenario), ...paceOf(scenario) });
    expectAlarms(played);
    if (late.includes(scenario)) return;
    expectEvents(played);
    const { truth, drops = [], seconds } = scenario;
    expect(faultsIn({ findings: truth.findings, drops, told: toldIn(played.samples), seconds })).toEqual([]);
  });
});

/**
 * A frame each five seconds is enough, but where frames are counted. Only verdicts read what threads wait in and which are the busiest: that
 * is looked at wherever something must not ring, and where what rings leans on one.
 */
function paceOf({ near = [], truth: { alarms = [] } }: Scenario) {
  const ms = near.includes('gpu-lost') ? 1000 : 5000;
  const isOfHost = near.length === 0 && alarms.length > 0 && alarms.every(({ alarm }) => ofHost.test(alarm));
  const sources = collectors.filter((each) => !isOfHost || (each !== busiest && each !== waits));
  return { stepMs: ms, options: { intervalMs: ms }, sources };
}

const ofHost = /^(?:gpu|memory|shm|disk|loss|pattern)/;
