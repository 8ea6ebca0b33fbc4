/**
 * What the user types behind `/`: plain text, case ignored; `!text` keeps what does not contain it. Accepts a row by its texts,
 * of which one must contain it. Undefined for a filter that takes everything.
 */
export function textFilter(filter: string): ((...texts: readonly string[]) => boolean) | undefined {
  const negated = filter.startsWith('!');
  const wanted = (negated ? filter.slice(1) : filter).toLowerCase();
  if (wanted === '') return undefined;
  return (...texts) => texts.some((text) => text.toLowerCase().includes(wanted)) !== negated;
}
