import type { LogFormat } from '../../src/collectors/log/formats/format.ts';
import { logFormats } from '../../src/collectors/log/formats/registry.ts';
import { createLogReader } from '../../src/collectors/log/reader.ts';
import type { NumberedPiece } from '../../src/commands/logs/pieces.ts';
import { recordJson } from '../../src/commands/logs/record-json.ts';
import type { LogEventKind } from '../../src/model/samples.ts';

/** What each kind of event is, and the details that it may have. */
const events: Readonly<Record<LogEventKind, readonly [what: string, details: string]>> = {
  cuda_oom: ['a GPU has no memory left', '`gpu`, `requested`, `exception`'],
  host_oom: ['the host has none, or the kernel killed a process for it', '`pid`, `process`, `exception`'],
  nccl_timeout: ['a collective operation took too long', '`op`, `seq`, `rank`, `timeoutMs`, `ranMs`'],
  dist_backend: ['torch.distributed gave up', '`exception`, `error`, `rank`'],
  xid: ['the NVIDIA driver tells of an error', '`xid`, `bus`, `pid`, `gpu`'],
  gpu_lost: ['a GPU is off the bus', '`bus`, `gpu`'],
  traceback: [
    'a traceback of Python; the exception’s own line is a record behind it',
    '`exception`, `message`, `lines`',
  ],
  exception: ['an exception, in its own line', '`exception`, `message`, `hint`'],
  torchrun_child_failed: ['torchrun ends because a process did', '`exception`'],
  rank_exit: ['a process of the run ended', '`rank`, `ranks`, `localRank`, `worker`, `pid`, `host`, `code`, `signal`'],
  slurm_time_limit: ['Slurm ends the job: its time is over', '`job`, `host`'],
  slurm_cancelled: ['Slurm ends the job for another reason', '`job`, `host`, `reason`'],
  signal: ['a process says that it got a signal', '`signal`'],
  overflow: ['a step was skipped, the loss scale is lowered', '`lossScale`, `skipped`, `step`, `rank`'],
  not_finite: ['a loss or a gradient norm that is no number', '`field`, `value`, `step`, `iterations`'],
  loss_spike: ['a loss far above those before it', '`loss`, `median`, `step`'],
  checkpoint: ['a checkpoint was written', '`path`, `step`, `seconds`'],
  evaluation: ['an evaluation, or its result', '`validationLoss`, `step`'],
  epoch_end: ['an epoch is over', '`epoch`'],
  training_end: ['the training is over', '`step`, `reason`'],
};

/** Of docs/formats.md: the formats that are known, each with what it is told by and an example. */
export function formatsMarkdown(): string {
  const rows = logFormats.map(({ name, title, note = '' }) => `| [\`${name}\`](#${name}) | ${title} | ${note} |`);
  return ['| name | trainer | |', '| --- | --- | --- |', ...rows, '', ...logFormats.map(section)].join('\n');
}

/** Of docs/formats.md: kinds of events. */
export function logEventsMarkdown(): string {
  const rows = Object.entries(events).map(([kind, [what, details]]) => `| \`${kind}\` | ${what} | ${details} |`);
  return ['| kind | what happened | details, where they are told |', '| --- | --- | --- |', ...rows].join('\n');
}

function section({ name, title, source, fields = {}, examples }: LogFormat): string {
  const keys = Object.entries(fields).map(([key, { as, unit, scope }]) => {
    const more = [unit, scope].filter(Boolean).join(', ');
    return `\`${key}\` ${as}${more && ` (${more})`}`;
  });
  return [
    `### ${name}`,
    `${title}. Known from ${source}.${keys.length > 0 ? ` Keys: ${keys.join('; ')}.` : ''}`,
    ...examples.map(({ lines }) => `${block('text', lines)}\n\n${block('json', readLines(lines))}`),
    '',
  ].join('\n\n');
}

/** Longer than any run of its signs in the text. */
const block = (kind: string, text: string) => `\`\`\`${kind}\n${text}\n\`\`\``;

/** What `traintop logs --json` prints of the lines: records that say something. */
function readLines(lines: string): string {
  const reader = createLogReader<NumberedPiece>();
  const records = lines.split('\n').flatMap((text, i) => reader.push({ text, line: i + 1 }));
  return [...records, ...reader.flush()]
    .filter(({ values, event }) => values ?? event)
    .map((record) => JSON.stringify(recordJson(record)))
    .join('\n');
}
