import { readDict } from './dict.ts';
import { takeField, takeStage } from './entries.ts';
import type { LogFormat } from './format.ts';

const timing = /['"]timing\/(\w+)['"]:\s*([\d.eE+-]+)/g;

/** OpenRLHF. */
export const openrlhf: LogFormat = {
  name: 'openrlhf',
  title: 'OpenRLHF',
  source: 'OpenRLHF/OpenRLHF, trainer/ppo_trainer.py and ppo_trainer_async.py (3c3be62)',
  note: '`queue_size` is printed once, and is what the queue takes; times are in seconds; the bar counts within a phase.',
  anchors: ['Global step ', 'queue_size=', 'act_loss=', 'act_lr='],
  detect: /\bGlobal step \d+: \{|(?:^|\] )queue_size=\d+\s*$|^[\w ]+\[\d+\/\d+\]:?\s.*\bact_(?:loss|lr)=/,
  fields: {
    policy_loss: { as: 'loss' },
    act_loss: { as: 'loss' },
    act_lr: { as: 'learningRate' },
    actor_lr: { as: 'learningRate' },
    grad_norm: { as: 'gradNorm' },
    actor_grad_norm: { as: 'gradNorm' },
  },
  bar: 'epoch',
  read(text, draft) {
    const capacity = /\bqueue_size=(\d+)\s*$/.exec(text)?.[1];
    if (capacity !== undefined) return void draft.queue({ name: 'queue_size', capacity: Number(capacity) });
    const head = /\bGlobal step (\d+): \{/.exec(text);
    // A phase's bar.
    if (!head) return text.slice(text.indexOf('|') + 1);
    takeField('step', head[1], draft);
    for (const [, name = '', seconds] of text.matchAll(timing)) takeStage(name, seconds, 's', draft);
    readDict(text.slice(head.index).replace(timing, ''), openrlhf, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        "INFO 09-02 18:05:47 ppo_trainer.py:547] ✨ Global step 45: {'policy_loss': -0.0071, 'reward': 0.634, 'kl': 0.0038, 'response_length': 803.5, 'timing/generation': 63.1, 'timing/ppo_train': 44.7, 'timing/step_total': 121.9}\n" +
        'INFO 09-02 17:01:12 ppo_trainer_async.py:290] queue_size=2',
      values: [
        {
          step: 45,
          loss: -0.0071,
          stages: [
            { name: 'generation', averageMs: 63100 },
            { name: 'ppo_train', averageMs: 44700 },
            { name: 'step_total', averageMs: 121900 },
          ],
          other: { reward: 0.634, kl: 0.0038, response_length: 803.5 },
        },
        { queues: [{ name: 'queue_size', capacity: 2 }] },
      ],
    },
    {
      lines:
        'Train epoch [1/2]:  38%|███▊      | 12/32 [01:41<02:49,  8.46s/it, act_loss=-0.0036, reward=0.61, kl=0.0041, act_lr=8e-7, grad_norm=0.52]',
      values: [
        {
          epoch: 1,
          stepInEpoch: 12,
          stepsPerEpoch: 32,
          elapsedSeconds: 101,
          stepSeconds: 8.46,
          loss: -0.0036,
          learningRate: 8e-7,
          gradNorm: 0.52,
          other: { epoch_eta_seconds: 169, reward: 0.61, kl: 0.0041 },
        },
      ],
    },
  ],
};
