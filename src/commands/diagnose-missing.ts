import { signals, sources, type SignalName } from '../model/diagnosis/signals.ts';
import { signalWords } from '../model/diagnosis/words.ts';
import { groupBy } from '../model/group-by.ts';
import type { MissingSignal } from '../model/verdict-samples.ts';

/** Which saved output has what; docs/import.md says how it is saved. */
const saved: Readonly<Record<keyof typeof sources, string>> = {
  gpu: 'nvidia-smi --query-gpu (--nvidia-smi)',
  gpm: 'nvidia-smi dmon --gpm-metrics, on Hopper and later (--dmon)',
  threads: '/proc/PID/task/*/stat, or top -H (--stat, --top)',
  waits: 'wait.txt beside the stacks (--stacks)',
  stacks: "py-spy's dumps, or a record (--stacks)",
  native: "py-spy's record --native, or many dumps --native (--stacks)",
  gil: "py-spy's record --gil (--stacks)",
  log: "the run's log (--log)",
  host: 'top (--top)',
  processes: 'top, or /proc/PID/task/*/stat (--top, --stat)',
  run: 'top, or /proc/PID/task/*/stat (--top, --stat)',
};

/** What nobody told, by how it is had: on a live screen with its key, of saved output with its option. */
export function missingTexts(missing: readonly MissingSignal[], isSaved: boolean): readonly string[] {
  const getOf = ({ signal, get, key }: MissingSignal) => {
    if (isSaved && Object.hasOwn(signals, signal)) return `save ${saved[signals[signal as SignalName].from]}`;
    return key === undefined ? get : `${get} (${key})`;
  };
  return [...groupBy(missing, getOf)].map(([get, those]) => `${those.map(signalWords).join(', ')}: ${get}`);
}
