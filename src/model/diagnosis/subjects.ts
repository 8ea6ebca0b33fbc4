/** What a rule is asked of. */
export type Subject = RunSubject | GpuSubject | QueueSubject;

/** The run as a whole. */
export interface RunSubject {
  readonly kind: 'run';
}

/** A GPU of the run, with the process that works on it. */
export interface GpuSubject {
  readonly kind: 'gpu';
  readonly uuid: string;
  /** nvidia-smi's. */
  readonly index: number;
  /** Absent: nobody told which process it is. */
  readonly pid?: number;
  readonly rank?: number;
  /** What the GPU is for, as the user or its threads say. */
  readonly role?: string;
}

/** A queue of the log. */
export interface QueueSubject {
  readonly kind: 'queue';
  readonly name: string;
}

/** Names a subject: equal ones are the same over time. */
export function subjectKey(subject: Subject): string {
  if (subject.kind === 'run') return 'run';
  return subject.kind === 'gpu' ? `gpu/${subject.uuid}` : `queue/${subject.name}`;
}
