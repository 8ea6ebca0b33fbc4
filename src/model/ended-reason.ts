/** A source's or run's sentence for who does not wait: without its promise to look or try again, and without a full stop. */
export function endedReason(reason: string): string {
  return reason.replace(/;? (?:looking|trying) again$|; waiting for .*|\.$/, '').replace(/ \(yet\)$/, '');
}
