// `npm run scores [-- FOLDER...] [--brief]`: recall and false values of the readers of logs, a log, against tables made by hand.
import { importTypeScript } from './lib/run-typescript.mjs';

const { logScores } = await importTypeScript('scripts/log-scores.ts');
process.exitCode = await logScores(process.argv.slice(2));
