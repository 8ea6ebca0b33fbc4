import { inOrder, isTapeEvent, type TapeEvent } from '../model/tape.ts';
import { createDecoder } from './codec.ts';
import { limits } from './limits.ts';
import { linesOf, type Place } from './place.ts';

/** What happened in these members, in order. From the newest back: what a bomb unfolds to is bounded too. */
export async function eventsIn(places: readonly Place[]): Promise<readonly TapeEvent[]> {
  const newest = places.filter(({ member }) => member.event).slice(-limits.eventMembers.value);
  const decoder = createDecoder();
  const found: TapeEvent[] = [];
  let room: number = limits.eventText.value;
  for (const place of newest.reverse()) {
    const lines = (await linesOf(place)).toReversed();
    for (const line of lines) {
      room -= line.length + 1;
      if (!/^\{"kind":"(?:event|mark|alarm)"/.test(line)) continue;
      const sample = decoder.decode(line);
      if (sample && isTapeEvent(sample)) found.push(sample);
    }
    if (room < 0 || found.length > limits.events.value) break;
  }
  return newestEvents(found.reverse());
}

/** Those that are kept, in the order of their moments. */
export function newestEvents(events: readonly TapeEvent[]): readonly TapeEvent[] {
  return inOrder(events.slice(-limits.events.value));
}
