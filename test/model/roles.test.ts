import { expect, test } from 'vitest';
import { roleOf } from '../../src/model/roles.ts';

test.each([
  ['target-3', 'pt_main_thread', 'target'],
  ['queue worker (1)', 'python3', 'queue worker'],
  ['hs_pack_12', 'python3', 'hs_pack'],
  ['MainThread', 'python3', 'main'],
  ['MainThread', 'pt_data_worker', 'data worker'],
  ['metrics', 'python3', 'metrics'],
  ['Thread-5', 'python3', undefined],
  ['Thread-5 (serve)', 'python3', undefined],
  [undefined, 'pt_autograd_1', 'autograd'],
  [undefined, 'pt_nccl_watchdg', 'nccl watch'],
  [undefined, 'pt_main_thread', undefined],
])('%s / %s is %s', (name, comm, role) => {
  expect(roleOf(name, comm)).toBe(role);
});
