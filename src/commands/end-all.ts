/** Ends one after the other, each though others failed: the last one keeps what those before it told. Rejects with the first failure. */
export async function endAll(ends: readonly ((() => Promise<void> | void) | undefined)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends) {
    try {
      await end?.();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
