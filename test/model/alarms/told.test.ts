import { expect, test } from 'vitest';
import { withAlarm } from '../../../src/model/alarms/told.ts';
import { createStage, gpus, warmUp } from './made.ts';

test('what is over keeps the words it rang with, before those of its end', () => {
  const stage = createStage();
  warmUp(stage);
  stage.play(200, 240, (s) => [gpus(s, 97, 640, { temperatureCelsius: [92, 60] })]);
  stage.play(240, 320, (s) => [gpus(s, 97, 640, { temperatureCelsius: [70, 60] })]);
  const [rang, over] = stage.all;
  if (!rang || !over) throw new Error('nothing rang, or it was not over');
  expect([rang.state, over.state]).toEqual(['ringing', 'resolved']);
  const kept = withAlarm(withAlarm([], rang), over);
  expect(kept).toEqual([{ ...over, text: `${rang.text} ${over.text}` }]);
  // A recording that is read from the middle may bring it again.
  expect(withAlarm(kept, over)).toEqual(kept);
});
