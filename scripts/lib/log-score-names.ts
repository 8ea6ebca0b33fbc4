/** Units that a reader may put behind a name, or leave off. */
const units =
  'ms s us sec secs seconds gb mb gib mib kb percent pct tok tokens reqs tflops count per it step g m k'.split(' ');

/**
 * Whether two paths of `traintop logs --json` name one figure: `metrics.train/full_acc` and `metrics.full_acc`, `queues.queue.capacity` and
 * `queues.queue_size.capacity`. One may have words before or behind the other's.
 */
export function sameName(a: string, b: string): boolean {
  const [first, second] = [wordsOf(a), wordsOf(b)];
  const [short, long] = first.length <= second.length ? [first, second] : [second, first];
  if (short.length === 0) return false;
  const ends = (words: readonly string[]) => short.every((word, i) => words[i] === word);
  return ends(long) || ends(long.slice(long.length - short.length));
}

function wordsOf(path: string): readonly string[] {
  const name = path
    .replace(/^\w+\./, '')
    .replace(/(?<=^queues\b.*|.)\.(?:depth|capacity|low|high|waitSeconds|averageSeconds|maximumSeconds|count)$/, '');
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}%]+/u)
    .filter(Boolean);
  while (words.length > 1 && units.includes(words.at(-1) ?? '')) words.pop();
  return words;
}
