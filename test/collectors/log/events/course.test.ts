import { expect, test } from 'vitest';
import { eventsOf } from './told.ts';

const checkpoint = (details: object = {}) => ({ kind: 'checkpoint', ...details });

/** What trainers print when a checkpoint is written; path and step where they are told. */
const checkpoints: readonly (readonly [string, object])[] = [
  ['Saving model checkpoint to out/checkpoint-500', checkpoint({ path: 'out/checkpoint-500', step: 500 })],
  [
    '[INFO|trainer.py:3503] 2026-05-18 16:04:46,338 >> Saving model checkpoint to ./out/checkpoint-1500',
    checkpoint({ path: './out/checkpoint-1500', step: 1500 }),
  ],
  [
    'Model weights saved in out/checkpoint-500/model.safetensors',
    checkpoint({ path: 'out/checkpoint-500/model.safetensors', step: 500 }),
  ],
  ['saving checkpoint at iteration    5000 to ckpts/gpt', checkpoint({ path: 'ckpts/gpt', step: 5000 })],
  [
    '  successfully saved checkpoint from iteration    5000 to ckpts/gpt',
    checkpoint({ path: 'ckpts/gpt', step: 5000 }),
  ],
  [
    '  successfully saved checkpoint from iteration    5000 to ckpts/gpt [ t 1/2, p 1/1 ]',
    checkpoint({ path: 'ckpts/gpt', step: 5000 }),
  ],
  [
    '[titan] 2026-05-18 16:04:46,338 - root - INFO - Saving the checkpoint (or staging if async is enabled).',
    checkpoint(),
  ],
  ['Saving a full checkpoint in last save mode', checkpoint()],
  ['Finished saving the checkpoint (or staging if async is enabled)in 1.29 seconds.', checkpoint({ seconds: 1.29 })],
  [
    '[torch_checkpoint_engine.py:21:save] [Torch] Saving ckpt/global_step500/mp_rank_00_model_states.pt...',
    checkpoint({ path: 'ckpt/global_step500/mp_rank_00_model_states.pt', step: 500 }),
  ],
  [
    '[Torch] Saved ckpt/global_step500/mp_rank_00_model_states.pt.',
    checkpoint({ path: 'ckpt/global_step500/mp_rank_00_model_states.pt', step: 500 }),
  ],
  ['[Torch] Checkpoint global_step500 is ready now!', checkpoint({ step: 500 })],
  ['Preparing to save checkpoint for epoch 1 @ 500 updates', checkpoint({ step: 500 })],
  [
    'Saved checkpoint checkpoints/checkpoint_1_500.pt (epoch 1 @ 500 updates, score 9.2) (writing took 1.2 seconds)',
    checkpoint({ path: 'checkpoints/checkpoint_1_500.pt', step: 500, seconds: 1.2 }),
  ],
  [
    'Epoch 00001: val_loss improved from inf to 0.5123, saving model to weights.01-0.51.h5',
    checkpoint({ path: 'weights.01-0.51.h5' }),
  ],
  [
    "Epoch 0, global step 500: 'val_loss' reached 0.12345 (best 0.12345), saving model to '/x/epoch=0-step=500.ckpt' as top 1",
    checkpoint({ path: '/x/epoch=0-step=500.ckpt', step: 500 }),
  ],
  ['2026/05/18 16:04:46 - mmengine - INFO - Saving checkpoint at 1 epochs', checkpoint()],
  ['mmengine - INFO - Saving checkpoint at 500 iterations', checkpoint({ step: 500 })],
  [
    '[02/20 17:01:02 fvcore.common.checkpoint]: Saving checkpoint to ./output/model_0004999.pth',
    checkpoint({ path: './output/model_0004999.pth' }),
  ],
  ['saving checkpoint to out', checkpoint()],
  [
    'Saved checkpoint to gs://bucket/run/step-1000 for step 1000',
    checkpoint({ path: 'gs://bucket/run/step-1000', step: 1000 }),
  ],
  ['saved a checkpoint at step 100', checkpoint({ step: 100 })],
  ['Started an asynchronous checkpoint save for step 100', checkpoint({ step: 100 })],
  ['Started asynchronous save for step 7', checkpoint({ step: 7 })],
  [
    'Model checkpoint of size 2.20 GiB saved to /tmp/out/hf_model_0001_0.safetensors',
    checkpoint({ path: '/tmp/out/hf_model_0001_0.safetensors' }),
  ],
  ['Model checkpoint saved successfully.', checkpoint()],
  [
    "Saving checkpoint to 'out/pretrain/step-00000500/lit_model.pth'",
    checkpoint({ path: 'out/pretrain/step-00000500/lit_model.pth', step: 500 }),
  ],
  [
    'Async checkpoint save for step 100 (nemo_experiments/default/checkpoints/step=99.ckpt) finalized successfully.',
    checkpoint({ step: 100, path: 'nemo_experiments/default/checkpoints/step=99.ckpt' }),
  ],
  ['Checkpoint for step 1000 saved to /ckpt/step1000', checkpoint({ path: '/ckpt/step1000', step: 1000 })],
  [
    'Iter 100: Saved adapter weights to adapters/adapters.safetensors and adapters/0000100_adapters.safetensors.',
    checkpoint({ path: 'adapters/adapters.safetensors', step: 100 }),
  ],
  ['=> saving checkpoint', checkpoint()],
  ['New best! Saving best model with val loss 0.321', checkpoint()],
  [
    'Wrote checkpoint s3://b/run-7/ckpt_00012000.tar in 41.2 s',
    checkpoint({ path: 's3://b/run-7/ckpt_00012000.tar', step: 12000, seconds: 41.2 }),
  ],
  ['checkpoint saved: step=12000', checkpoint({ step: 12000 })],
  ['[checkpoint] wrote model_000500.pt', checkpoint({ path: 'model_000500.pt' })],
  ['Saved PyTorch Model State to model.pth', checkpoint({ path: 'model.pth' })],
  ['写入检查点 保存模型到 /ckpt/step_500', checkpoint({ path: '/ckpt/step_500', step: 500 })],
  ['已保存检查点 step=500', checkpoint({ step: 500 })],
];

