/** What the user teaches about a log: a pattern whose named groups are values. */
export interface LogPattern {
  /** Names the format on the screen, and for `--format`. */
  readonly name: string;
  /** Has named groups. */
  readonly pattern: RegExp;
  /** Of the numbers of groups, by their names, where it is not the field's own. */
  readonly units?: Readonly<Record<string, LogUnit>>;
  /** Of tokens a second. */
  readonly scope?: 'gpu' | 'global';
}

/** Units that a number in a log may have; `fraction`: 0.38 is 38 %. */
export const logUnits = [
  ...(['us', 'ms', 's', 'min', 'h', 'fraction', 'percent', 'KiB', 'MiB', 'GiB', 'KB', 'MB', 'GB'] as const),
  ...(['k', 'M', 'G', 'T'] as const),
] as const;

/** One of them. */
export type LogUnit = (typeof logUnits)[number];

/** Makes the pattern of what the user wrote: Python's `(?P<name>` too. Throws a SyntaxError; its message says what is wrong. */
export function logPattern(source: string): RegExp {
  const pattern = new RegExp(source.replaceAll('(?P<', '(?<'));
  if (groupsOf(pattern).length === 0) throw new SyntaxError('it has no named group, as in loss (?<loss>\\S+)');
  return pattern;
}

/** Names of its groups, in order. */
export function groupsOf({ source }: RegExp): readonly string[] {
  return [...source.matchAll(/(?<!\\)(?:\\\\)*\(\?<([\p{L}_$][\p{L}\p{N}_$]*)>/gu)].map(([, name = '']) => name);
}
