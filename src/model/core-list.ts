/** Whether a core is in a list as the kernel writes it: `0-47,96-143`. */
export function hasCore(list: string, core: number): boolean {
  return rangesOf(list).some(([from, to]) => core >= from && core <= to);
}

/** Whether two lists have a core in common. */
export function shareCore(a: string, b: string): boolean {
  const others = rangesOf(b);
  return rangesOf(a).some(([from, to]) => others.some(([first, last]) => from <= last && to >= first));
}

function rangesOf(list: string): readonly (readonly [from: number, to: number])[] {
  return list.split(',').map((part) => {
    const [from = NaN, to = from] = part === '' ? [] : part.split('-').map(Number);
    return [from, to];
  });
}
