// A host with a real sshd and a real run, for a PID namespace of its own: `node bench/real-host.mjs JSON`; see bench/real-host.ts.
import { importTypeScript } from '../scripts/lib/run-typescript.mjs';

const { runRealHost } = await importTypeScript('bench/real-host.ts');
await runRealHost(process.argv.slice(2));
