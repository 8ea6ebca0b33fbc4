/**
 * Short names for files: each its file's name; where several have the same, also the folders in which these differ
 * (`0/stdout.log`, `run-a/…/output.log`).
 */
export function logNames(paths: readonly string[]): ReadonlyMap<string, string> {
  const groups = new Map<string, string[]>();
  for (const path of new Set(paths)) {
    const name = lastOf(path);
    groups.set(name, [...(groups.get(name) ?? []), path]);
  }
  return new Map([...groups].flatMap(([name, group]) => namesOf(name, group)));
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

function namesOf(name: string, group: readonly string[]): readonly (readonly [path: string, name: string])[] {
  const [only, ...others] = group;
  if (only === undefined) return [];
  if (others.length === 0) return [[only, name]];
  const folders = group.map((path) => path.split('/').slice(0, -1).reverse());
  const depth = Math.max(...folders.map((each) => each.length));
  const differing: number[] = [];
  for (let at = 0; at < depth; at++) if (new Set(folders.map((each) => each[at])).size > 1) differing.push(at);
  // The nearest that tell all of them apart.
  const needed = differing.findIndex((_, i) => isTold(folders, differing.slice(0, i + 1)));
  const used = differing.slice(0, needed + 1);
  return group.map((path, i) => [path, joined(folders[i] ?? [], used, name)]);
}

const isTold = (folders: readonly (readonly string[])[], at: readonly number[]) =>
  new Set(folders.map((each) => JSON.stringify(at.map((i) => each[i])))).size === folders.length;

/** `at` counts folders from the file on, the nearest first. */
function joined(folders: readonly string[], at: readonly number[], name: string): string {
  let text = name;
  let before = -1;
  for (const i of at) {
    const folder = folders[i];
    if (folder === undefined) break;
    text = `${folder}/${i > before + 1 ? '…/' : ''}${text}`;
    before = i;
  }
  return text;
}
