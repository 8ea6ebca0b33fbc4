import type { LogEvent } from '../../../model/samples.ts';
import { byOutline } from '../outline.ts';
import { stepIn } from './checkpoint-rule.ts';
import { told, type EventRule } from './rule.ts';

/** JSON lines of all loggers. */
const inJson = /"(?:msg|message|event|text|log)"\s*:\s*"((?:[^"\\]|\\.)*)"/;
/** Of lines without a message: `{"mode": "val", "epoch": 1, "bbox_mAP": 0.35}`; where no step or epoch is told it is a setting. */
const inKind = /"(?:event_type|type|kind|mode|phase|stage|split)"\s*:\s*"([\w.-]{1,40})"/;
const isTold = /"(?:global_?step|step|epoch|iter(?:ation)?)"\s*:\s*"?\d/;
/** logfmt: slog, logrus, structlog's KeyValueRenderer. */
const inLogfmt = /(?:^|\s)(?:msg|message|event)=(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w.-]+))(?=\s|$)/;
/** structlog's ConsoleRenderer: `[info     ] checkpoint_saved    step=500`. */
const ofStructlog = /\[(?:debug|info|notice|warning|error|critical)\s*\]\s+(.*?)(?:\s{2,}.*|\s+\w+=\S.*)?$/;

const json = 1;
const logfmt = 2;
const structlog = 4;
/** How a line may be structured. */
const signsOf = byOutline(
  (text) =>
    (text.charCodeAt(0) === 0x7b || text.includes('":') ? json : 0) |
    (text.includes('msg=') || text.includes('event=') || text.includes('message=') ? logfmt : 0) |
    (/\[[a-z]+\s*\] /.test(text) ? structlog : 0),
);

/** What a structured line says in words; its keys are none. Undefined: it is plain text. */
export function messageIn(text: string): string | undefined {
  const signs = signsOf(text);
  if (signs & json) {
    const match = inJson.exec(text);
    if (match) return wordsOf(match[1] ?? '');
    const kind = isTold.test(text) ? inKind.exec(text)?.[1] : undefined;
    if (kind !== undefined) return wordsOf(kind);
  }
  if (signs & logfmt) {
    const match = inLogfmt.exec(text);
    if (match) return wordsOf(match[1] ?? match[2] ?? match[3] ?? '');
  }
  const match = signs & structlog ? ofStructlog.exec(text) : null;
  return match ? wordsOf(match[1] ?? '') : undefined;
}

/** What a structured line names as the cause, beside its message: `error="..."`, `"reason":"OOMKilled"`. */
const cause =
  /(?:^|[\s{,])"?(?:error|err|exception|reason|cause|exit_reason|termination_reason)"?\s?[=:]\s?(?:"((?:[^"\\]|\\.)*)"|([^\s",}]+))/i;

/** As `messageIn`: undefined, where no cause is named. */
export function causeIn(text: string): string | undefined {
  const match = cause.exec(text);
  return match ? wordsOf(match[1] ?? match[2] ?? '') : undefined;
}

/** `checkpoint_saved`, `eval.end` are words too. */
function wordsOf(message: string): string {
  const plain = message.replace(/\\[nt]/g, ' ').replace(/\\(["\\/])/g, '$1');
  return /^[\w.:-]+$/.test(plain) ? plain.replace(/[_.:-]+/g, ' ') : plain;
}

const end = String.raw`(?:end|ended|complete|completed|finish|finished|done)`;
const names: readonly (readonly [RegExp, LogEvent['kind']])[] = [
  [
    /^(?:save )?(?:model )?(?:checkpoint|ckpt)(?: (?:save|saved|written|complete|completed|done|created))?$/i,
    'checkpoint',
  ],
  [/^(?:model|weights) saved$/i, 'checkpoint'],
  [new RegExp(`^(?:on )?(?:train )?epoch ${end}$`, 'i'), 'epoch_end'],
  [new RegExp(`^(?:on )?(?:train|training|fit|fine ?tuning) ${end}$`, 'i'), 'training_end'],
  [
    new RegExp(
      `^(?:on )?(?:eval|evaluate|evaluation|validation|val)(?: (?:start|started|begin|results?|metrics|step|${end}))?$`,
      'i',
    ),
    'evaluation',
  ],
];

/** An event whose whole message is its name. */
export function namedEvent(message: string): LogEvent | undefined {
  const kind = names.find(([name]) => name.test(message))?.[1];
  return kind && told(kind);
}

/** With the line's keys that its details lack. */
export function withKeys({ kind, details = {} }: LogEvent, text: string): LogEvent {
  const number = (keys: string) => {
    const value = new RegExp(String.raw`(?:^|[\s{,"])(?:${keys})"?\s*[:=]\s*"?(\d+)(?![\d.])`).exec(text)?.[1];
    return value === undefined ? undefined : Number(value);
  };
  const more = {
    ...(/checkpoint|evaluation|training_end|not_finite|loss_spike/.test(kind) && {
      step: number('step|global_step|iteration|iter'),
    }),
    ...(kind === 'epoch_end' && { epoch: number('epoch') }),
    ...(kind === 'rank_exit' && {
      rank: number('rank|global_rank|worker'),
      code: number('exit_code|exitcode|exit_status|code'),
    }),
    ...(kind === 'checkpoint' && {
      path: /(?:^|[\s{,"])(?:path|file|filename|dir|directory|location|uri|to|checkpoint|ckpt)"?\s*[:=]\s*"?([^\s",}]*[/.][^\s",}]*)/.exec(
        text,
      )?.[1],
    }),
  };
  const path = kind === 'checkpoint' ? (details['path'] ?? more.path) : undefined;
  const named = path === undefined ? undefined : stepIn('', String(path));
  return told(kind, { ...(named !== undefined && { step: named }), ...known(more), ...details });
}

/** Words of names that no rule has by themselves. */
export const nameRule: EventRule = {
  words: ['checkpoint', 'ckpt', 'eval', 'evaluate', 'evaluation', 'validation', 'val'],
  also: ['event', 'type', 'kind', 'mode', 'phase', 'stage', 'split'],
  find: () => undefined,
};

function known(details: Readonly<Record<string, string | number | undefined>>) {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
