import type { LogEventKind, LogLine } from '../../log-samples.ts';
import { courseIn, saysEnd, type Course } from './log-words.ts';

/** What a run does beside its steps, as the log tells it. */
export interface CourseOfLog {
  /** What the event of the line tells of, where it is no step. */
  byEvent(line: LogLine): Told | undefined;
  /** The same of its words: they cost more. */
  byWords(line: LogLine): Told | undefined;
  take(told: Told, time: number): void;
  /** A step was done; whether the log still tells of something that takes its time. */
  progressed(time: number): boolean;
  /** When the log last told of it after the last progress, epoch ms; absent: it did not, or it is over. */
  at(course: Course): number | undefined;
  /** A bar moved that is not the loop's: of an evaluation, or of a dataset. */
  moved(bar: string, time: number): void;
  /** Of the last line about any of them but an error, or of a bar: the run lived. */
  livedAt(): number | undefined;
  /** The log said that the training is over: no progress is to be expected. */
  isDone(): boolean;
  /** Of another run that may have begun before it was found. */
  startAnew(): void;
}

/** What one line tells. */
export interface Told {
  readonly course: Course | 'epoch' | 'done';
  /** The work is over. */
  readonly isEnd: boolean;
}

const courses: Readonly<Partial<Record<LogEventKind, Told['course']>>> = {
  checkpoint: 'checkpoint',
  evaluation: 'evaluation',
  epoch_end: 'epoch',
  training_end: 'done',
  cuda_oom: 'error',
  host_oom: 'error',
  nccl_timeout: 'error',
  dist_backend: 'error',
  xid: 'error',
  gpu_lost: 'error',
  traceback: 'error',
  exception: 'error',
  torchrun_child_failed: 'error',
  rank_exit: 'error',
  slurm_time_limit: 'error',
  slurm_cancelled: 'error',
  signal: 'error',
};

/** A step that was under way, or is told by another rank, may come a moment after; stamps are of whole seconds. */
const besideMs = 3000;
const headLength = 80;

/** A rank that failed leaves the others a step or two that they had begun. */
const progressAfterError = 3;

/** Before any line. */
export function createCourse(): CourseOfLog {
  const heard = new Map<Course, number>();
  let livedAt: number | undefined;
  let isDone = false;
  let sinceError = 0;
  let lastBar = '';

  const live = (time: number) => (livedAt = Math.max(livedAt ?? time, time));

  return {
    byEvent({ event, values, text }) {
      const course = event && courses[event.kind];
      if (!course) return undefined;
      const isResult = event.details?.['seconds'] !== undefined || values?.validationLoss !== undefined;
      return { course, isEnd: isResult || saysEnd(text) };
    },
    byWords({ text, values, level }) {
      // Of a line with figures only its first words are its matter.
      const course = courseIn(values ? text.slice(0, headLength) : text);
      // What could not be loaded, or saved, is an error: no work that goes on.
      if (!course || (level === 'error' && course !== 'error')) return undefined;
      return { course, isEnd: saysEnd(text) };
    },
    take({ course, isEnd }, time) {
      if (course === 'error') sinceError = 0;
      else live(time);
      if (course === 'done') isDone = true;
      if (course === 'done' || course === 'epoch') return;
      // Loading ends with the first step only: what is loaded is compiled, or spread, next.
      if (isEnd && (course === 'checkpoint' || course === 'evaluation')) heard.delete(course);
      else heard.set(course, time);
    },
    moved(bar, time) {
      // One that hangs may be drawn again as it was.
      if (bar === '' || bar === lastBar) return;
      lastBar = bar;
      live(time);
    },
    progressed(time) {
      isDone = false;
      sinceError++;
      let isBusy = false;
      for (const [course, at] of heard) {
        const isOver = course === 'error' ? sinceError >= progressAfterError : Math.abs(time - at) >= besideMs;
        if (isOver) heard.delete(course);
        else isBusy ||= course !== 'error';
      }
      return isBusy;
    },
    at: (course) => heard.get(course),
    livedAt: () => livedAt,
    isDone: () => isDone,
    startAnew() {
      for (const course of heard.keys()) if (course !== 'warmup') heard.delete(course);
      isDone = false;
      livedAt = heard.get('warmup');
    },
  };
}
