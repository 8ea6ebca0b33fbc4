import { describe, expect, test } from 'vitest';
import { createLogGatherer } from '../../../../src/model/diagnosis/gather/log.ts';
import { head, start } from '../../made.ts';
import { fed } from './asked.ts';
import { printed, steps, toldAt, type Printed } from './log-told.ts';

/** What of its course is told eight seconds after the last step, where the log then says this. */
function heard(...lines: readonly string[]) {
  const { checkpointAge, evaluationAge, errorAge, warmupAge } = toldAt(28, printed([...steps(0, 20), [23, ...lines]]));
  return { checkpointAge, evaluationAge, errorAge, warmupAge };
}

describe('what a log says after its last step', () => {
  test.each([
    ['checkpointAge', '[09:43:00] saving checkpoint to runs/0612/ckpt/step_5840.pt'],
    ['checkpointAge', 'Saving model checkpoint to /out/checkpoint-500'],
    ['checkpointAge', 'Model weights saved in /out/checkpoint-500/pytorch_model.bin'],
    ['checkpointAge', 'saving checkpoint at iteration    4210 to /lustre/ckpt/moe in torch_dist format'],
    ['checkpointAge', 'Writing model shards:   0%|          | 0/1 [00:00<?, ?it/s]'],
    ['checkpointAge', 'INFO:root:gathering the full state dict on rank 0'],
    ['checkpointAge', 'Consolidating sharded weights for upload'],
    ['checkpointAge', '[rank0] flushing optimizer state to /mnt/ckpt'],
    ['evaluationAge', '[09:45:50] evaluating at step 5913 on 512 batches'],
    ['evaluationAge', '[09:46:00] eval 151/512'],
    ['evaluationAge', '***** Running Evaluation *****'],
    ['evaluationAge', 'Validation DataLoader 0:  46%|██████     | 73/157 [00:02<00:02, 37.49it/s]'],
    ['evaluationAge', '2026-03-02 09:14:51,207 - root - INFO - Running validation for 40 steps on 8 ranks'],
    ['warmupAge', 'Loading checkpoint shards:  33%|███▎      | 1/3 [00:02<00:04,  2.01s/it]'],
    ['warmupAge', '[09:45:01] resumed at step 5800; compiling the target’s forward'],
    ['warmupAge', 'Capturing CUDA graphs (decode, FULL): 12%|█▏        | 4/35 [00:01<00:09,  3.4it/s]'],
    ['warmupAge', 'AUTOTUNE mm(4096x4096, 4096x4096) autotuning takes a while'],
    ['warmupAge', 'Map (num_proc=8):  45%|████▌     | 45000/100000 [00:12<00:15, 3541.02 examples/s]'],
    ['warmupAge', 'Truncating train dataset: 100%|██████████| 100/100 [00:00<00:00, 23260.34 examples/s]'],
    ['warmupAge', '> building train, validation, and test datasets for GPT ...'],
    ['warmupAge', 'gpu-07:4123:4123 [0] NCCL INFO Bootstrap : Using eth0:10.12.4.17<0>'],
    ['warmupAge', 'Warming up the model with dummy inputs'],
    ['errorAge', 'Killed'],
    ['errorAge', 'train.sh: line 12: 4123 Segmentation fault      (core dumped) python train.py'],
    ['errorAge', 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB.'],
    ['errorAge', '[rank0]: Watchdog caught collective operation timeout: WorkNCCL(SeqNum=28934, OpType=ALLREDUCE)'],
  ])('is %s: %s', (signal, line) => {
    expect(heard(line)).toEqual({ [signal]: 5 });
  });

  test.each([
    'eval_steps=500 save_steps=500 warmup_steps=100',
    'lr scheduler: linear warmup over 2000 steps',
    'Validation every 1000 steps',
    '[rank1] step 60 stuck',
    'tokenizer cache is cold',
    "test('evaluates', () => validate(model));",
    'WARNING gradient checkpointing is not enabled',
    'a valid configuration was found',
    'Throughput is 3 % below that of yesterday',
  ])('is none of it: %s', (line) => {
    expect(heard(line)).toEqual({});
  });

  test('is over when the log says so, and then the run is not late at once', () => {
    for (const line of ['checkpoint saved in 24.0 s (45.1 GB)', 'Saved checkpoint to /ckpt/1500'])
      expect(heard('saving checkpoint to /ckpt/1500', line)).toEqual({});
    const evaluated: Printed = [
      [21, 'evaluating at step 22 on 512 batches'],
      [60, 'eval | step 22 | eval_loss 1.97 | 39.0 s'],
    ];
    const told = toldAt(62, printed([...steps(0, 20), ...evaluated]));
    expect(told).toMatchObject({ silence: 42, silenceRatio: 2 });
    expect(told.evaluationAge).toBeUndefined();
  });

  test('is over with the next steps, but not with one that was under way', () => {
    const saving: Printed = [[21, 'saving checkpoint to /ckpt/1500']];
    expect(toldAt(26, printed([...steps(0, 20), ...saving, ...steps(22, 22)])).checkpointAge).toBe(5);
    expect(toldAt(26, printed([...steps(0, 20), ...saving, ...steps(22, 26)])).checkpointAge).toBeUndefined();
  });

  test('leaves its pauses out of the usual ones', () => {
    const saves = [100, 200, 300, 400].flatMap((at): Printed => [[at + 0.5, 'saving checkpoint to /ckpt/x']]);
    const all = steps(0, 420).filter(([second]) => ![100, 200, 300, 400].some((at) => second > at && second < at + 15));
    const samples = printed([...all, ...saves].sort(([a], [b]) => a - b));
    expect(toldAt(430, samples).silenceRatio).toBe(10);
  });

  test('is a failure for two more steps of other ranks', () => {
    const failed: Printed = [[21, '[rank3]: RuntimeError: CUDA error: an illegal memory access was encountered']];
    expect(toldAt(24, printed([...steps(0, 20), ...failed, ...steps(22, 23)])).errorAge).toBe(3);
    expect(toldAt(30, printed([...steps(0, 20), ...failed, ...steps(22, 30)])).errorAge).toBeUndefined();
  });

  test('is life, not a hang, while a bar moves that is not the loop’s', () => {
    const bar = (second: number, done: number) =>
      [second, `Scoring: ${done}%|█         | ${done}/100 [00:01<00:09,  3.4it/s]`] as const;
    const moving = Array.from({ length: 30 }, (_, i) => bar(21 + i, i));
    expect(toldAt(51, printed([...steps(0, 20), ...moving])).silenceRatio).toBeLessThan(3);
    const stuck = Array.from({ length: 30 }, (_, i) => bar(21 + i, 1));
    expect(toldAt(51, printed([...steps(0, 20), ...stuck])).silenceRatio).toBeGreaterThan(20);
  });

  test('is the end of the training, after which nothing is late', () => {
    const samples = printed([...steps(0, 20), [21, 'Training finished']]);
    expect(toldAt(600, samples)).toMatchObject({ silence: 580, silenceRatio: 0 });
  });

  test('is found in the newest lines of a flood', () => {
    const flood = Array.from({ length: 3000 }, (_, i) => `shape of batch ${i} of shard ${i % 7}`);
    expect(heard(...flood, 'saving checkpoint to disk')).toEqual({ checkpointAge: 5 });
  });

  test('is found in the newest lines of all that stood in the file', () => {
    const chunk = (at: number): Printed => [[at, ...Array.from({ length: 500 }, (_, i) => `line ${i} of none of it`)]];
    const old = printed([...steps(-90, -50), ...chunk(-49), ...chunk(-48), ...chunk(-47), [-40, 'saving checkpoint']], {
      backlogAt: 0,
    });
    expect(toldAt(5, old)).toMatchObject({ silence: 55, checkpointAge: 45 });
  });

  test('belongs to the next run where it began before it was found', () => {
    const gatherer = createLogGatherer();
    fed(gatherer, printed([...steps(0, 20), [25, 'Loading checkpoint shards from /ckpt/1500']]));
    gatherer.forgetRun();
    const asked = fed(gatherer, [{ kind: 'interval', ...head(start + 30_000, 'x'), intervalMs: 1000 }]);
    expect(asked.values(0)).toEqual({ warmupAge: 5, steps: 0, progress: 0 });
  });
});
