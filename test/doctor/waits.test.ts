import { expect, test } from 'vitest';
import type { HostFacts } from '../../src/model/facts.ts';
import type { WaitLacks } from '../../src/model/samples.ts';
import { checkOf, facts, factsOf, runOf, source, stateOf, type Part } from './made.ts';

const debian = factsOf('debian-12');
const run: Part = { kind: 'run', source: 'processes', phase: 'running', run: runOf(), candidates: [] };
const waits = (lacks: WaitLacks): Part => ({
  ...{ kind: 'waits', source: 'waits', pid: [], tid: [], state: [], call: [], file: [], operand: [], futex: [] },
  ...{ where: [], since: [], notBefore: [], voluntaryPerSecond: [], involuntaryPerSecond: [], cpus: [], stack: [] },
  lacks,
});
const told = (lacks: WaitLacks, more: Partial<HostFacts> = {}) =>
  checkOf('threads.waits', {
    state: stateOf([facts({ ...debian, ...more }), run, source('waits', 'live'), waits(lacks)]),
  });

test('waits are ok where all can be read, and say once what cannot', () => {
  expect(told({})).toMatchObject({ status: 'ok' });
  const refused = told(
    { call: 'refused', where: 'hidden' },
    {
      ...{ uid: 1000, user: 'ann', ptraceScope: 0, hasPtraceCapability: false },
    },
  );
  expect(refused).toMatchObject({
    status: 'note',
    why: expect.stringMatching(/ann needs CAP_SYS_PTRACE.*; wchan reads 0/),
    mend: expect.stringMatching(/log in as root/),
  });
  expect(told({ runs: 'uncounted' })).not.toHaveProperty('mend');
  expect(checkOf('threads.waits', { state: stateOf([facts(debian)]) })?.found).toBe('no run is watched');
});

test('NUMA says which GPU is where, and why nothing is marked', () => {
  const numa = (more: Partial<HostFacts>) =>
    checkOf('threads.numa', { state: stateOf([facts({ ...debian, ...more })]) });
  const two = [
    { node: 0, cores: '0-47' },
    { node: 1, cores: '48-95' },
  ];
  const place = (node?: number) => ({ address: '0000:18:00.0', ...(node !== undefined && { node }) });
  const at = (...nodes: readonly (number | undefined)[]) => ({
    numaNodes: two,
    nvidia: {
      ...{ fields: [], gpuCount: nodes.length },
      places: Object.fromEntries(nodes.map((node, i) => [`GPU-${i}`, place(node)])),
    },
  });
  expect(numa(at(0, 0, 1))).toMatchObject({ status: 'ok', found: '2 nodes, 2 GPUs at node 0, 1 GPU at node 1' });
  expect(numa(at(0, undefined))).toMatchObject({
    status: 'note',
    found: '2 nodes, 1 GPU at an unknown one',
    why: expect.stringMatching(/numa_node is -1/),
  });
  expect(numa({ numaNodes: two.slice(0, 1) })).toMatchObject({
    status: 'ok',
    found: expect.stringMatching(/^one node/),
  });
  expect(numa({ numaNodes: two, nvidia: { fields: [], gpuCount: 1 } })?.why).toMatch(/where the GPUs are/);
  expect(numa({ numaNodes: two })).toMatchObject({ status: 'ok', found: '2 nodes, no GPU' });
  expect(numa({})?.why).toMatch(/a container may hide it/);
});
