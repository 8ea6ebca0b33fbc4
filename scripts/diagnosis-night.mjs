// `npm run diagnosis:night [-- HOURS]`: what is told of two healthy runs in a night.
import { importTypeScript } from './lib/run-typescript.mjs';

const { diagnosisNight } = await importTypeScript('scripts/diagnosis-night.ts');
process.exitCode = await diagnosisNight(process.argv.slice(2));
