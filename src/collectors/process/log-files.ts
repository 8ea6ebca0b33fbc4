import type { RunOutput } from '../../model/run.ts';
import { readOutput } from './output.ts';

/** A process, as far as its files are concerned. */
interface Writer {
  readonly pid: number;
  readonly rank?: number | undefined;
  readonly outputs: ReadonlyMap<number, string>;
}

/** Runs whose files are remembered, and files of one of them. */
const most = { runs: 64, files: 48 };

/**
 * Knows the files that runs write as logs, in the order in which they were found: a file keeps its place when others come, when it is renamed,
 * and when its process has ended (the last words of a rank are the most wanted).
 */
export function createLogFiles() {
  const known = new Map<string, readonly RunOutput[]>();
  return {
    of(runId: string, members: readonly Writer[]): readonly RunOutput[] {
      const first = outputsOf(members).map((output) => withRank(output, members));
      const all = merge(known.get(runId) ?? [], found(members, first), first);
      const files = all.map((output) => withRank(output, members));
      known.delete(runId);
      known.set(runId, files);
      for (const id of [...known.keys()].slice(0, -most.runs)) known.delete(id);
      return [...first, ...files];
    },
  };
}

/** Of the root, or of the first rank when a launcher sent its ranks' output elsewhere. */
function outputsOf(members: readonly Writer[]): readonly RunOutput[] {
  const read = ({ outputs }: Writer) =>
    [...outputs].flatMap(([fd, target]) => (fd <= 2 ? [readOutput(fd, target)] : [])).sort((a, b) => a.fd - b.fd);
  const firstRank = members.find((entry) => entry.rank !== undefined);
  const all = [members[0], firstRank].flatMap((entry) => (entry ? [read(entry)] : []));
  return all.find((outputs) => outputs.some((output) => output.kind === 'file')) ?? all[0] ?? [];
}

/** The output of the ranks before that of other processes, and both before what is a log by its name. */
function found(members: readonly Writer[], first: readonly RunOutput[]): readonly RunOutput[] {
  const paths = new Set(first.map(({ path }) => path));
  const all = members.flatMap(({ pid, rank = Infinity, outputs }) =>
    [...outputs].map(([fd, target]) => ({ need: fd <= 2 ? 0 : 1, rank, output: { ...readOutput(fd, target), pid } })),
  );
  all.sort((a, b) => a.need - b.need || (a.rank === b.rank ? 0 : a.rank - b.rank) || a.output.fd - b.output.fd);
  return all.flatMap(({ output }) => {
    const { kind, path } = output;
    if (kind !== 'file' || path === undefined || paths.has(path) || path.includes('?')) return [];
    paths.add(path);
    return [output];
  });
}

function merge(
  before: readonly RunOutput[],
  now: readonly RunOutput[],
  first: readonly RunOutput[],
): readonly RunOutput[] {
  const isSame = (a: RunOutput) => (b: RunOutput) => a.pid === b.pid && a.fd === b.fd;
  const isTold = (path: string | undefined) => first.some((output) => output.path === path);
  const kept = before.map((old) => {
    const same = now.find(isSame(old));
    const isThere = now.some(({ path }) => path === old.path);
    // Renamed while it is open; a descriptor may lead to quite another file by now.
    return same && !isThere && isRotation(same.path, old.path?.replace(rotation, '')) ? { ...old, ...same } : old;
  });
  const fresh = now.filter(({ path }) => !kept.some((old) => old.path === path || isRotation(path, old.path)));
  return [...kept.filter(({ path }) => !isTold(path)), ...fresh].slice(0, most.files);
}

const rotation = /[.-]\d[\dT_.:-]*$/;

/** `log.1` of `log`. */
function isRotation(path: string | undefined, of: string | undefined): boolean {
  return path !== undefined && of !== undefined && path !== of && path.replace(rotation, '') === of;
}

/** Told only where there are several ranks, and only one of them has the file; it stays when that has ended. */
function withRank(output: RunOutput, members: readonly Writer[]): RunOutput {
  if (output.kind !== 'file') return output;
  const ranks = new Set(members.flatMap(({ rank }) => rank ?? []));
  const holders = members.filter(({ outputs }) => [...outputs.values()].includes(output.path ?? ''));
  const [rank, ...others] = new Set(holders.flatMap((holder) => holder.rank ?? []));
  if (rank === undefined || ranks.size < 2) return output;
  if (others.length === 0) return { ...output, rank };
  const { rank: _, ...ofMany } = output;
  return ofMany;
}
