import { machine } from './figures.ts';
import { measureGrowth } from './growth.ts';
import { measureHost } from './host.ts';
import { measureKeys } from './keys.ts';
import { measureStart } from './start.ts';
import { measureSteady } from './steady.ts';

const parts: Readonly<Record<string, (detail?: string) => Promise<void>>> = {
  start: () => measureStart(),
  steady: () => measureSteady(),
  host: (only) => measureHost({ only }),
  keys: () => measureKeys(),
  growth: () => measureGrowth(),
};

/**
 * `npm run bench [-- PART...]`: all measurements, or the named ones; `host:300` are the cases of a part whose names begin so.
 * Resolves with the exit code.
 */
export async function bench(wanted: readonly string[]): Promise<number> {
  const details = new Map(wanted.map((each) => [each.split(':')[0] ?? '', each.split(':')[1]]));
  const names = [...details.keys()];
  const unknown = names.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0) {
    console.error(`bench: no part is called ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`);
    return 2;
  }
  console.log(machine());
  for (const [name, measure] of Object.entries(parts)) {
    if (names.length === 0 || names.includes(name)) await measure(details.get(name));
  }
  return 0;
}
