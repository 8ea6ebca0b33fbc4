import { alarmScenarios } from '../../src/demo/scenarios/alarms/index.ts';
import { allScenarios, scenarios } from '../../src/demo/scenarios/index.ts';
import { alarmNames, type AlarmName } from '../../src/model/alarm-samples.ts';
import type { Finding, Scenario, Scope } from '../../src/demo/scenario.ts';

/** docs/scenarios.md: what the demo plays, and what is true of it. */
export function scenariosMarkdown(): string {
  return `# Demo scenarios

Made by \`npm run docs\` from \`src/demo/scenarios\`.

    traintop demo --scenario hang --speed 8
    traintop demo --scenario hang --seed 5 --record /tmp/runs

A scenario is a file of data: what happens to a simulated run, when, and what is true of it then. The demo host prints what the tools of a
real one would print, and everything behind it is as for any host: SSH on loopback, parsers, store, recorder. The figures follow captures
of a real host with two H200, whose figures stand in the files. The same \`--seed\` gives the same figures. Times are seconds since the
demo began.

\`--speed\` runs the clock of the demo up to 64 times as fast, and no faster than this machine keeps up with. SSH keeps its own
times: at a high speed a new connection takes some seconds of the demo.

A recording of a demo has the scenario, the seed and the truth in its header, so that what is found in it can be compared with what
was there.

| scenario | |
| --- | --- |
${scenarios.map(({ name, title }) => `| [\`${name}\`](#${name}) | ${title} |`).join('\n')}

## Alarms

Each alarm ([docs/alarms.md](alarms.md)) rings in a scenario, once and in time, and stays silent in one that comes near to it. \`traintop demo
--scenario list\` prints them all.

| alarm | rings in | stays silent in |
| --- | --- | --- |
${alarmNames.map(alarmRow).join('\n')}

| scenario | |
| --- | --- |
${alarmScenarios.map(({ name, title }) => `| [\`${name}\`](#${name}) | ${title} |`).join('\n')}

${allScenarios.map(section).join('\n\n')}
`;
}

function alarmRow(alarm: AlarmName): string {
  const links = (of: (scenario: Scenario) => boolean | undefined) =>
    allScenarios
      .filter(of)
      .map(({ name }) => `[\`${name}\`](#${name})`)
      .join(', ');
  const rings = links(({ truth }) => truth.alarms?.some((each) => each.alarm === alarm));
  return `| ${alarm} | ${rings} | ${links(({ near }) => near?.includes(alarm))} |`;
}

function section({ name, story, truth, near = [] }: Scenario): string {
  const findings = truth.findings.map(
    (finding) => `| ${finding.situation} | ${when(finding)} | ${about(finding.scope)} |`,
  );
  const events = truth.events.map(({ event, at }) => `${event} at ${at} s`);
  const rings = (truth.alarms ?? []).map(
    ({ alarm, about, at, within, resolvedAt }) =>
      `${alarm}${about === undefined ? '' : ` (${about})`} at ${at} to ${at + within} s${resolvedAt === undefined ? '' : `, over from ${resolvedAt} s on`}`,
  );
  return [
    `## ${name}`,
    story.join(' '),
    ['| true | when | of what |', '| --- | --- | --- |', ...findings].join('\n'),
    ...(events.length > 0 ? [`Events: ${events.join(', ')}.`] : []),
    ...(rings.length > 0 ? [`Rings: ${rings.join(', ')}.`] : []),
    ...(near.length > 0 ? [`Silent, though near: ${near.join(', ')}.`] : []),
  ].join('\n\n');
}

function when({ from, until, every }: Finding): string {
  const span = until === undefined ? `from ${from} s on` : `${from} s to ${until} s`;
  return every === undefined ? span : `${span}, again every ${every} s`;
}

function about({ ranks, gpus, role, queue, side, cause }: Scope): string {
  const parts = [
    ...(ranks ? [`rank ${list(ranks)}`] : []),
    ...(role === undefined ? [] : [`the ${role}s`]),
    ...(gpus ? [`GPU ${list(gpus)}`] : []),
    ...(queue === undefined ? [] : [`queue ${queue}`]),
    ...(side === undefined ? [] : [`the ${side} is slow`]),
    ...(cause === undefined ? [] : [cause]),
  ];
  return parts.length > 0 ? parts.join('; ') : 'the run';
}

/** `0–4, 6`. */
function list(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(', ');
}
