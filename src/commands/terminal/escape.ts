/** What of the typed bytes goes to the shell, and what the user wants of us. */
export interface Typed {
  readonly bytes: Buffer;
  /** `Enter ~ .`: out of here, whatever the shell or the link does. */
  readonly leaves: boolean;
  /** What was typed behind that. */
  readonly rest: Buffer;
}

const tilde = 0x7e;
const dot = 0x2e;
const lineEnds = [0x0d, 0x0a];

/**
 * Reads ssh's way out: `~.` at the begin of a line, `~~` for a tilde there (ssh(1), ESCAPE CHARACTERS). A link that is frozen cannot be
 * left by anything that goes through it.
 */
export function createEscape(): (typed: Buffer) => Typed {
  let atLineStart = true;
  let isHeld = false;
  return (typed) => {
    const passed: number[] = [];
    for (const [at, byte] of typed.entries()) {
      if (isHeld) {
        isHeld = false;
        if (byte === dot) return { bytes: Buffer.from(passed), leaves: true, rest: typed.subarray(at + 1) };
        passed.push(tilde);
        atLineStart = false;
        if (byte === tilde) continue;
      } else if (atLineStart && byte === tilde) {
        isHeld = true;
        continue;
      }
      passed.push(byte);
      atLineStart = lineEnds.includes(byte);
    }
    return { bytes: Buffer.from(passed), leaves: false, rest: Buffer.alloc(0) };
  };
}
