import { z } from 'zod';

/** What the run's speed is compared with: a number as it was written, or a recording to look it up in. */
export type BaselineOption =
  | { readonly value: number; readonly unit?: 'tokens' | 'samples' | 'steps'; readonly from?: string }
  | { readonly recording: string };

/** `14.5K` is a number; what is none is a path (`./14.5K` too). */
export function readBaseline(text: string): BaselineOption {
  const value = readCount(text);
  return value === undefined ? { recording: text } : { value };
}

/** A count above 0 as people write it: `491520`, `491,520`, `0.5M`. */
export function count(fault: string) {
  return z.string().transform((text, context) => {
    const value = readCount(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  });
}

function readCount(text: string): number | undefined {
  const [, digits, unit = ''] = /^\s*(\d{1,3}(?:[,_]\d{3})+|\d+(?:\.\d+)?|\.\d+)\s*([kmgt]?)\s*$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits.replace(/[,_]/g, '')) * 1000 ** ' kmgt'.indexOf(unit.toLowerCase() || ' ');
  return value > 0 && Number.isFinite(value) ? Number(value.toPrecision(12)) : undefined;
}
