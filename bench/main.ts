import { machine } from './figures.ts';
import { measureGrowth } from './growth.ts';
import { measureHost } from './host.ts';
import { measureKeys } from './keys.ts';
import { measureStart } from './start.ts';
import { measureSteady } from './steady.ts';

const parts: Readonly<Record<string, () => Promise<void>>> = {
  start: measureStart,
  steady: measureSteady,
  host: measureHost,
  keys: measureKeys,
  growth: measureGrowth,
};

/** `npm run bench [-- PART...]`: all measurements, or the named ones. Resolves with the exit code. */
export async function bench(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !Object.hasOwn(parts, name));
  if (unknown.length > 0) {
    console.error(`bench: no part is called ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}.`);
    return 2;
  }
  console.log(machine());
  for (const [name, measure] of Object.entries(parts)) {
    if (names.length === 0 || names.includes(name)) await measure();
  }
  return 0;
}
