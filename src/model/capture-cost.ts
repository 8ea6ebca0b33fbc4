import { captureDefaults, spiesAtOnce } from './capture-plan.ts';
import type { CaptureRequest } from './capture-samples.ts';

/**
 * CPU time that py-spy 0.4.2 takes to read one thread once: 0.23 ms with stacks ten deep, with 6, 100 and 400 threads alike
 * (Python 3.11, 20 samples a second).
 */
const msPerThread = 0.23;
/** What a dump takes beside that, to start and to find the interpreter: 10 ms, with libraries of machine code 40 ms. */
const dumpMs = { plain: 10, native: 40 };
/** A native dump walks each thread's machine code too. */
const nativeMsPerThread = 0.5;

/** What a capture will cost, as sentences; before it begins. `threads` of one process, the most there are; absent: not known yet. */
export function expectedCost(request: CaptureRequest, threads: number | undefined): readonly string[] {
  const { pids } = request;
  const several = pids.length > 1 ? [`${pids.length} processes, ${spiesAtOnce} at a time; of each:`] : [];
  return [...several, ...costOfOne(request, threads)];
}

function costOfOne(request: Omit<CaptureRequest, 'pids'>, threads: number | undefined): readonly string[] {
  const { what, seconds, rate, rounds, everySeconds, blocking = false } = { ...captureDefaults, ...request };
  if (threads === undefined) return [blocking || what === 'native' ? held : notHeld];
  const count = `${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  if (what === 'native')
    return [
      `The process is held while its ${count} are read: for about ${round(dumpMs.native + nativeMsPerThread * threads)} ms, longer where its libraries are large.`,
    ];
  if (what === 'dump')
    return [`py-spy works for about ${round(dumpMs.plain + msPerThread * 2 * threads)} ms. ${notHeld}`];
  if (what === 'many') {
    const share = (dumpMs.plain + msPerThread * 2 * threads) / (everySeconds * 1000);
    return [
      `${rounds} dumps of ${count} in ${rounds * everySeconds} s: about ${percent(share)} of a core for py-spy. ${notHeld}`,
    ];
  }
  const eachMs = msPerThread * threads;
  const share = (eachMs * rate) / 1000;
  const most = Math.max(1, Math.floor(900 / eachMs));
  const behind =
    share > 0.9 ? [`That is more than one py-spy can do: it falls behind, and is slowed to what it can.`] : [];
  const least = share > 0.9 ? [`About ${most} a second is what it can.`] : [];
  const cost = `${rate} samples a second of ${count} for ${seconds} s: about ${percent(Math.min(1, share))} of a core for py-spy.`;
  if (!blocking) return [`${cost} ${notHeld}`, ...behind, ...least];
  return [
    cost,
    `The process is held for each sample, about ${round(eachMs)} ms: it loses about ${percent(Math.min(1, share))} of its time.`,
    ...behind,
    ...least,
  ];
}

const notHeld = 'The process is not held.';
const held = 'The process is held while it is read.';

/** No figure is better than its model: two digits. */
function round(ms: number): string {
  return String(Number(ms.toPrecision(2)));
}

function percent(share: number): string {
  return share < 0.01 ? 'less than 1 %' : `${round(share * 100)} %`;
}
