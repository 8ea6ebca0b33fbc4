import type { LogFormat } from './format.ts';

/** Keras. */
export const keras: LogFormat = {
  name: 'keras',
  title: 'Keras',
  source: 'keras-team/keras, utils/generic_utils.py and utils/progbar.py (#8169, #10506)',
  note: 'Counts within an epoch, and so do its times; validation is there at the end of an epoch only.',
  anchors: ['/step', ' - ETA: ', '] - ', '━'],
  detect: /^\s*\d+\/\d+ (?:\[[=>.]+\]|━+)/,
  fields: {
    loss: { as: 'loss' },
    val_loss: { as: 'validationLoss' },
    lr: { as: 'learningRate' },
    learning_rate: { as: 'learningRate' },
  },
  examples: [
    {
      lines:
        ' 118/1563 [=>............................] - ETA: 21s - loss: 2.0417 - accuracy: 0.2361\n' +
        '1563/1563 [==============================] - 26s 16ms/step - loss: 1.6093 - accuracy: 0.4108 - val_loss: 1.3822 - val_accuracy: 0.5016',
      values: [
        {
          stepInEpoch: 118,
          stepsPerEpoch: 1563,
          loss: 2.0417,
          other: { epoch_eta_seconds: 21, accuracy: 0.2361 },
        },
        {
          stepInEpoch: 1563,
          stepsPerEpoch: 1563,
          elapsedSeconds: 26,
          stepSeconds: 0.016,
          loss: 1.6093,
          validationLoss: 1.3822,
          other: { accuracy: 0.4108, val_accuracy: 0.5016 },
        },
      ],
    },
  ],
};
