import { z } from 'zod';
import { checkOptions, UsageFault } from '../../config/check-options.ts';
import { readOptions, type Options } from '../../config/options.ts';
import type { CaptureKind, CaptureRequest } from '../../model/samples.ts';

/** What `traintop stacks` is asked, checked. */
export interface StacksWish {
  readonly options: Options;
  readonly request: Omit<CaptureRequest, 'pids' | 'auto'>;
  readonly allRanks: boolean;
  /** Instead of the data folder. */
  readonly out?: string;
  /** The user's py-spy may be copied to the host. */
  readonly copyPySpy: boolean;
  readonly form: 'text' | 'json' | 'markdown';
}

const kinds: readonly CaptureKind[] = ['dump', 'native', 'many', 'record', 'gil'];

/** Which of them an option is about. */
const about: Readonly<Record<string, readonly CaptureKind[]>> = {
  seconds: ['record', 'gil'],
  rate: ['record', 'gil'],
  rounds: ['many'],
  every: ['many'],
  blocking: ['record', 'gil'],
};

const whole = (most: number, unit: string) =>
  z.coerce
    .number('is no number')
    .int('is no whole number')
    .min(1, `is at least 1${unit}`)
    .max(most, `is at most ${most}${unit}`)
    .optional();

const schema = z.object({
  seconds: whole(3600, ' s'),
  rate: whole(1000, ''),
  rounds: whole(1000, ''),
  every: whole(3600, ' s'),
  blocking: z.boolean().default(false),
  allRanks: z.boolean().default(false),
  copyPySpy: z.boolean().default(false),
  out: z.string().min(1, 'is empty').optional(),
  json: z.boolean().default(false),
  markdown: z.boolean().default(false),
});

/** Checks what commander gathered. Throws a UsageFault. */
export function readStacksWish(words: readonly string[], raw: Record<string, unknown>): StacksWish {
  const what = kinds.find((kind) => kind === words.at(-1));
  if (what === undefined || words.length > 2) {
    throw new UsageFault(`Say what to take, behind the target: ${kinds.join(', ')}; see traintop stacks --help.`);
  }
  for (const [name, of] of Object.entries(about)) {
    if (raw[name] === undefined || of.includes(what)) continue;
    throw new UsageFault(`--${name} is about ${of.join(' and ')}, not about ${what}; see traintop stacks --help.`);
  }
  const own = checkOptions(schema, raw, 'stacks');
  const { seconds, rate, rounds, every, blocking, allRanks, copyPySpy, out, json, markdown } = own;
  if (copyPySpy && raw['pySpy'] === undefined)
    throw new UsageFault(
      '--copy-py-spy copies the file of this machine that --py-spy names; name it; see traintop stacks --help.',
    );
  if (json && markdown) throw new UsageFault('--json and --markdown are two forms of the same; choose one.');
  return {
    options: readOptions(words.length > 1 ? words[0] : undefined, raw),
    request: {
      what,
      ...(seconds !== undefined && { seconds }),
      ...(rate !== undefined && { rate }),
      ...(rounds !== undefined && { rounds }),
      ...(every !== undefined && { everySeconds: every }),
      ...(blocking && { blocking }),
    },
    allRanks,
    copyPySpy,
    ...(out !== undefined && { out }),
    form: json ? 'json' : markdown ? 'markdown' : 'text',
  };
}
