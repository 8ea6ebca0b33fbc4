import { UsageFault } from '../config/check-options.ts';
import { isoTime, signalsJson, spanJson, verdictJson } from '../model/diagnosis/json.ts';
import { followCourse, type Course } from './diagnose-course.ts';
import type { DiagnoseOptions } from './diagnose-options.ts';
import { withRecording, withSaved, type Recorded } from './diagnose-samples.ts';
import { diagnosisText } from './diagnose-text.ts';
import { momentIn } from './moment-in.ts';
import { untilEndSignal } from './signals.ts';

/**
 * Prints what a run waited for at one moment of a recording or of saved output, and how that changed. Resolves with the exit code;
 * rejects with a RecordingFault or a UsageFault.
 */
export function diagnose(options: DiagnoseOptions, print = toStandardOutput): Promise<number> {
  const { from, json, signals: withSignals } = options;
  return untilEndSignal(async (signal) => {
    const work = async (recorded: Recorded) => {
      const course = await courseOf(recorded, options);
      return json
        ? jsonOf(course, options)
        : diagnosisText({ recorded, course, withSignals, output: process.stdout, env: process.env });
    };
    const text =
      'saved' in from ? await withSaved(from.saved, signal, work) : await withRecording(from.recording, signal, work);
    await print(text);
    return 0;
  });
}

async function courseOf(recorded: Recorded, { at }: DiagnoseOptions): Promise<Course> {
  const moment = at === undefined ? undefined : momentIn(recorded, at);
  const course = await followCourse({
    ...recorded,
    samples: recorded.samples(moment),
    ...(moment !== undefined && { at: moment }),
  });
  if (!course) throw new UsageFault(`${recorded.name}: there is nothing in it that could be judged.`);
  return course;
}

function jsonOf(course: Course, options: DiagnoseOptions): string {
  const { at, verdicts, timeline, signals } = course;
  const object = {
    verdicts: verdicts.map(verdictJson),
    at: isoTime(at),
    timeline: timeline.map(spanJson),
    ...(options.signals && { signals: signals.map(signalsJson) }),
  };
  return `${JSON.stringify(object, null, 2)}\n`;
}

function toStandardOutput(text: string): Promise<void> {
  return new Promise((resolved) => process.stdout.write(text, () => resolved()));
}
