import type { AlarmSample, BlackBoxSample, MuteSample } from '../samples.ts';

const keptAlarms = 200;
const keptMutes = 100;
const keptBoxes = 8;

/** The ringings with one more change, newest first; those that ring go last. What is over keeps the words it rang with, before those of its end. */
export function withAlarm(alarms: readonly AlarmSample[], sample: AlarmSample): readonly AlarmSample[] {
  const all = alarms.some(({ id }) => id === sample.id)
    ? alarms.map((each) => (each.id === sample.id ? withWords(each, sample) : each))
    : [sample, ...alarms];
  if (all.length <= keptAlarms) return all;
  const over = all.findLast(({ state }) => state === 'resolved') ?? all.at(-1);
  return all.filter((each) => each !== over);
}

function withWords(before: AlarmSample, sample: AlarmSample): AlarmSample {
  if (sample.state !== 'resolved') return sample;
  return { ...sample, text: before.state === 'resolved' ? before.text : `${before.text} ${sample.text}` };
}

/** What is muted with one more wish of the user; what is over is left out. */
export function withMute(mutes: readonly MuteSample[], sample: MuteSample): readonly MuteSample[] {
  const others = mutes.filter(
    ({ alarm, about, until }) =>
      !(alarm === sample.alarm && about === sample.about) && (until === undefined || until > sample.time),
  );
  return sample.heard ? others : [...others, sample].slice(-keptMutes);
}

/** The newest evidence first. */
export function withBlackBox(boxes: readonly BlackBoxSample[], sample: BlackBoxSample): readonly BlackBoxSample[] {
  return [sample, ...boxes.filter(({ id }) => id !== sample.id)]
    .sort((a, b) => b.startedAt - a.startedAt)
    .slice(0, keptBoxes);
}
