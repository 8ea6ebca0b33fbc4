import type { Sample } from '../model/samples.ts';

/** Samples to lines. Lines lean on those before them until `reset`. */
export interface Encoder {
  /** One line without its end; undefined when nothing is new. */
  encode(sample: Sample): string | undefined;
  reset(): void;
}

/** Lines to the same Samples. */
export interface Decoder {
  /** Undefined for a line that is broken, which is counted, or leans on one that is missing. */
  decode(line: string): Sample | undefined;
  reset(): void;
  readonly broken: number;
}

/** An encoder at a point where nothing is leant on. */
export function createEncoder(): Encoder {
  return { encode: (sample) => JSON.stringify(sample), reset() {} };
}

/** A decoder for what such an encoder wrote. */
export function createDecoder(): Decoder {
  let broken = 0;
  return {
    decode(line) {
      try {
        return JSON.parse(line) as Sample;
      } catch {
        broken++;
        return undefined;
      }
    },
    reset() {},
    get broken() {
      return broken;
    },
  };
}
