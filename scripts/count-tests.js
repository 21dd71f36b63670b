// Sums the JSON reports of test runs in one line, after the failures. A missing report, or a file without tests, counts as one.
import { existsSync, readFileSync } from 'node:fs';

/** The longest message of a failure. Unit: characters. */
const MAX_MESSAGE_CHARACTERS = 2_000;

const tell = (name, message) => process.stdout.write(`\n${name}\n${message.slice(0, MAX_MESSAGE_CHARACTERS)}\n`);

let [passed, failed] = [0, 0];
for (const file of process.argv.slice(2)) {
  if (!existsSync(file)) {
    failed += 1;
    process.stdout.write(`${file}: no report\n`);
    continue;
  }
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const unloaded = report.testResults.filter((result) => result.status === 'failed' && result.assertionResults.length === 0);
  for (const { name, message } of unloaded) tell(name, message);
  for (const { name, assertionResults } of report.testResults) {
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === 'failed') tell(`${name}: ${fullName}`, failureMessages.join('\n'));
  }
  passed += report.numPassedTests;
  failed += report.numFailedTests + unloaded.length;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
