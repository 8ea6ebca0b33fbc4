import { readDict } from './dict.ts';
import { takeEntry } from './entries.ts';
import type { LogFormat } from './format.ts';

const banner =
  /(?:^|>>)\s*(Num examples|Num Epochs|Instantaneous batch size per device|Total train batch size [^=]*|Gradient Accumulation steps|Total optimization steps|Number of trainable parameters)\s*=\s*([\d,]+)/;

/** The Trainer of Hugging Face's transformers. */
export const hfTrainer: LogFormat = {
  name: 'hf_trainer',
  title: 'Hugging Face transformers, Trainer',
  source: 'huggingface/transformers, trainer.py and trainer_callback.py (4.x; 5.18.0 run here)',
  note: 'The dict has no step: it is the one of the bar before it. Version 5 prints texts of four digits; `train_tokens_per_second` is the average of the run.',
  anchors: [
    "'loss':",
    "'eval_",
    "'train_runtime'",
    "'train_loss'",
    'Num examples =',
    'Num Epochs =',
    'Total optimization steps',
    'Instantaneous batch size',
    'Total train batch size',
    'Gradient Accumulation',
    'Number of trainable parameters',
  ],
  detect: new RegExp(`\\{'(?:loss|eval_\\w+|train_runtime|train_loss|grad_norm|learning_rate)': |${banner.source}`),
  fields: {
    loss: { as: 'loss' },
    grad_norm: { as: 'gradNorm' },
    learning_rate: { as: 'learningRate' },
    epoch: { as: 'epoch' },
    step: { as: 'step' },
    eval_loss: { as: 'validationLoss' },
    train_runtime: { as: 'elapsedSeconds' },
    train_tokens_per_second: { as: 'tokensPerSecond', scope: 'global' },
    'Total optimization steps': { as: 'totalSteps' },
  },
  read(text, draft) {
    const [, name, count] = banner.exec(text) ?? [];
    if (name !== undefined && count !== undefined) {
      draft.metrics();
      takeEntry(name.trim(), count, hfTrainer, draft);
      return undefined;
    }
    const open = text.indexOf('{');
    // What the run was, as a whole: train_loss is a mean over all of it.
    const summary = text.includes("'train_runtime'") && text.includes("'train_loss'");
    readDict(text.slice(open), summary ? { fields: { epoch: { as: 'epoch' } } } : hfTrainer, draft);
    return text.slice(0, open);
  },
  examples: [
    {
      lines:
        '***** Running training *****\n  Num examples = 51,760\n  Num Epochs = 2\n  Total optimization steps = 3,234\n' +
        "{'loss': 1.2846, 'grad_norm': 0.8120447397232056, 'learning_rate': 1.8552875695732842e-05, 'epoch': 0.14}",
      values: [
        { other: { 'Num examples': 51760 } },
        { other: { 'Num Epochs': 2 } },
        { totalSteps: 3234 },
        { loss: 1.2846, gradNorm: 0.8120447397232056, learningRate: 1.8552875695732842e-5, epoch: 0.14 },
      ],
    },
    {
      lines:
        "{'loss': '0.9317', 'grad_norm': 'nan', 'learning_rate': '4.08e-06', 'epoch': '1.25', 'num_input_tokens_seen': 1310720, 'train_runtime': '81.3', 'train_tokens_per_second': '1.612e+04'}\n" +
        "{'eval_loss': '1.006', 'eval_runtime': '7.204', 'eval_samples_per_second': '69.4', 'eval_steps_per_second': '8.745', 'epoch': '1.25'}\n" +
        "{'train_runtime': '162.7', 'train_samples_per_second': '31.06', 'train_steps_per_second': '0.9705', 'train_loss': '1.104', 'epoch': '2'}",
      values: [
        {
          loss: 0.9317,
          gradNorm: NaN,
          learningRate: 4.08e-6,
          epoch: 1.25,
          tokensPerSecond: 16120,
          tokensPerSecondScope: 'global',
          elapsedSeconds: 81.3,
          other: { num_input_tokens_seen: 1310720 },
        },
        {
          validationLoss: 1.006,
          epoch: 1.25,
          other: { eval_runtime: 7.204, eval_samples_per_second: 69.4, eval_steps_per_second: 8.745 },
        },
        {
          epoch: 2,
          other: {
            train_runtime: 162.7,
            train_samples_per_second: 31.06,
            train_steps_per_second: 0.9705,
            train_loss: 1.104,
          },
        },
      ],
    },
  ],
};