test.each(checkpoints)('checkpoint: %s', (line, event) => {
  expect(eventsOf(line)[0]).toEqual(event);
});

/** Of trainers that nobody named here. */
const more: readonly (readonly [string, object])[] = [
  [
    '[2026-08-20 10:11:12,345] INFO accelerate.accelerator: Saving current state to out/step_100',
    checkpoint({ path: 'out/step_100', step: 100 }),
  ],
  ['Saving the model at step 1000', checkpoint({ step: 1000 })],
  ['Checkpointing model at step 2000 -> /ckpt/2000', checkpoint({ path: '/ckpt/2000', step: 2000 })],
  ['[ckpt] step 500 written in 3.1s', checkpoint({ step: 500, seconds: 3.1 })],
  [
    '2021-01-01 10:11:12,131 INFO Checkpoint: save to checkpoint exp/conformer/epoch_1.pt',
    checkpoint({ path: 'exp/conformer/epoch_1.pt' }),
  ],
  ['Flushed checkpoint 500 to disk', checkpoint()],
  [
    'checkpoint written: /ckpt/step-000500 (3.2 GB in 4.5s)',
    checkpoint({ path: '/ckpt/step-000500', step: 500, seconds: 4.5 }),
  ],
  ['Validation loss decreased (0.4321 --> 0.4211).  Saving model ...', checkpoint()],
  ['Checkpoint at step 500 committed', checkpoint({ step: 500 })],
  ['Model saved.', checkpoint()],
  ['saved model to disk', checkpoint()],
  ['Saved weights at step 500', checkpoint({ step: 500 })],
  ['Save model at: /a/b/c', checkpoint({ path: '/a/b/c' })],
  ['[checkpoint] step 500 -> /ckpt/500', checkpoint({ path: '/ckpt/500', step: 500 })],
  ['Epoch 5 | Training snapshot saved at snapshot.pt', checkpoint({ path: 'snapshot.pt' })],
  ['orbax: Finished saving checkpoint (finalized tmp dir) to `/ckpt/500`.', checkpoint({ path: '/ckpt/500' })],
];

