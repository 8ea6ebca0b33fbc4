import { expect, it } from 'vitest';
import type { ProfileSample } from '../../../src/model/samples.ts';
import { captureOn, localRunner } from '../../support/capture.ts';
import { makeFakeRecorder } from '../../support/fake-spy.ts';

/** Falls behind at more than 20 a second, as py-spy 0.4.2 says it. */
const slow = `
rate = int(option('--rate'))
def write(*_):
    with open(option('--output'), 'w') as file:
        file.write('thread (7): M;f (a.py:1) %d\\n' % rate)
    print('Samples: %d Errors: 1' % rate, flush=True)
    end()
signal.signal(signal.SIGINT, write)
if rate > 20:
    print('1.07s behind in sampling, results may be inaccurate. Try reducing the sampling rate', flush=True)
    time.sleep(600)
write()`;

it('a record that falls behind goes on at half its rate until it keeps up, and all its parts count', async () => {
  const spy = makeFakeRecorder(slow);
  const runner = await localRunner({ pySpy: spy.path });
  try {
    const { capture, results } = await captureOn(runner, {
      what: 'record',
      pids: [process.pid],
      seconds: 600,
      rate: 40,
    });
    expect(capture).toMatchObject({ state: 'done', rate: 20, samples: 60, errors: 2 });
    expect(capture.notes).toEqual([
      `py-spy could not keep up with 40 samples a second of process ${process.pid}: 20 from then on`,
    ]);
    expect((results as readonly ProfileSample[]).map(({ rate, samples }) => [rate, samples])).toEqual([
      [40, 40],
      [20, 20],
    ]);
  } finally {
    await runner.stop();
    spy.remove();
  }
});
