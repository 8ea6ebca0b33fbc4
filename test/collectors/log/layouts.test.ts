import { describe, expect, it } from 'vitest';
import { createGenericReader } from '../../../src/collectors/log/generic.ts';
import { further } from './layouts-further.ts';
import { more } from './layouts-more.ts';
import { places } from './layouts-places.ts';
import { plain } from './layouts-plain.ts';

const read = (text: string) => createGenericReader().read(text);

describe('layouts that nobody prints, or somebody will', () => {
  it.each([...plain, ...further, ...more, ...places])('%s', (line, values) => expect(read(line)).toEqual(values));
});

describe('lines that say nothing', () => {
  it.each([
    'Downloading model.safetensors 45% eta 0:03',
    'TrainingArguments(learning_rate=5e-05, num_train_epochs=3, per_device_train_batch_size=8)',
    'Model has 1,234,567 parameters, 24 layers, hidden size 1024, vocab 50257',
    'Using device cuda:0, dtype bfloat16',
    'Loaded 128 samples in 3.2s',
    'GPU 0: NVIDIA H200, memory: 141GB, driver 550.54.15',
    'total params: 7.24B, trainable params: 41.9M (0.58%)',
    'Downloading https://example.com/model-00001-of-00004.safetensors 4.98GB',
    '[Errno 111] Connection refused: 10.0.0.1:29500',
    'epoch 3 finished',
    'Finished epoch 3 in 123.4s',
    'Best val loss so far: 2.31 at step 1100',
    'Early stopping: no improvement for 5 evaluations (best loss 2.31)',
    'checkpoint saved: step_1200.pt (14.2 GB, 12.3 s)',
    'Saved checkpoint to /ckpt/step=1200-loss=2.31.ckpt',
    'Resuming from step 1200, epoch 3',
    'Optimizer: AdamW, lr=3e-4, betas=(0.9, 0.95), eps=1e-8, weight_decay=0.1',
    'world size: 8, tensor parallel: 2, pipeline parallel: 2',
    'Dataset: 1.2B tokens, 4096 seq len, 600 shards',
    '--lr 3e-4 --max-steps 20000 --batch-size 32',
    'torchrun --nproc_per_node=8 train.py --config cfg.yaml',
    'Will run for 20000 steps (3 epochs)',
    'Eval every 500 steps',
    'gradient accumulation: 4',
    'Time: 2026-03-01 10:00:00',
    'Loss scale: 65536',
    'Attempted loss scale: 65536, reducing to 32768',
    'UserWarning: lr_scheduler.step() called before optimizer.step(). See line 143',
    'W0219 19:34:48.976376 136489015797568 utils.py:255] Retrying in 5s (attempt 2/10)',
    'seed: 1234, rank: 3, local_rank: 3',
    'Batch size: 32, learning rate: 3e-4, epochs: 10',
    'Iteration time limit: 300s',
    'python 3.11.7, torch 2.5.1, cuda 12.4',
    '0it [00:00, ?it/s]',
    'compile took 34.5 s',
    '[2026-03-01 10:00:00] Allocated 12.3 GiB on GPU 3',
    'step',
    'loss=',
    'loss: None',
    'accuracy 87.5% on test set (875/1000)',
    'ETA: unknown',
    '1,2,3',
    'host01 10.0.0.1 10.0.0.2',
    'Thread 3: waiting for lock',
    'worker 3 (pid 123) exited with code 1',
    'Found 7 nan values in tensor',
    'reward model loaded in 12.3s',
    'Q: what is 7/16? A: 0.4375',
    'Prompt: "Step 3: add 2 cups" Response: "loss of 3 units"',
    'version 0.7.1; commit 3f2a1c',
    'CUDA_VISIBLE_DEVICES=0,1,2,3',
    'LR scheduler: cosine, warmup 100, min lr 3e-5, max lr 3e-4',
    'mem usage: 45%',
    'process memory 12.3GB rss',
    'queue full, dropping 3 items',
    'Waiting for 3 workers',
    'queue closed after 120 items',
    'train loss decreased from 2.4 to 2.3',
    'INFO:root:Set learning rate to 0.0003',
    'train samples: 12345, val samples: 678',
    'num_epochs: 10',
    'Tokenizing: 45%',
    'saved 1200 steps',
    'shape=(8, 4096) dtype=bf16',
    'input_ids: [1, 2, 3, 4]',
    '[rank3] joined',
    'The loss is computed over 3 tokens',
    'loss weights: 0.3, 0.7',
    'loss_fn=ce lr_decay=0.1 momentum=0.9',
  ])('%s', (line) => expect(read(line)).toBeUndefined());
});

describe('tables', () => {
  const rows = (text: string) => {
    const reader = createGenericReader();
    return text.split('\n').flatMap((line) => reader.read(line) ?? []);
  };
  const told = { step: 1200, loss: 2.3012, learningRate: 3e-5, tokensPerSecond: 24_100 };

  it.each([
    'Step  Loss    LR        Tok/s\n1200  2.3012  3.00e-05  24100',
    'step,loss,lr,tokens_per_sec\n1200,2.3012,3e-05,24100',
    'step;loss;lr;tok/s\n1200;2.3012;3e-05;24100',
    'step\tloss\tlr\ttok/s\n1200\t2.3012\t3e-05\t24100',
    '| step | loss | lr | tok/s |\n|------|------|----|-------|\n| 1200 | 2.3012 | 3e-05 | 24100 |',
    '┃ Step ┃ Loss ┃ LR ┃ tok/s ┃\n┡━━━╇━━━┩\n│ 1200 │ 2.3012 │ 3e-05 │ 24.1k │',
  ])('reads the row under its header: %j', (text) => expect(rows(text)).toEqual([told]));

  it('reads stages and queues by their first column', () => {
    expect(rows('stage   avg_ms  max_ms  n\nfwd     88.1    121.0   10')).toEqual([
      { stages: [{ name: 'fwd', averageMs: 88.1, maximumMs: 121, count: 10 }] },
    ]);
    expect(rows('queue   depth  capacity\ndecode  7      16')).toEqual([
      { queues: [{ name: 'decode', depth: 7, capacity: 16 }] },
    ]);
  });

  it('takes no row that has other cells, and no header of other things', () => {
    expect(rows('step,loss,lr\n1200,2.3,3e-05,5\nhello,2.3,3e-05')).toEqual([]);
    expect(rows('PID  USER  CPU  MEM\n1200  7  88.1  2.3')).toEqual([]);
  });
});
