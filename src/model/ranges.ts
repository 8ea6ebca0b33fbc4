/** Numbers in order, neighbours together: 0, 1, 2, 5 as `0-2, 5`. */
export function rangesText(numbers: readonly number[], separator = ', '): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(separator);
}

/** `rank 3`, `ranks 0-2, 4-7`: thousands of ranks in a line. */
export function rankText(ranks: readonly number[]): string {
  return `${ranks.length === 1 ? 'rank' : 'ranks'} ${rangesText(ranks)}`;
}
