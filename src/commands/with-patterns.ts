import type { Options } from '../config/options.ts';
import type { PatternAlarm } from '../model/alarms/settings.ts';

/** The user's options with what the demo's user asked to hear of. */
export function withPatterns(options: Options, patterns: readonly PatternAlarm[] = []): Options {
  if (patterns.length === 0) return options;
  const { alarms = {} } = options;
  return { ...options, alarms: { ...alarms, patterns: [...patterns, ...(alarms.patterns ?? [])] } };
}
