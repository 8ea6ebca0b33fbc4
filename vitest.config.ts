import { defineConfig } from 'vitest/config';
import { inkTableForVite } from './scripts/lib/ink-table-plugin.mjs';

export default defineConfig({
  plugins: [inkTableForVite()],
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: tests that measure CPU shares or start terminals must not starve one another.
    maxWorkers: 2,
    server: { deps: { inline: ['ink-table'] } },
  },
});
