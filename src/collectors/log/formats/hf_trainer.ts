import { readDict } from './dict.ts';
import type { Draft } from '../draft.ts';
import { readDuration } from '../numbers.ts';
import { type EntryRules, onlyMetrics, readEntries, takeEntry } from './entries.ts';
import type { LogFormat } from './format.ts';

const banner =
  /(?:^|>>|\n)\s*(Num examples|Num Epochs|Instantaneous batch size per device|Total train batch size [^=\n]*|Gradient Accumulation steps|Total optimization steps|Number of trainable parameters)\s*=\s*([\d,]+)/;
const banners = new RegExp(banner.source, 'g');
const whole: EntryRules = { ...onlyMetrics, fields: { epoch: { as: 'epoch' } } };
const summary = /\*{5} (?:train|eval|test|predict)\w* metrics \*{5}/;
const summaryEntry = /^\s*(\w+)\s*=\s+(\S+)\s*$/gm;

/** Keys of those who print its dictionary with more in it: formats of their own. */
const notOurs =
  /'(?:global_step\/max_steps|iteration|memory\/[^']*|tokens_per_second_per_gpu|step_tokens_per_second|rewards?(?:\/[^']*)?|completions\/[^']*|objective\/[^']*|logps\/[^']*|throughput|policy_loss)'/;

/** The Trainer of Hugging Face's transformers. */
export const hfTrainer: LogFormat = {
  name: 'hf_trainer',
  title: 'Hugging Face transformers, Trainer',
  source: 'huggingface/transformers, trainer.py and trainer_callback.py (4.x; 5.18.0 run here)',
  note: 'The dict has no step: it is the one of the bar before it. Version 5 prints texts of four digits; `train_tokens_per_second` is the average of the run.',
  anchors: [
    ' metrics *****',
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
  detect: new RegExp(
    `^(?!.*${notOurs.source}).*\\{'(?:loss|eval_\\w+|train_runtime|train_loss|grad_norm|learning_rate)': |${banner.source}|${summary.source}`,
  ),
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
    if (summary.test(text)) readSummary(text, draft);
    else if (banner.test(text)) readEntries(text, banners, hfTrainer, draft);
    else {
      const open = text.indexOf('{');
      // What the run was, as a whole: train_loss is a mean over all of it.
      const isWhole = text.includes("'train_runtime'") && text.includes("'train_loss'");
      readDict(text.slice(open), isWhole ? whole : hfTrainer, draft);
      return text.slice(0, open);
    }
    return undefined;
  },
  examples: [
    {
      lines:
        '***** Running training *****\n  Num examples = 51,760\n  Num Epochs = 2\n  Total optimization steps = 3,234\n' +
        "{'loss': 1.2846, 'grad_norm': 0.8120447397232056, 'learning_rate': 1.8552875695732842e-05, 'epoch': 0.14}",
      values: [
        { totalSteps: 3234, other: { 'Num examples': 51760, 'Num Epochs': 2 } },
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
    {
      lines:
        '***** eval metrics *****\n  epoch                   =        2.0\n  eval_loss               =     0.9815\n  eval_runtime            = 0:00:07.41\n  eval_samples_per_second =      67.47',
      values: [{ epoch: 2, validationLoss: 0.9815, other: { eval_runtime: 7.41, eval_samples_per_second: 67.47 } }],
    },
  ],
};

/** The block at the end of transformers' examples. */
function readSummary(text: string, draft: Draft): void {
  for (const [, key = '', value = ''] of text.matchAll(summaryEntry)) {
    const seconds = value.includes(':') ? readDuration(value) : undefined;
    if (seconds !== undefined) draft.other(key, seconds);
    else if (key === 'epoch' || key === 'eval_loss') takeEntry(key, value, hfTrainer, draft);
    else takeEntry(key, value, onlyMetrics, draft);
  }
}
