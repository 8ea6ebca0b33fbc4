/**
 * The one command line that ever reaches a host: the user's wrapper (`pct exec 200 --`, `docker exec -i NAME`), if any, and
 * a shell that reads its script from standard input. So quoting never passes through layers.
 */
export function shellCommand(wrap: string | undefined): string {
  return wrap ? `${wrap} sh -s` : 'sh -s';
}
