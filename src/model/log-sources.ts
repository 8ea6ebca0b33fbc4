/** Whether a source reads a log: `log`, `log:2`. */
export function isLogSource(source: string): boolean {
  return /^log(:\d+)?$/.test(source);
}

/** Logs in the order in which they were named, or the run has them: whichever spoke first. */
export function byLogSource(a: string, b: string): number {
  return numberOf(a) - numberOf(b);
}

const numberOf = (source: string) => Number(source.split(':')[1] ?? 1);
