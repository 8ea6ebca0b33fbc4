import type { GpuRolesSample } from '../../model/samples.ts';
import { formatPercent } from '../parts/format.ts';
import type { Segment } from '../parts/line.ts';
import type { GpuRow } from './gpu-columns.ts';

/** GPUs of one role. */
interface GpuGroup {
  /** Absent: those that have none. */
  readonly role?: string;
  readonly rows: readonly GpuRow[];
}

/** The rows in groups by role, in the user's order; those without one come last. Without roles one group of all. */
export function gpuGroups(rows: readonly GpuRow[], roles: GpuRolesSample | undefined): readonly GpuGroup[] {
  const byGpu = new Map(roles?.gpu.map((gpu, i) => [gpu, roles.role[i] ?? '']));
  const groups = new Map<string, GpuRow[]>([...byGpu.values()].map((role) => [role, []]));
  const others: GpuRow[] = [];
  for (const row of rows) {
    const role = byGpu.get(row.index);
    const group = role === undefined ? others : groups.get(role);
    group?.push(role === undefined ? row : { ...row, role });
  }
  const named = [...groups].filter(([, own]) => own.length > 0).map(([role, own]) => ({ role, rows: own }));
  return others.length === 0 ? named : [...named, { rows: others }];
}

/** How many lines above their GPUs say what GPUs of a role do together. */
export function gpuGroupLines(indexes: readonly number[], roles: GpuRolesSample | undefined): number {
  const byGpu = new Map(roles?.gpu.map((gpu, i) => [gpu, roles.role[i]]));
  const used = new Set(indexes.map((index) => byGpu.get(index)));
  return used.size === 1 && used.has(undefined) ? 0 : used.size;
}

/** What the GPUs of a role do together: means of shares, sums of memory and power, the highest temperature. */
export function groupRow({ role, rows }: GpuGroup): GpuRow {
  const values = (key: 'utilization' | 'used' | 'total' | 'power' | 'limit' | 'temperature') =>
    rows.map((row) => row[key]).filter((value) => value !== undefined);
  // A sum that lacks one of them is none.
  const sum = (key: Parameters<typeof values>[0]) => {
    const all = values(key);
    return all.length === rows.length ? all.reduce((a, b) => a + b, 0) : undefined;
  };
  const [utilizations, heat] = [values('utilization'), values('temperature')];
  const limited = rows.filter(({ reasons, fault }) => reasons.length > 0 || fault !== undefined).length;
  return {
    ...{ uuid: '', index: -1, clock: undefined, fault: undefined, holder: '', used: sum('used'), total: sum('total') },
    ...{ power: sum('power'), limit: sum('limit') },
    utilization: utilizations.length === 0 ? undefined : mean(utilizations),
    temperature: heat.length === 0 ? undefined : Math.max(...heat),
    reasons: limited > 0 ? [`${limited} of ${rows.length}`] : [],
    role: role ?? noRole,
    group: rows,
  };
}

/** `target 96% · drafter 86%`, for where there is no line of its own for it. */
export function groupNotes(groups: readonly GpuGroup[]): readonly Segment[] {
  return groups.map(({ role = noRole, rows }) => {
    const shares = rows.map(({ utilization }) => utilization).filter((value) => value !== undefined);
    return { text: `${role} ${formatPercent(shares.length === 0 ? undefined : mean(shares))}`, tone: 'dim' };
  });
}

const noRole = 'others';

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