test.each(more)('checkpoint: %s', (line, event) => {
  expect(eventsOf(line)[0]).toEqual(event);
});

const others: readonly (readonly [string, object])[] = [
  ['***** Running Evaluation *****', { kind: 'evaluation' }],
  ['Running validation at step 500', { kind: 'evaluation', step: 500 }],
  ['[10/11 12:13:14 d2.evaluation.evaluator]: Start inference on 625 batches', { kind: 'evaluation' }],
  ['[d2.evaluation.coco_evaluation]: Evaluation results for bbox:', { kind: 'evaluation' }],
  ['Evaluation finished in 12.1 s', { kind: 'evaluation' }],
  ['05/18 16:04:46 - mmengine - INFO - Epoch(val) [1][625/625]    coco/bbox_mAP: 0.3510', { kind: 'evaluation' }],
  ['Starting evaluation', { kind: 'evaluation' }],
  [
    '2021-01-01 10:11:12 | INFO | fairseq_cli.train | end of epoch 3 (average epoch stats below)',
    { kind: 'epoch_end', epoch: 3 },
  ],
  ['Finished training epoch 3', { kind: 'epoch_end', epoch: 3 }],
  ['Epoch 4 finished', { kind: 'epoch_end', epoch: 4 }],
  ['Epoch [5/10] completed in 34.2s', { kind: 'epoch_end', epoch: 5 }],
  ['Epoch 7 took 12.31 s', { kind: 'epoch_end', epoch: 7 }],
  [
    "{'train_runtime': 3371.6108, 'train_samples_per_second': 1.425, 'train_steps_per_second': 0.179, 'train_loss': 0.9143, 'epoch': 3.0}",
    { kind: 'training_end' },
  ],
  ["{'train_runtime': '3725', 'train_loss': '2.611', 'epoch': '1'}", { kind: 'training_end' }],
  ['Training completed. Do not forget to share your model on huggingface.co/models =)', { kind: 'training_end' }],
  ['[titan] 2026-05-18 16:04:46,338 - root - INFO - Training completed', { kind: 'training_end' }],
  ['`Trainer.fit` stopped: `max_epochs=3` reached.', { kind: 'training_end' }],
  ['`Trainer.fit` stopped: `max_steps=1000` reached.', { kind: 'training_end', step: 1000 }],
  ['[exiting program at iteration 100] datetime: 2026-05-18 16:04:46', { kind: 'training_end', step: 100 }],
  ['2021-01-01 10:11:12 | INFO | fairseq_cli.train | done training in 3600.0 seconds', { kind: 'training_end' }],
  ['Training time: total training time 1:23:45', { kind: 'training_end' }],
  ['Total training time: 12.34m', { kind: 'training_end' }],
  ['Training finished!', { kind: 'training_end' }],
  ['Epoch 00012: early stopping', { kind: 'training_end', reason: 'early stopping' }],
  ['Early stopping triggered after 12 epochs', { kind: 'training_end', reason: 'early stopping' }],
  ['Reached max steps, stopping.', { kind: 'training_end' }],
  ['[09:43:25] evaluating at step 5840 on 512 batches', { kind: 'evaluation', step: 5840 }],
  ['[Valid] Epoch 3 loss 2.31', { kind: 'evaluation' }],
  ['Test accuracy: 98.3%', { kind: 'evaluation' }],
  ['Validation started', { kind: 'evaluation' }],
  ['validation ppl 12.3', { kind: 'evaluation' }],
  ['[Eval] step=500 loss=2.3', { kind: 'evaluation', step: 500 }],
  ['Test set: Average loss: 0.0513, Accuracy: 9829/10000 (98%)', { kind: 'evaluation' }],
  ["evaluation: {'accuracy': 0.93}", { kind: 'evaluation' }],
  ['Training took 3:12:01', { kind: 'training_end' }],
  ['training loop exited normally', { kind: 'training_end' }],
  ['Early stopping', { kind: 'training_end', reason: 'early stopping' }],
  ['Loss is nan, stopping training', { kind: 'not_finite', field: 'loss' }],
  ['NaN detected in loss at step 500', { kind: 'not_finite', field: 'loss', step: 500 }],
  ['Skipping step: grad norm is nan', { kind: 'overflow' }],
  ['Found nan gradients, skipping this update', { kind: 'overflow' }],
  ['Loss spike detected at step 500: 12.3 (avg 2.3)', { kind: 'loss_spike', step: 500 }],
  ['训练完成，总耗时 3.2 小时', { kind: 'training_end' }],
];

