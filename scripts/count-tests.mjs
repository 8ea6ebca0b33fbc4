// Counts a Vitest JSON report: `node scripts/count-tests.mjs REPORT.json` prints "PASSED FAILED" on standard output, and on standard error
// each test that failed, was skipped or is to do. The last two count as failed: CI has every part that a suite may need.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const report = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
let passed = 0;
let failed = 0;

for (const { name, status, message, assertionResults } of report.testResults) {
  const file = relative(process.cwd(), name);
  for (const test of assertionResults) {
    if (test.status === 'passed') passed++;
    else fault(`${file} > ${test.fullName}: ${test.status}`);
  }
  const broken = assertionResults.every((/** @type {{ status: string }} */ test) => test.status !== 'failed');
  if (status === 'failed' && broken) fault(`${file}: ${message || 'did not run'}`);
}
// An error outside every test (an unhandled rejection) fails the run, not a test.
if (failed === 0 && report.success !== true) fault('an error outside the tests');
if (passed === 0) fault('no test ran');
console.log(`${passed} ${failed}`);

/** @param {string} what */
function fault(what) {
  failed++;
  console.error(`  not passed: ${what}`);
}
