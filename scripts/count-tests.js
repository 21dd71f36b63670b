// Sums the JSON reports of test runs in one line. A missing report, or a file without tests, counts as a failure.
import { existsSync, readFileSync } from 'node:fs';

let [passed, failed] = [0, 0];
for (const file of process.argv.slice(2)) {
  if (!existsSync(file)) {
    failed += 1;
    continue;
  }
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const unloaded = report.testResults.filter((result) => result.status === 'failed' && result.assertionResults.length === 0);
  passed += report.numPassedTests;
  failed += report.numFailedTests + unloaded.length;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
