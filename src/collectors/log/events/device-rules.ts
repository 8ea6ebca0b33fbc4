import { numberOf, told, type EventRule } from './rule.ts';

/** As the driver and its tools write a GPU's place: `0000:44:00`, `00000000:44:00.0`. */
const place = /\b((?:[\da-f]{4,8}:)?[\da-f]{2}:[\da-f]{2}(?:\.\d)?)\b/i;

/** What the driver writes to the kernel's log, and what its tools say of a GPU that is gone. */
export const deviceRules: readonly EventRule[] = [
  {
    words: ['xid', 'xidcriticalerror'],
    find({ text }) {
      const driver = /\bXid \(([^)]{0,60})\): (\d+)/.exec(text);
      const xid = driver
        ? Number(driver[2])
        : numberOf(
            /\bXidCriticalError: Xid=(\d+)|\bGPU\b.*\bXid (\d+)[,:]|\bXid (?:critical )?error[ :=]+(\d+)/i,
            text,
          );
      if (xid === undefined) return undefined;
      return told('xid', {
        xid,
        bus: place.exec(driver?.[1] ?? '')?.[1],
        pid: numberOf(/\bpid=(\d+)/, text),
        gpu: driver ? undefined : numberOf(/\bGPU:? ?(\d{1,3})\b(?![\w:.]\w)/, text),
      });
    },
  },
  {
    words: ['bus', 'lost', 'fallen', 'handle'],
    find({ text, record }) {
      if (
        !/\bfallen off the bus\b|\bGPU is lost\b|\bGPU_IS_LOST\b|\bUnable to determine the device handle for GPU/i.test(
          text,
        )
      )
        return undefined;
      const all = record.texts.join(' ');
      return told('gpu_lost', {
        bus: /\bGPU:? ?(?=[\da-f:.]{7,})([\da-f:]+(?:\.\d)?)\b/i.exec(all)?.[1],
        gpu: numberOf(/\bGPU ?(\d{1,3})\b(?![\w:.])/, all),
      });
    },
  },
];
