import { systemClock } from '../../clock.ts';
import type { CaptureSample } from '../../model/samples.ts';
import { captureTitle, samplesText } from '../../model/capture-words.ts';
import { safeText } from '../../model/text.ts';

/** What is said, and of what. */
interface Init {
  /** The capture as it is now; undefined: it has not begun. */
  readonly of: () => CaptureSample | undefined;
  readonly target: string;
}

/** Says on standard error how a capture goes on, where that is a terminal. */
export function createCaptureProgress({ of, target }: Init): { end(): void } {
  const { stderr } = process;
  if (!stderr.isTTY) return { end: () => {} };
  const begun = systemClock.now();
  let shown = 0;
  const show = () => {
    const capture = of();
    if (!capture) return;
    const text = safeText(line(capture, target, systemClock.now() - begun)).slice(
      0,
      Math.max(20, (stderr.columns || 80) - 1),
    );
    stderr.write(`\r${text.padEnd(shown)}`);
    shown = text.length;
  };
  const cancel = systemClock.every(500, show);
  show();
  return {
    end() {
      cancel();
      if (shown > 0) stderr.write(`\r${' '.repeat(shown)}\r`);
    },
  };
}

function line(capture: CaptureSample, target: string, ms: number): string {
  const seconds = (value: number) => String(Math.round(value / 1000));
  const parts = [
    `${captureTitle(capture)} on ${target}: ${seconds(ms)} of ${seconds(capture.plannedMs)} s`,
    samplesText(capture),
    capture.errors ? `${capture.errors} errors` : undefined,
    'Ctrl-C keeps what there is',
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}
