import { occurrences } from '../../src/demo/span.ts';
import type { Finding, Scenario } from '../../src/demo/scenario.ts';
import { createDiagnosis } from '../../src/model/diagnosis/engine.ts';
import type { Sample, Verdict } from '../../src/model/samples.ts';
import { demoStart } from './demo-recording.ts';

/** What is this sure is told as a fact: a wrong one sends its reader the wrong way. */
export const confident = 0.6;
/** A window of signals and the time that a verdict has to hold. */
const settleSeconds = 20;
/** A link that breaks is found out within 20 s, and is back within a minute. */
const linkSeconds = 90;

/** What is wrong in what was told while a scenario was played. */
export interface Fault {
  readonly second: number;
  readonly text: string;
}

/** The verdicts that stood at a second of a scenario. */
export function toldIn(samples: readonly Sample[]): (second: number) => readonly Verdict[] {
  const told = samples.filter((sample) => sample.kind === 'verdicts');
  return (second) => told.findLast(({ receivedAt }) => receivedAt <= demoStart + second * 1000)?.verdicts ?? [];
}

/** Where the verdicts are not the scenario's truth: each finding first told when it is the cause of the others, and nothing else as a fact. */
export function faultsIn({ findings, drops = [], told, seconds }: Asked): readonly Fault[] {
  const faults: Fault[] = [];
  for (let second = settleSeconds; second < seconds; second++) {
    const true_ = findingsAt(findings, second);
    const [first] = true_;
    const verdicts = told(second);
    const isLinkDown = drops.some(({ at, seconds: for_ }) => second >= at && second < at + for_ + linkSeconds);
    if (!first || true_.some(({ isNew }) => isNew) || changedLately(findings, second)) continue;
    for (const each of verdicts) {
      const isTrue =
        true_.some(({ finding }) => matches(each, finding)) || (isLinkDown && each.situation === 'unknown');
      if (each.confidence >= confident && !isTrue) faults.push({ second, text: `told ${textOf(each)}` });
    }
    if (isLinkDown) continue;
    if (!verdicts[0] || !matches(verdicts[0], first.finding))
      faults.push({
        second,
        text: `first ${verdicts[0] ? textOf(verdicts[0]) : 'nothing'}, not ${textOf(first.finding)}`,
      });
    for (const { finding } of true_)
      if (!verdicts.some((each) => matches(each, finding)))
        faults.push({ second, text: `not told: ${textOf(finding)}` });
  }
  return faults;
}

interface Asked extends Pick<Scenario, 'drops'> {
  readonly findings: readonly Finding[];
  readonly told: (second: number) => readonly Verdict[];
  readonly seconds: number;
}

/** How long after each finding began it was told first, in seconds; absent: never while it held. */
export function delaysOf(asked: Asked) {
  return asked.findings.map((finding) => {
    const { from, until = asked.seconds } = finding;
    for (let second = from; second < Math.min(until, asked.seconds); second++) {
      const verdict = asked.told(second).find((each) => matches(each, finding));
      if (verdict) return { finding, seconds: second - from, confidence: verdict.confidence };
    }
    return { finding };
  });
}

/** The verdicts at the end of some seconds of a scenario without what `keep` leaves out; what is known of the run beforehand stays. */
export function judgedWithout(
  samples: readonly Sample[],
  {
    from,
    until,
    keep,
  }: { readonly from: number; readonly until: number; readonly keep: (sample: Sample) => Sample | undefined },
): readonly Verdict[] {
  const diagnosis = createDiagnosis();
  for (const sample of samples) {
    const second = (sample.receivedAt - demoStart) / 1000;
    if (second > until) break;
    if (sample.kind === 'verdicts' || (second < from && !known.has(sample.kind))) continue;
    const kept = keep(sample);
    if (kept) diagnosis.find(kept);
  }
  return diagnosis.now()?.verdicts ?? [];
}

const known: ReadonlySet<Sample['kind']> = new Set(['facts', 'run', 'gpuRoles', 'labels', 'gpuProcesses']);

/** Whether a verdict is what is true; what the run's own words say of roles and causes may be left out. */
export function matches({ situation, scope }: Verdict, finding: Finding): boolean {
  const { ranks, gpus, role, queue, side, cause } = finding.scope;
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  return (
    situation === finding.situation &&
    (same(scope.ranks, ranks) || (ranks === undefined && same(scope.ranks, gpus))) &&
    same(scope.gpus, gpus) &&
    same(scope.queue, queue) &&
    same(scope.side, side) &&
    (scope.role === undefined || scope.role === role) &&
    (cause === undefined || scope.cause === undefined || scope.cause === cause)
  );
}

function findingsAt(findings: readonly Finding[], second: number) {
  return findings.flatMap((finding) =>
    [...occurrences(finding, second + 1)].flatMap(({ from, until }) =>
      second >= from && second < until ? { finding, isNew: second < from + settleSeconds && from > 0 } : [],
    ),
  );
}

/** What ended a moment ago is still in the window. */
function changedLately(findings: readonly Finding[], second: number): boolean {
  return findings.some((finding) =>
    [...occurrences(finding, second)].some(({ until }) => second >= until && second < until + settleSeconds),
  );
}

function textOf({ situation, scope, ...of }: Verdict | Finding): string {
  return `${situation} ${JSON.stringify(scope)}${'confidence' in of ? ` at ${of.confidence.toFixed(2)}` : ''}`;
}
