import { describe, expect, it } from 'vitest';
import { gpuLines } from '../../../src/ui/panels/gpus.tsx';
import { inputOf, madeStore, start, text } from './made.ts';

const GiB = 2 ** 30;

/** Four GPUs of which the last waits in a kernel, and has told no rates. */
const counted = madeStore({
  gpus: 4,
  lastGpus: (sample) => ({
    ...sample,
    smActivePercent: [90, 91, 92, 18],
    smOccupancyPercent: [33, 33, 34, 4],
    tensorActivePercent: [45, 46, 47, 0],
    dramActivePercent: [35, 35, 36, 0],
    pcieRxBytesPerSecond: [GiB, GiB, GiB, null],
    pcieTxBytesPerSecond: [GiB, 0, 0, null],
    nvlinkRxBytesPerSecond: [9 * GiB, 9 * GiB, 9 * GiB, null],
    nvlinkTxBytesPerSecond: [9 * GiB, 9 * GiB, 9 * GiB, null],
  }),
  more: [
    {
      kind: 'gpuRoles',
      host: 'node-0',
      source: 'roles',
      time: start + 90_000,
      receivedAt: start + 90_000,
      gpu: [0, 1, 2, 3],
      role: ['target', 'target', 'drafter', 'drafter'],
    },
  ],
});
const draw = (width: number, store = counted) => text(gpuLines(inputOf(store, { width, height: 9 })).lines);

describe("the GPU's own counters in the GPUs panel", () => {
  it('stand in columns where there is room, of a role as means of shares and sums of rates', () => {
    const [title = '', target = '', first = '', , drafter = '', , waits = ''] = draw(156);
    expect(title).toMatch(/MEMORY +GiB .* MHz +SM +OCC TENSOR DRAM PCIE\/s NVLINK\/s HELD BY/);
    expect(target).toMatch(/ 91% +33% +46% +35% +3\.00G +36\.0G$/);
    expect(first).toMatch(/1980 +90% +33% +45% +35% +2\.00G +18\.0G 572/);
    expect(drafter).toMatch(/ 55% +19% +24% +18% +– +–$/);
    expect(waits).toMatch(/1980 +18% +4% +0% +0% +– +– 572/);
  });

  it('leave the rates out in a narrower panel, and the bar of the memory, and are not there below that', () => {
    const [title = '', , first = ''] = draw(116);
    expect(title).toMatch(/HISTORY +GiB .* MHz +SM +OCC TENSOR DRAM HELD BY/);
    expect(first).toMatch(/1980 +90% +33% +45% +35% 572/);
    expect(draw(100)[0]).toMatch(/MEMORY +GiB .* MHz HELD BY/);
  });

  it('are dimmed where they are older than some seconds', () => {
    const tones = (ageMs: number) => {
      const store = madeStore({
        gpus: 1,
        lastGpus: (sample) => ({ ...sample, smActivePercent: [77], countersTime: [sample.receivedAt - ageMs] }),
      });
      const [, row = []] = gpuLines(inputOf(store, { width: 156, height: 9 })).lines;
      return row.find(({ text: cell }) => cell.trim() === '77%' && cell.length === 4)?.tone;
    };
    expect([tones(2000), tones(6000)]).toEqual(['plain', 'dim']);
  });

  it('are no columns where no GPU has told any, and stay where a round is late', () => {
    expect(draw(156, madeStore({ gpus: 2 }))[0]).not.toMatch(/TENSOR/);
    const late = madeStore({
      gpus: 1,
      lastGpus: (sample) => ({ ...sample, smActivePercent: [90] }),
      more: [
        {
          kind: 'gpus',
          host: 'node-0',
          source: 'gpu',
          time: start + 90_500,
          receivedAt: start + 90_500,
          ...{ uuid: ['GPU-0'], index: [0], name: ['NVIDIA H200'], utilizationPercent: [90] },
        },
      ],
    });
    const [title = '', row = ''] = draw(156, late);
    expect(title).toMatch(/SM +OCC TENSOR DRAM PCIE\/s NVLINK\/s/);
    expect(row).toMatch(/–( +–){5}/);
  });
});
