/** `--target-gpus`, `--drafter_gpu_ids`, `--actor-devices`: the word before is what they are for. */
const option = /^--([a-z][a-z_-]{0,30}?)[-_](?:gpus?|gpu[-_]ids|devices|device[-_]ids)(?:=(.+))?$/i;
const list = /^\d{1,3}(?:[, ]\d{1,3})*$/;

/**
 * What GPUs are for, by index, as the command line of the run itself says: options of two roles or more whose lists hold each GPU of the run once.
 * Where they do not, the numbers mean something else (how many, or ranks), and nothing is said.
 */
export function rolesOfCommand(
  commandLine: readonly string[],
  indexes: readonly number[],
): ReadonlyMap<number, string> | undefined {
  const roles = new Map<number, string>();
  for (const [at, argument] of commandLine.entries()) {
    const match = option.exec(argument);
    const value = match?.[2] ?? commandLine[at + 1] ?? '';
    const role = match?.[1];
    if (role === undefined || !list.test(value)) continue;
    for (const index of value.split(/[, ]/).map(Number)) {
      if (roles.has(index)) return undefined;
      roles.set(index, role);
    }
  }
  const isWhole = roles.size === indexes.length && indexes.every((index) => roles.has(index));
  return isWhole && new Set(roles.values()).size > 1 ? roles : undefined;
}
