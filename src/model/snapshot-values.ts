/** Without absent values; a non-finite number is its name, because JSON has none. */
export function present(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([key, value]) => [key, typeof value === 'number' && !Number.isFinite(value) ? String(value) : value]),
  );
}

/** Tenths of a second. */
export const seconds = (ms: number | undefined) =>
  ms === undefined ? undefined : Math.max(0, Math.round(ms / 100) / 10);
