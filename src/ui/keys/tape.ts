import type { KeyEntry } from './context.ts';
import * as tape from './tape-actions.ts';

type Entry = Pick<KeyEntry, 'id' | 'keys' | 'text' | 'run'> & Partial<KeyEntry>;

/** Keys of a recording: those that move it, its list of events, and marks. */
export const tapeKeys: readonly KeyEntry[] = [
  tapeKey({
    id: 'play',
    keys: [' '],
    text: 'play, or stand still: a live screen stands at the newest that is recorded',
    footer: { label: 'play', instead: { when: 'playing', label: 'pause' }, rank: 2, when: 'replay' },
    run: tape.play,
  }),
  tapeKey({
    id: 'stepBack',
    keys: ['Left'],
    text: 'a frame back, and stand still; on a live screen into its past',
    footer: { label: 'step', rank: 3, when: 'replay', keys: ['Left', 'Right'] },
    run: (context) => tape.step(context, -1),
  }),
  tapeKey({
    id: 'step',
    keys: ['Right'],
    text: 'a frame on, and stand still',
    enabled: tape.canGoOn,
    run: (context) => tape.step(context, 1),
  }),
  tapeKey({
    id: 'minuteBack',
    keys: ['Shift-Left', ','],
    text: 'a minute back',
    footer: { label: 'minute', rank: 8, when: 'replay', keys: [',', '.'] },
    run: (context) => tape.skip(context, -60_000),
  }),
  tapeKey({
    id: 'minute',
    keys: ['Shift-Right', '.'],
    text: 'a minute on',
    enabled: tape.canGoOn,
    run: (context) => tape.skip(context, 60_000),
  }),
  tapeKey({
    id: 'eventBefore',
    keys: ['['],
    text: 'the event, mark or alarm before',
    footer: { label: 'event', rank: 4, when: 'replay', keys: ['[', ']'] },
    run: (context) => tape.toEvent(context, -1),
  }),
  tapeKey({
    id: 'event',
    keys: [']'],
    text: 'the next event, mark or alarm',
    enabled: tape.canGoOn,
    run: (context) => tape.toEvent(context, 1),
  }),
  tapeKey({
    id: 'tapeSlower',
    keys: ['<'],
    text: 'slower, down to 0.25x',
    enabled: tape.canGoOn,
    footer: { label: 'speed', rank: 6, when: 'replay', keys: ['<', '>'] },
    run: (context) => tape.changeSpeed(context, -1),
  }),
  tapeKey({
    id: 'tapeFaster',
    keys: ['>'],
    text: 'faster, up to 64x',
    enabled: tape.canGoOn,
    run: (context) => tape.changeSpeed(context, 1),
  }),
  tapeKey({
    id: 'goTo',
    keys: ['T'],
    text: 'go to a time: 03:12, or -2h',
    footer: { label: 'go to', rank: 5, when: 'replay' },
    run: tape.askTime,
  }),
  tapeKey({ id: 'tapeStart', keys: ['0'], text: 'to the start', run: (context) => tape.toEnd(context, 'from') }),
  tapeKey({
    id: 'tapeEnd',
    keys: ['$'],
    text: 'to the end, or the newest of what is still written',
    enabled: tape.canGoOn,
    run: (context) => tape.toEnd(context, 'to'),
  }),
  {
    id: 'live',
    keys: ['L'],
    modes: ['main', 'events'],
    group: 'Recording',
    text: 'from the past of a watch back to live',
    footer: { label: 'live', rank: 1.5, when: 'past' },
    enabled: ({ controls }) => {
      if (controls.past) return true;
      return controls.tape ? 'This is a recording: there is no live screen behind it.' : 'You see now.';
    },
    run: tape.toLive,
  },
  tapeKey({
    id: 'loop',
    keys: ['O'],
    text: 'play over and over again, or once',
    enabled: tape.canGoOn,
    footer: { label: 'loop', rank: 9, when: 'replay' },
    run: tape.toggleLoop,
  }),
  {
    id: 'events',
    keys: ['E'],
    modes: ['main'],
    group: 'Recording',
    text: 'events, marks and alarms: all of the recording, or what has happened so far',
    footer: { label: 'events', rank: 7, when: 'replay' },
    run: tape.listEvents,
  },
  {
    id: 'mark',
    keys: ['M'],
    modes: ['main'],
    group: 'Recording',
    text: 'mark the moment that is shown, with a note, while a run is watched',
    footer: { label: 'mark', rank: 34, when: 'live' },
    enabled: ({ controls }) => controls.mark !== undefined || 'This is a recording: it is not changed.',
    run: tape.askMark,
  },
];

function tapeKey(entry: Entry): KeyEntry {
  return {
    modes: ['main'],
    group: 'Recording',
    enabled: tape.canGo,
    ...entry,
  };
}
