/** A source's or run's sentence for who does not wait: with what to do, without its promise to look or try again, and without a full stop. */
export function endedReason(reason: string): string {
  return reason
    .replace(/; waiting for (?:it|one) \(or (.*)\)$/, ': $1')
    .replace(/;? (?:looking|trying) again$|; waiting for .*|\.$/, '')
    .replace(/ \(yet\)$/, '');
}
