import { expect, test } from 'vitest';
import { createManualClock } from '../../src/clock.ts';
import { createLooks } from '../../src/collectors/host/looks.ts';
import { createMachine } from '../../src/demo/machine.ts';
import { playLooks } from '../../src/demo/players/looks.ts';
import { gpuAddress } from '../../src/demo/places.ts';
import { healthy } from '../../src/demo/scenarios/healthy.ts';
import type { Sample } from '../../src/model/samples.ts';
import { madeContext } from '../collectors/made-context.ts';

const startedAt = 1_700_000_000_000;

test("the demo's host tells of room that ends and of its kernel's log", () => {
  const clock = createManualClock(startedAt);
  const scenario = {
    ...healthy,
    effects: [{ from: 60, ramp: 60, host: { shmUsedBytes: 1050 * 2 ** 30, diskAvailable: { '/workspace': 1e9 } } }],
    kernel: [{ at: 70, lines: [`NVRM: Xid (PCI:${gpuAddress(3)}): 79, pid={pid}, GPU has fallen off the bus.`] }],
  } as const;
  const machine = createMachine({ seed: 27, startedAt, scenario });
  const context = madeContext();
  const looks = createLooks({ host: 'demo', facts: { ...context.facts, bootTime: machine.bootTime } });
  const options = { ...context.options, checkpoints: ['/workspace/c'] };
  const look = () => {
    const samples: Sample[] = [];
    const print = (text: string) => {
      for (const line of text.split('\n'))
        if (looks.takes(line)) samples.push(...(looks.push(line, clock.now()) ?? []));
    };
    play ??= playLooks({ machine, clock, print: (text) => printTo(text) });
    printTo = print;
    play(looks.wish({ run: undefined, options }, clock.now()).slice(1));
    return samples;
  };
  let printTo = (_: string) => {};
  let play: ReturnType<typeof playLooks> | undefined;
  expect(look()).toMatchObject([
    { kind: 'disks', mount: ['/dev/shm', '/', '/workspace'], availableBytes: [1050 * 2 ** 30, 212e9, 9.4e12] },
    { kind: 'kernel', lines: [] },
  ]);
  clock.advance(130_000);
  expect(look()).toMatchObject([
    { kind: 'disks', availableBytes: [6 * 2 ** 30, 212e9, expect.closeTo(1e9, -4)] },
    { kind: 'kernel', lines: [{ xid: 79, address: gpuAddress(3), time: startedAt + 70_000 }] },
  ]);
  clock.advance(40_000);
  expect(look()).toMatchObject([{ kind: 'disks' }]);
});
