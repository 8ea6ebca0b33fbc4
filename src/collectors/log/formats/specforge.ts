import type { LogFormat } from './format.ts';

/** SpecForge's state of its stream of samples. */
export const specforge: LogFormat = {
  name: 'specforge',
  title: 'SpecForge',
  source: 'sgl-project/SpecForge (its keys; a whole line was not seen)',
  note: 'Samples on their way are queues.',
  anchors: ['in_flight='],
  detect: /\bin_flight=\d+\b.*\bleased=\d+\b|\bleased=\d+\b.*\bin_flight=\d+\b/,
  fields: {
    in_flight: { as: 'queue' },
    pending: { as: 'queue' },
    leased: { as: 'queue' },
    resident_bytes: { as: 'metric' },
  },
  examples: [
    {
      lines: 'in_flight=24 pending=7 leased=3 resident_bytes=918421504',
      values: [
        {
          queues: [
            { name: 'in_flight', depth: 24 },
            { name: 'pending', depth: 7 },
            { name: 'leased', depth: 3 },
          ],
          other: { resident_bytes: 918421504 },
        },
      ],
    },
  ],
};
