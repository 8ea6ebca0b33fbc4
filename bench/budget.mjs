// `npm run bench:budget [-- --update]`: what a fixed replay costs, held against bench/budget.json.
import { importTypeScript } from '../scripts/lib/run-typescript.mjs';

const { budget } = await importTypeScript('bench/budget.ts');
process.exitCode = await budget(process.argv.slice(2));
