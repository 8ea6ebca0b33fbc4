// A demo host in a process of its own: `node bench/demo-host.mjs [THREADS [ACTIVE]]` prints traintop's arguments for it as JSON.
import { importTypeScript } from '../scripts/lib/run-typescript.mjs';

const { runDemoHost } = await importTypeScript('bench/demo-host.ts');
await runDemoHost(process.argv.slice(2));
