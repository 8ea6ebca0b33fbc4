import type { Situation } from '../src/model/situations.ts';
import { demoStart, playDemo } from '../test/support/demo-recording.ts';

/** From here on a verdict is told as likely. */
const likely = 0.5;
/** What a healthy run does. */
const healthy: ReadonlySet<Situation> = new Set(['compute-bound', 'checkpointing', 'evaluating']);
const hoursOfNight = 10;

/** Plays HOURS (10) of the demo's two healthy runs, and says what was told of them, what rang and what evidence was taken; 1 where it is anything but health. */
export async function diagnosisNight([hours = `${hoursOfNight}`]: readonly string[]): Promise<number> {
  let faults = 0;
  for (const scenario of ['healthy', 'checkpoints']) faults += await nightOf(scenario, Number(hours) * 3600);
  return faults > 0 ? 1 : 0;
}

async function nightOf(scenario: string, seconds: number): Promise<number> {
  const firsts = new Map<string, number>();
  const wrong = new Map<string, { times: number; readonly first: number; most: number }>();
  let changes = 0;
  let last = '';
  const rung: string[] = [];
  const boxes = new Map<string, string>();
  await playDemo({
    ...{ scenario, seconds, stepMs: 1000, keepsWatch: true },
    onSample(sample) {
      if (sample.kind === 'alarm' && sample.state === 'ringing')
        rung.push(`${(sample.receivedAt - demoStart) / 1000} s, ${sample.alarm}: ${sample.text}`);
      if (sample.kind === 'blackBox')
        boxes.set(sample.id, `${(sample.receivedAt - demoStart) / 1000} s, ${sample.reason}`);
      if (sample.kind !== 'verdicts') return;
      const [first] = sample.verdicts;
      const name = first?.situation ?? 'nothing';
      firsts.set(name, (firsts.get(name) ?? 0) + 1);
      if (name !== last) changes++;
      last = name;
      for (const { situation, scope, confidence } of sample.verdicts) {
        if (healthy.has(situation) || confidence < likely) continue;
        const text = `${situation} ${JSON.stringify(scope)}`;
        const known = wrong.get(text);
        const first = known?.first ?? (sample.receivedAt - demoStart) / 1000;
        wrong.set(text, { times: (known?.times ?? 0) + 1, first, most: Math.max(known?.most ?? 0, confidence) });
      }
    },
  });
  console.log(`${scenario}, ${seconds / 3600} h: ${changes} changes of the headline`);
  for (const [name, times] of firsts) console.log(`  first ${name}: ${times} times told`);
  for (const [text, { times, first, most }] of wrong)
    console.log(`  WRONG ${text}: ${times} times, first at ${first} s, at most ${most.toFixed(2)}`);
  for (const text of rung) console.log(`  RANG at ${text}`);
  if (rung.length === 0) console.log('  nothing rang');
  for (const text of boxes.values()) console.log(`  EVIDENCE was taken at ${text}`);
  if (boxes.size === 0) console.log('  no evidence was taken');
  return wrong.size + rung.length + boxes.size;
}
