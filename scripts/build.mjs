import { existsSync } from 'node:fs';
import { bundle } from './lib/bundle.mjs';

const started = performance.now();
const { outputs } = await bundle();
const bytes = Object.values(outputs).reduce((sum, { bytes }) => sum + bytes, 0);
const ms = Math.round(performance.now() - started);
console.log(`dist/: ${Object.keys(outputs).length} files, ${Math.round(bytes / 1024)} KiB, in ${ms} ms`);
if (!existsSync('dist/main.js')) throw new Error('no dist/main.js was made');
