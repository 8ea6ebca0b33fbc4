import type { Draft } from './part-writer.ts';

/** Gathers lines until they are a member. */
export function createDraft() {
  let lines: string[] = [];
  let bytes = 0;
  let about = fresh();

  function stretch(time: number) {
    about.from = Math.min(about.from, time);
    about.to = Math.max(about.to, time);
  }

  function add(line: string) {
    lines.push(line);
    bytes += line.length + 1;
  }

  return {
    /** The first line of a member from which a reader can begin. */
    begin({ isPart, time, keyframe }: { readonly isPart: boolean; readonly time: number; readonly keyframe: string }) {
      add(keyframe);
      stretch(time);
      about.keyframe = true;
      about.isPart = isPart;
    },
    sample(line: string, { time, isEvent }: { readonly time: number; readonly isEvent: boolean }) {
      add(line);
      stretch(time);
      about.samples++;
      about.event ||= isEvent;
    },
    minute(line: string) {
      add(line);
      about.minute = true;
    },
    bytes: () => bytes,
    /** What was gathered, and begins anew. */
    take(): Draft {
      const member = { ...about, text: lines.map((line) => `${line}\n`).join('') };
      lines = [];
      bytes = 0;
      about = fresh();
      return member;
    },
  };
}

function fresh() {
  return { from: Infinity, to: -Infinity, keyframe: false, event: false, minute: false, samples: 0, isPart: false };
}
