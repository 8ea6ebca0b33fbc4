// Runs traintop in a terminal, presses keys, and writes what is on the screen as an SVG and a PNG: to look at it, and for docs.
// `node scripts/look.mjs --help` says how.
import { importTypeScript } from './lib/run-typescript.mjs';

const { look } = await importTypeScript('scripts/lib/look.ts');
process.exitCode = await look(process.argv.slice(2));
