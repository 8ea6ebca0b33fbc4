/** A line without the mark that a launcher put before it. */
export interface Prefixed {
  readonly rank?: number;
  readonly rest: string;
}

/** torchrun --tee and PyTorch's loggers, SageMaker's MPI, Ray (no rank in it). */
const prefixes: readonly RegExp[] = [
  /^\[(?:rank|default|RANK:)\s?(\d+)\]:?\s?/,
  /^\[\d+,mpirank:(\d+),[^\]]*\]<std(?:out|err)>:/,
  /^\([\w.]+ pid=\d+(?:, ip=[\d.]+)?\)\s?/,
  // `srun --label`; a number alone before a colon is a rank only where the step is told in the line itself.
  /^\s*(\d{1,4}): (?=.*\b(?:step|iter|iteration)\b)/i,
];

/** Names of ranks inside a line, where a logger writes them. */
const inside = /\[(?:RANK:|Rank )(\d+)\]|[,[ ]rank=(\d+)[\],]/;

/** Takes launchers' marks off a line and reads the rank from them. */
export function takePrefix(text: string): Prefixed {
  let rest = text;
  let rank: number | undefined;
  for (const pattern of prefixes) {
    const match = pattern.exec(rest);
    if (!match) continue;
    rest = rest.slice(match[0].length);
    if (match[1] !== undefined) rank ??= Number(match[1]);
  }
  const named = inside.exec(rest);
  const told = named?.[1] ?? named?.[2];
  if (told !== undefined) rank ??= Number(told);
  return { rest, ...(rank !== undefined && { rank }) };
}
