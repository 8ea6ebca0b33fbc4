import type { AlarmName } from '../alarm-samples.ts';

/** What one alarm is about. */
export interface Told {
  readonly alarm: AlarmName;
  readonly key: string;
  readonly about?: string;
}

/** Verdicts that say of a run without steps why. */
const stalls: ReadonlySet<string> = new Set(['collective-hang', 'stalled', 'dead']);

/**
 * The trouble that an alarm tells of, where several tell of one: whichever rings first is the one that rings, and it rings until none of them
 * holds. Absent: it stands for itself.
 */
export function troubleOf({ alarm, key, about }: Told): string | undefined {
  switch (alarm) {
    case 'no-step':
      return 'stall';
    case 'verdict':
      return stalls.has(key) ? 'stall' : undefined;
    case 'gpu-hot':
    case 'gpu-throttled':
      return `heat ${about}`;
    case 'gpu-lost':
    case 'gpu-xid':
      return about === undefined ? undefined : `fault ${about}`;
    default:
      return undefined;
  }
}

/** Whether what rings explains another that is about something else: nvidia-smi fails where a GPU is lost. */
export function explains(ringing: Told, { alarm }: Told): boolean {
  return alarm === 'nvml-broken' && ringing.alarm === 'gpu-lost';
}