test.each(others)('%s', (line, event) => {
  expect(eventsOf(line)[0]).toEqual(event);
});

/** Lines of structured loggers: what the message says, with the keys beside it. */
const structured: readonly (readonly [string, object | undefined])[] = [
  [
    '{"ts":"2026-05-18T16:04:46Z","level":"INFO","msg":"checkpoint saved","step":500,"path":"/ckpt/500"}',
    checkpoint({ step: 500, path: '/ckpt/500' }),
  ],
  [
    '{"event": "checkpoint_saved", "step": 500, "path": "/ckpt/500", "level": "info"}',
    checkpoint({ step: 500, path: '/ckpt/500' }),
  ],
  [
    'ts=2026-03-01T10:00:02Z level=info msg="checkpoint saved" path=/ckpt/step_120',
    checkpoint({ step: 120, path: '/ckpt/step_120' }),
  ],
  [
    'INFO:tensorflow:Saving checkpoints for 1300 into /tmp/model.ckpt.',
    checkpoint({ step: 1300, path: '/tmp/model.ckpt' }),
  ],
  ['{"event": "checkpoint", "global_step": 500}', checkpoint({ step: 500 })],
  [
    '2026-05-18 16:04:46 [info     ] checkpoint_saved               path=/ckpt/500 step=500',
    checkpoint({ step: 500, path: '/ckpt/500' }),
  ],
  [
    'time=2026-05-18T16:04:46Z level=INFO msg="saved checkpoint" path=/ckpt/500 step=500',
    checkpoint({ step: 500, path: '/ckpt/500' }),
  ],
  ['time=2026-05-18T16:04:46Z level=INFO msg="epoch finished" epoch=3 loss=0.3', { kind: 'epoch_end', epoch: 3 }],
  ['{"event": "eval_end", "step": 500, "val_loss": 2.1}', { kind: 'evaluation', step: 500 }],
  ['{"mode": "val", "epoch": 1, "iter": 625, "bbox_mAP": 0.35}', { kind: 'evaluation', step: 625 }],
  ['{"msg": "Training complete", "step": 5000}', { kind: 'training_end', step: 5000 }],
  [
    '{"level":"error","message":"RuntimeError: boom"}',
    { kind: 'exception', exception: 'RuntimeError', message: 'boom' },
  ],
  ['{"level":"info","message":"config","save_checkpoint":true,"checkpoint_saved":false}', undefined],
  ['{"type": "checkpoint", "every": 500}', undefined],
  ['{"mode": "train", "epoch": 1, "iter": 625, "loss": 0.35}', undefined],
  ['{"message":"loading checkpoint","path":"/x/1","step":7}', undefined],
  ['level=info msg="no checkpoint found"', undefined],
  ['{"loss": 2.0, "evaluation": "none", "step": 1}', undefined],
];

test.each(structured)('%s', (line, event) => {
  expect(eventsOf(line)[0]).toEqual(event);
});
