// `npm run bench [-- PART...]`: measures the built program; docs/benchmarks.md says what and why.
import { importTypeScript } from '../scripts/lib/run-typescript.mjs';

const { bench } = await importTypeScript('bench/main.ts');
process.exitCode = await bench(process.argv.slice(2));
