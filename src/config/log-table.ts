import { z } from 'zod';
import { groupsOf, logPattern, logUnits, type LogPattern, type LogUnit } from '../model/log-patterns.ts';
import { regexOf } from './regex-text.ts';

/** Patterns beyond this are a mistake: each is held against each line. */
const mostPatterns = 100;

/** A pattern as the user wrote it, on the command line or in the file. */
export const logPatternText = z
  .string('is no text')
  .max(4000, 'is longer than 4000 characters')
  .transform(regexOf(logPattern));

const unitNames = `is one of ${logUnits.join(', ')}`;

const table = z
  .strictObject({
    name: z
      .string('is missing: the name is a text')
      .regex(/^[\w.-]{1,40}$/, 'is up to 40 letters, digits, -, _ or .')
      .optional(),
    pattern: z.string('is missing: the pattern is a text').pipe(logPatternText),
    units: z.record(z.string(), z.enum(logUnits, unitNames), 'is a table: step_time = "ms"').optional(),
    scope: z.enum(['gpu', 'global'], 'is "gpu" or "global"').optional(),
  })
  .superRefine(({ pattern, units = {} }, context) => {
    const groups = groupsOf(pattern);
    for (const group of Object.keys(units))
      if (!groups.includes(group))
        context.addIssue({ code: 'custom', path: ['units', group], message: 'is no group of the pattern' });
  });

/** `[[log]]` of the configuration: what it teaches about logs. */
export const logTables = z
  .array(table, 'is a list of tables: [[log]]')
  .max(mostPatterns, `has more than ${mostPatterns} patterns`)
  .transform((tables, context): readonly LogPattern[] => {
    const names = tables.map(({ name }, i) => name ?? `log-${i + 1}`);
    names.forEach((name, i) => {
      if (names.indexOf(name) !== i)
        context.addIssue({ code: 'custom', path: [i, 'name'], message: `${name} is another pattern's too` });
    });
    return tables.map(({ pattern, units, scope }, i) => ({
      name: names[i] ?? '',
      pattern,
      ...(units && { units: units as Readonly<Record<string, LogUnit>> }),
      ...(scope && { scope }),
    }));
  });
