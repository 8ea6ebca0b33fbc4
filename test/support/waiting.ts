/** Waits until `condition` gives something else than undefined, null or false, and gives that; fails after `ms`. */
export async function waitFor<T>(
  what: string,
  condition: () => T | undefined | null | false | Promise<T | undefined | null | false>,
  ms = 10_000,
): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== null && value !== false) return value;
    if (Date.now() > end) throw new Error(`waited ${ms} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
