import { expect, it } from 'vitest';
import { createPrefixReader } from '../../../src/collectors/log/prefix.ts';

const said = 'step 10 loss 2.3';

it.each([
  ['torch', '[rank3]:', 3],
  ['torchrun --tee', '[default0]:', 0],
  ['torchrun --tee with a role', '[worker12]:', 12],
  ['axolotl', '[RANK:2] ', 2],
  ['srun --label', '0: ', 0],
  ['srun --label, padded', ' 3: ', 3],
  ['Open MPI', '[1,5]<stdout>:', 5],
  ['SageMaker', '[1,mpirank:0,algo-1]<stderr>:', 0],
  ['Ray', '(TaskRunner pid=16292) ', undefined],
  ['Ray on another host', '(RayTrainWorker pid=4711, ip=10.0.0.2) ', undefined],
  ['an actor with a rank', '(RayTrainWorker(rank=3) pid=4711) ', undefined],
  ['vLLM', '(VllmWorker rank=1 pid=77) ', 1],
  ['Ray around torch', '(RayTrainWorker pid=12) [rank2]: ', 2],
  ['srun around torchrun', '1: [rank9]:', 1],
  ['docker compose', 'trainer-1  | ', undefined],
  ['kubectl', '[pod/train-0/main] ', undefined],
  ['a container runtime', '2026-01-02T03:04:05.123456789Z stdout F ', undefined],
])('takes the mark of %s off', (_, mark, rank) => {
  const { rest, rank: told, mark: taken } = createPrefixReader().take(mark + said);
  expect({ rest, rank: told, taken }).toEqual({ rest: said, rank, taken: mark });
});

it('takes the mark of a host off where a logger speaks behind it', () => {
  const taken = createPrefixReader().take('worker-0: [2026-01-02 03:04:05,123] [INFO] step 10');
  expect(taken.rest).toBe('[2026-01-02 03:04:05,123] [INFO] step 10');
});

it.each([
  ['10: loss 2.3'],
  ['step10: loss 2.3'],
  ['[step10]: loss 2.3'],
  ['epoch_3 | loss 2.3'],
  ['[1200] loss 2.3'],
  ['[2026-01-02 03:04:05] step 10'],
  ['(step 10) loss 2.3'],
  ['[INFO] step 10'],
])('takes %j for no mark', (text) => expect(createPrefixReader().take(text)).toEqual({ rest: text, mark: '' }));

it('knows numbers before a colon for ranks from the first step on', () => {
  const prefixes = createPrefixReader();
  expect(prefixes.take('1: Traceback').rank).toBeUndefined();
  expect(prefixes.take('1: step 10 loss 2.3').rank).toBe(1);
  expect(prefixes.take('1:   File "train.py", line 3')).toEqual({
    rest: '  File "train.py", line 3',
    mark: '1: ',
    rank: 1,
  });
});

it.each([
  ['[2026-01-02] [INFO] [logging.py:69:log_dist] [Rank 4] step=40', 4],
  ['INFO [console_logger:78, rank=7] [step=1/2]', 7],
  ['[E321 ProcessGroupNCCL.cpp:607] [PG ID 0 PG GUID 0(default_pg) Rank 1] Exception', 1],
  ['[deepspeed] OVERFLOW! Rank 0 Skipping step.', 0],
  ['----------Begin global rank 1 STDERR----------', 1],
  ['Rank 3: step 10 loss 2.3', 3],
  ['rank=2 step=10', 2],
  ['[rank 5/8] step 10', 5],
  ['{"rank": 1, "step": 10}', 1],
  ['sent to rank 3 of 8', undefined],
  ['lora rank=8 step=10', undefined],
  ['local_rank=1 step=10', undefined],
  ['rank 3 of the matrix', undefined],
])('knows the rank in %j', (text, rank) => expect(createPrefixReader().take(text).rank).toBe(rank));

it('takes off what Ray writes behind a line that several workers printed', () => {
  expect(createPrefixReader().take(`(W pid=1) ${said} [repeated 3x across cluster]`).rest).toBe(said);
});
