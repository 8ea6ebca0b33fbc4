import type { Draft } from '../draft.ts';
import { takeField, takeMetric } from './entries.ts';
import type { LogFormat } from './format.ts';

const catboost = /^(\d+):\s+learn: [-+\w.]+/;
/** A tab comes as a blank. */
const rounds = /^\[(\d+)\]\s+(?:train|valid|eval|test)[\w'-]*[-_' ][\w@' -]*:\s?[-+\w.]+/;
const entry = /(?<=\s)([A-Za-z][\w@'-]*(?: [\w@-]+)?): ?([-+\w.]+(?: \d+s)?)(?= \(\d+\)|\s|$)/g;

/** XGBoost, LightGBM and CatBoost. */
export const boosting: LogFormat = {
  name: 'boosting',
  title: 'XGBoost, LightGBM, CatBoost',
  source: 'dmlc/xgboost, microsoft/LightGBM and catboost/catboost, their evaluation output',
  note: 'A step is a round. What is measured is chosen by the user: all of it stays under its own key.',
  anchors: [' train', ' learn: ', ' valid', ' eval', ' test'],
  detect: new RegExp(`${catboost.source}|${rounds.source}`),
  read(text, draft) {
    takeField('step', /^\[?(\d+)/.exec(text)?.[1], draft);
    for (const [, key = '', value = ''] of text.matchAll(entry)) readOne(key, value, draft);
    return undefined;
  },
  examples: [
    {
      lines:
        "[40]\ttrain-rmse:0.31842\teval-rmse:0.40517\n[120]\ttraining's l2: 0.0917\tvalid_1's l2: 0.1183\n250:\tlearn: 0.4412\ttest: 0.4687\tbest: 0.4681 (244)\ttotal: 9.3s\tremaining: 27.8s",
      values: [
        { step: 40, other: { 'train-rmse': 0.31842, 'eval-rmse': 0.40517 } },
        { step: 120, other: { "training's l2": 0.0917, "valid_1's l2": 0.1183 } },
        {
          step: 250,
          elapsedSeconds: 9.3,
          etaSeconds: 27.8,
          other: { learn: 0.4412, test: 0.4687, best: 0.4681 },
        },
      ],
    },
  ],
};

function readOne(key: string, value: string, draft: Draft): void {
  if (key === 'total') takeField('elapsedSeconds', value, draft);
  else if (key === 'remaining') takeField('etaSeconds', value, draft);
  else takeMetric(key, value, draft);
}
