import { defineConfig } from 'vitest/config';
import { inkTableForVite } from './scripts/lib/ink-table-plugin.mjs';

/**
 * Tests that measure CPU shares or time run after all others, one file after the other: what runs beside them would take the cores
 * they measure. A new one is named *.alone.test.ts, or listed here.
 */
const ALONE = ['test/**/*.alone.test.{ts,tsx}', 'test/collectors/threads/readers.test.ts'];
/** Tests of the host's side that wait for leases to run out, beside one another at the end: `--project` leaves them out. */
const LONG = ['test/**/*.long.test.{ts,tsx}'];
/**
 * What is the same on any Node, and takes long: CI runs it on one. Tests of single scripts, which the host's shell runs, and plays of the demo on a
 * clock turned by hand.
 */
const ON_ONE_NODE = [
  'test/collectors/{envelope,own-group}.test.ts',
  'test/collectors/threads/{proc-script,waits-script}.test.ts',
  'test/collectors/log/{rotation,several,follow,cuts}.test.ts',
  'test/collectors/log/plans/plans.test.ts',
  'test/collectors/host/*.test.ts',
  'test/collectors/process/process.test.ts',
  'test/collectors/black-box/{demo,script}.test.ts',
  'test/demo/{alarms,physics,scenarios}.test.ts',
  'test/model/diagnosis/{captures,removal}.test.ts',
  'test/model/saved-state.test.ts',
  'test/recording/{past,player}-live.test.tsx',
  'test/report/*.test.ts',
  'test/ui/panels/width.test.ts',
];
const ALL = ['test/**/*.test.{ts,tsx}'];

export default defineConfig({
  plugins: [inkTableForVite()],
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    server: { deps: { inline: ['ink-table'] } },
    // The style of a report's page is read as text (?raw): without this it would be empty.
    css: true,
    projects: [
      // Two cores: more workers only starve one another.
      {
        extends: true,
        test: {
          name: 'together',
          include: ALL,
          exclude: [...ALONE, ...LONG, ...ON_ONE_NODE],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'one-node', include: ON_ONE_NODE, maxWorkers: 2, sequence: { groupOrder: 0 } },
      },
      { extends: true, test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 } } },
      { extends: true, test: { name: 'long', include: LONG, maxWorkers: 3, sequence: { groupOrder: 2 } } },
    ],
  },
});
