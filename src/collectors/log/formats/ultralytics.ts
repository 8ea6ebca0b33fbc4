import type { Draft } from '../draft.ts';
import type { LogFormat } from './format.ts';
import { takeField, takeMetric } from './entries.ts';

const row = /^\s*(\d+)\/(\d+)\s+(\d+(?:\.\d+)?[KMGT])\s+((?:[-+\w.]+\s+)*)(\d+)(?=:|\s*(?:$|\|))/;
const header = /^\s*Epoch\s+(?:GPU_mem|gpu_mem)\s(.*)$/;
const results = /^\s*all\s+(\d+\s+\d+(?:\s+[\d.]+){4})\s*$/;
const resultNames = ['Images', 'Instances', 'P', 'R', 'mAP50', 'mAP50-95'];

/** Ultralytics: YOLO 5 to 12. */
export const ultralytics: LogFormat = {
  name: 'ultralytics',
  title: 'Ultralytics YOLO',
  source: 'ultralytics/ultralytics, engine/trainer.py (#7653); ultralytics/yolov5, train.py',
  note: 'A header names the columns of the rows after it; the bar counts within the epoch; memory in G is 10^9 bytes.',
  anchors: ['GPU_mem', 'gpu_mem', '%', 'all '],
  detect: new RegExp(`${header.source}|${row.source}|${results.source}`),
  bar: 'epoch',
  read(text, draft, memory) {
    const head = header.exec(text)?.[1];
    const overall = results.exec(text)?.[1];
    const [, epoch, epochs, used, values = '', size = ''] = row.exec(text) ?? [];
    if (head !== undefined) memory.set('columns', head.trim().split(/\s+/).slice(0, 40));
    else if (overall !== undefined) readColumns(overall.split(/\s+/), resultNames, draft);
    else {
      takeField('epoch', epoch, draft);
      takeMetric('epochs', epochs, draft);
      takeField('memoryBytes', used, draft);
      readColumns([...values.trim().split(/\s+/), size], memory.get('columns'), draft);
    }
    return undefined;
  },
  examples: [
    {
      lines:
        '      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size\n' +
        '     12/300      5.31G      1.274     0.8812      1.193         57        640: 100%|██████████| 118/118 [00:27<00:00,  4.29it/s]\n' +
        '                 Class     Images  Instances      Box(P          R      mAP50  mAP50-95): 100%|██████████| 10/10 [00:03<00:00,  3.02it/s]\n' +
        '                   all        320       1811      0.702      0.611      0.659      0.427',
      values: [
        {
          epoch: 12,
          memoryBytes: 5310000000,
          stepInEpoch: 118,
          stepsPerEpoch: 118,
          elapsedSeconds: 27,
          iterationsPerSecond: 4.29,
          other: {
            epochs: 300,
            box_loss: 1.274,
            cls_loss: 0.8812,
            dfl_loss: 1.193,
            Instances: 57,
            Size: 640,
            epoch_eta_seconds: 0,
          },
        },
        { other: { Images: 320, Instances: 1811, P: 0.702, R: 0.611, mAP50: 0.659, 'mAP50-95': 0.427 } },
      ],
    },
    {
      lines:
        '      Epoch    GPU_mem   box_loss   cls_loss   dfl_loss  Instances       Size\n' +
        '      2/100      3.08G      1.402      2.117      1.266         23        640: 100% ━━━━━━━━━━━━ 32/32 6.2it/s 5.1s',
      values: [
        {
          epoch: 2,
          memoryBytes: 3080000000,
          stepInEpoch: 32,
          stepsPerEpoch: 32,
          iterationsPerSecond: 6.2,
          other: { epochs: 100, box_loss: 1.402, cls_loss: 2.117, dfl_loss: 1.266, Instances: 23, Size: 640 },
        },
      ],
    },
  ],
};

function readColumns(values: readonly string[], columns: unknown, draft: Draft): void {
  if (!Array.isArray(columns)) return;
  values.forEach((value, i) => {
    const name: unknown = columns[i];
    if (typeof name === 'string' && /^[-+\d.naif]+$/.test(value)) takeMetric(name, value, draft);
  });
}
