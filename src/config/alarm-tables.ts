import { z } from 'zod';
import { alarmNames, severities, type AlarmName } from '../model/alarm-samples.ts';
import { catalogue } from '../model/alarms/catalogue.ts';
import type { AlarmRule, AlarmSettings, VerdictAlarm } from '../model/alarms/settings.ts';
import { situations, type Situation } from '../model/situations.ts';
import { regexOf } from './regex-text.ts';
import { strictTable } from './strict-table.ts';

/** As a severity is written. */
export const severity = z.enum(severities, `is one of ${severities.join(', ')}`);

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const noTime = 'is no time: "30s", "2m", "1h 30m", or "0s"';

const time = z.string(noTime).transform((text, context): number => {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|[smhd])\s*/gy)];
  // A sticky pattern begins where the one before ended: all of the text is in them, or it is none.
  const read = parts.map(([part]) => part).join('');
  if (parts.length > 0 && read === text)
    return parts.reduce((sum, [, number, unit = '']) => sum + Number(number) * (unitsMs[unit] ?? NaN), 0);
  context.addIssue({ code: 'custom', message: noTime });
  return z.NEVER;
});

const off = z.literal(true, 'is true or absent').optional();
const number = z.number('is no number');

const rule = strictTable({
  threshold: number.optional(),
  clear: number.optional(),
  for: time.optional(),
  'clear-for': time.optional(),
  'cool-down': time.optional(),
  severity: severity.optional(),
  off,
});

const verdict = strictTable({
  confidence: number.min(0, 'is a share from 0 to 1').max(1, 'is a share from 0 to 1').optional(),
  for: time.optional(),
  severity: severity.optional(),
  off,
});

/** Each is held against each line. */
const mostPatterns = 50;

const pattern = strictTable({
  name: z
    .string('is missing: the name is a text')
    .regex(/^[\w. -]{1,40}$/, 'is up to 40 letters, digits, blanks, -, _ or .'),
  match: z
    .string('is missing: what lines match is a text')
    .min(1, 'is empty')
    .max(4000, 'is longer than 4000 characters')
    .transform(regexOf()),
  severity: severity.optional(),
  'cool-down': time.optional(),
});

/** `pattern` has a list of its own, and `verdict` a table. */
const ruleNames = alarmNames.filter((name) => name !== 'pattern' && name !== 'verdict');

/** `[alarms]` of the configuration. */
export const alarmTables = strictTable({
  off,
  ...(Object.fromEntries(ruleNames.map((name) => [name, rule.optional()])) as Record<
    (typeof ruleNames)[number],
    z.ZodOptional<typeof rule>
  >),
  verdicts: strictTable(
    Object.fromEntries(situations.map((name) => [name, verdict.optional()])) as Record<
      Situation,
      z.ZodOptional<typeof verdict>
    >,
  ).optional(),
  pattern: z
    .array(pattern, 'is a list of tables: [[alarms.pattern]]')
    .max(mostPatterns, `has more than ${mostPatterns} patterns`)
    .superRefine((patterns, context) => {
      patterns.forEach(({ name }, i) => {
        if (patterns.findIndex((other) => other.name === name) !== i)
          context.addIssue({ code: 'custom', path: [i, 'name'], message: `${name} is another pattern's too` });
      });
    })
    .optional(),
}).transform((tables, context): AlarmSettings => {
  const rules = ruleNames.flatMap((name) => {
    const given = tables[name];
    if (!given) return [];
    const checked = withClear(name, ruleOf(given));
    if (typeof checked !== 'string') return [[name, checked] as const];
    context.addIssue({ code: 'custom', path: [name], message: checked });
    return [];
  });
  const verdicts = Object.entries(tables.verdicts ?? {}).flatMap(([situation, given]) =>
    given ? [{ situation: situation as Situation, ...verdictOf(given) }] : [],
  );
  const patterns = (tables.pattern ?? []).map(({ 'cool-down': coolDownMs, severity, ...rest }) => ({
    ...rest,
    ...(severity !== undefined && { severity }),
    ...(coolDownMs !== undefined && { coolDownMs }),
  }));
  return {
    ...(tables.off && { off: true }),
    ...(rules.length > 0 && { rules: Object.fromEntries(rules) }),
    ...(verdicts.length > 0 && { verdicts }),
    ...(patterns.length > 0 && { patterns }),
  };
});

type Rule = Partial<AlarmRule> & { readonly off?: true };

function ruleOf(given: z.output<typeof rule>): Rule {
  const { for: forMs, 'clear-for': clearForMs, 'cool-down': coolDownMs, ...rest } = given;
  return defined({ ...rest, forMs, clearForMs, coolDownMs });
}

function verdictOf({ for: forMs, ...rest }: z.output<typeof verdict>): Omit<VerdictAlarm, 'situation'> {
  return defined({ ...rest, forMs });
}

/** An alarm must be over on the good side of its threshold: with another threshold the usual border may be on the wrong one. */
function withClear(name: AlarmName, given: Rule): Rule | string {
  const { worse, rule } = catalogue[name];
  const [threshold, clear] = [given.threshold ?? rule.threshold, given.clear ?? rule.clear];
  const isGood = worse === 'once' || (worse === 'higher' ? clear <= threshold : clear >= threshold);
  if (isGood) return given;
  if (given.clear === undefined) return { ...given, clear: threshold };
  return `is over (clear = ${clear}) where it rings (threshold = ${threshold})`;
}

/** Without what is undefined. */
function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
