import { describe, expect, it } from 'vitest';
import type { GpuRolesSample } from '../../../src/model/samples.ts';
import { gpuGroupLines } from '../../../src/ui/panels/gpu-groups.ts';
import { gpuLines } from '../../../src/ui/panels/gpus.tsx';
import { inputOf, madeStore, start, text } from './made.ts';

const roles: GpuRolesSample = {
  ...{ kind: 'gpuRoles', host: 'h', source: 'user', time: start + 90_000, receivedAt: start + 90_000 },
  ...{ gpu: [6, 7, 0, 1], role: ['drafter', 'drafter', 'target', 'target'] },
};
const store = madeStore({ more: [roles] });
const draw = (height: number) => gpuLines(inputOf(store, { width: 116, height, focused: true, view: { cursor: 2 } }));
const first = (height: number) => text(draw(height).lines).map((row) => row.slice(0, 13).trimEnd());

describe('GPUs with roles', () => {
  it('stand in groups in the order of the user, those without one last, a line above each', () => {
    const rows = first(20);
    expect(rows).toEqual([
      ...[' # ROLE', '×2 drafter', ' 6 drafter', ' 7 drafter', '×2 target', ' 0 target', ' 1 target'],
      ...['×4 others', ' 2', ' 3', ' 4', ' 5'],
    ]);
  });

  it('have no such lines where there is no room, and are sorted all the same', () => {
    expect(first(9)).toEqual([' # ROLE', ' 6 drafter', ' 7 drafter', ' 0 target', ' 1 target', ' 2', ' 3', ' 4', ' 5']);
  });

  it('have the cursor on GPUs only', () => {
    const chosen = draw(20).lines.findIndex((line) => line.some(({ inverse }) => inverse));
    expect(text(draw(20).lines)[chosen]).toMatch(/^ 0 target/);
  });

  it('say on the edge what each role does', () => {
    expect((draw(9).note ?? []).map(({ text }) => text).join('')).toMatch(
      /^8 × \S+ · drafter \d+% · target \d+% · others \d+%/,
    );
  });

  it('need a line a group, and none without roles', () => {
    expect([gpuGroupLines([0, 1], roles), gpuGroupLines([0, 6, 3], roles), gpuGroupLines([2, 3], roles)]).toEqual([
      1, 3, 0,
    ]);
    expect(gpuGroupLines([0, 1], undefined)).toBe(0);
  });
});
