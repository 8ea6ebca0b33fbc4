// A night in small: `npm run soak:watch -- MINUTES [--headless]` watches a real run on a real sshd for so long (60), recorded and with alarms
// on, and prints memory and CPU of each minute. Root only: the host has a PID namespace of its own.
import { importTypeScript } from './lib/run-typescript.mjs';

const [minutes = '60', ...args] = process.argv.slice(2);
// Twelve to warm up, then five against five.
if (!(Number(minutes) >= 22)) {
  console.error('usage: npm run soak:watch -- MINUTES [--headless], of 22 minutes or more');
  process.exit(2);
}
const { measureSoak } = await importTypeScript('bench/soak.ts');
await measureSoak(Number(minutes), args);
