// Cuts links again and again for MINUTES (60), as test/e2e/cuts.long.test.ts does twenty times, and prints the counts: `npm run soak -- 30`.
// Root only. TRAINTOP_SOAK_SEED chooses other moments.
import { spawn } from 'node:child_process';

const minutes = Number(process.argv[2] ?? 60);
if (!(minutes > 0)) {
  console.error('usage: npm run soak -- MINUTES');
  process.exit(2);
}
const child = spawn('npx', ['vitest', 'run', '--project', 'long', 'test/e2e/cuts.long.test.ts'], {
  env: {
    ...process.env,
    TRAINTOP_SOAK_MINUTES: String(minutes),
    TRAINTOP_SOAK_SEED: process.env.TRAINTOP_SOAK_SEED ?? String(Date.now() % 1e6),
  },
  stdio: 'inherit',
});
child.on('exit', (code) => (process.exitCode = code ?? 1));
