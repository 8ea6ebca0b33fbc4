import type { ManualClock } from '../clock.ts';
import { createDiagnosis } from '../model/diagnosis/engine.ts';
import { createEventFinder } from '../model/events.ts';
import type { Sample } from '../model/samples.ts';
import type { Store } from '../model/store.ts';
import { isTapeEvent } from '../model/tape.ts';
import { createEncoder } from './codec.ts';
import { createDraft } from './draft.ts';
import { formatVersion, type RecordingHeader } from './format.ts';
import { writeLine } from './json-line.ts';
import { cuts } from './limits.ts';
import { packMember } from './member.ts';

interface Init {
  /** In order of `receivedAt`. */
  readonly samples: AsyncIterable<Sample>;
  /** Takes them in as it would have live; it runs on `clock`, which stands at the first Sample or before it. */
  readonly store: Store;
  readonly clock: ManualClock;
  readonly header: Omit<RecordingHeader, 'kind' | 'format' | 'part'>;
}

/**
 * A recording of Samples that are there already, member by member: what a recorder would have written of them, as fast as they come and
 * never faster than the members are taken. The events and verdicts in them are found on the way.
 */
export async function* packSamples({ samples, store, clock, header }: Init): AsyncGenerator<Buffer> {
  const encoder = createEncoder();
  const draft = createDraft();
  const events = createEventFinder();
  const diagnosis = createDiagnosis();
  const head = `${writeLine({ kind: 'header', format: formatVersion, part: 1, ...header })}\n`;
  let keyframeAt = -Infinity;
  let memberAt = 0;
  let isFirst = true;

  function* flush() {
    if (draft.bytes() === 0) return;
    for (const minute of store.history.takeMinutes()) draft.minute(writeLine({ kind: 'minute', ...minute }));
    const { text, isPart, samples: _, ...about } = draft.take();
    yield packMember(isPart ? head + text : text, about);
  }

  for await (const given of samples) {
    const time = given.receivedAt;
    clock.advance(Math.max(0, time - clock.now()));
    if (time - keyframeAt >= cuts.keyframeMs || time - memberAt >= cuts.memberMs || draft.bytes() >= cuts.memberBytes) {
      yield* flush();
      memberAt = time;
    }
    if (time - keyframeAt >= cuts.keyframeMs) {
      keyframeAt = time;
      encoder.reset();
      draft.begin({ isPart: isFirst, time, keyframe: writeLine({ kind: 'keyframe', time, state: store.save() }) });
      isFirst = false;
    }
    for (const found of [given, ...events.find(given)]) {
      for (const sample of [found, ...diagnosis.find(found)]) {
        draft.sample(encoder.encode(sample), { time, isEvent: isTapeEvent(sample) });
        store.push(sample);
      }
    }
  }
  yield* flush();
}
