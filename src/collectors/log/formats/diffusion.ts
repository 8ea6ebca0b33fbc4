import type { LogFormat } from './format.ts';

/** The bars of diffusers' examples and of kohya's sd-scripts. */
export const diffusion: LogFormat = {
  name: 'diffusion',
  title: "diffusers' examples, kohya-ss sd-scripts",
  source: 'huggingface/diffusers, examples/*/train_*.py; kohya-ss/sd-scripts, train_network.py',
  note: 'kohya’s `avr_loss` is a running mean over the epoch.',
  anchors: ['step_loss=', 'avr_loss='],
  detect: /^[Ss]teps:.*\b(?:step_loss|avr_loss)=/,
  bar: 'run',
  fields: { step_loss: { as: 'loss' }, avr_loss: { as: 'loss' }, lr: { as: 'learningRate' } },
  examples: [
    {
      lines:
        'Steps:  18%|█▊        | 271/1500 [09:47<44:24,  2.17s/it, lr=5e-5, step_loss=0.0931]\nsteps:  40%|████      | 640/1600 [11:12<16:48,  1.05s/it, avr_loss=0.117]',
      values: [
        {
          step: 271,
          totalSteps: 1500,
          elapsedSeconds: 587,
          etaSeconds: 2664,
          stepSeconds: 2.17,
          learningRate: 5e-5,
          loss: 0.0931,
        },
        { step: 640, totalSteps: 1600, elapsedSeconds: 672, etaSeconds: 1008, stepSeconds: 1.05, loss: 0.117 },
      ],
    },
  ],
};
