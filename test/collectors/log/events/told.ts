import { createEventDetector, type JoinedRecord } from '../../../../src/collectors/log/events/detector.ts';

/** The events of lines, each a record, as the JSON form has them; undefined where there is none. */
export function eventsOf(...records: (string | JoinedRecord)[]): (object | undefined)[] {
  const detector = createEventDetector();
  return records.map((record) => {
    const event = detector.detect(typeof record === 'string' ? { texts: [record] } : record);
    return event && { kind: event.kind, ...event.details };
  });
}
