// Loads the bundled company and shows its story. Each command is printed before it runs, as a user would type it.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

const database = 'demo/company.duckdb';
const halfYear = '--start-date 2026-01-01 --end-date 2026-06-30 --cutoff-date 2026-05-31';

mkdirSync('demo', { recursive: true });
run(`load fixtures/company --database ${database}`);
run(`report projects ${halfYear} --database ${database} --format table`);
run(`report people --start-date 2026-01-01 --end-date 2026-03-31 --cutoff-date 2026-05-31 --database ${database} --format table`);
run(`report projects ${halfYear} --database ${database} --format csv --output demo/projects.csv`);
process.stdout.write(`
The whole report is in demo/projects.csv. Every number in it is a sum of lines that can be listed, for instance:

  npx plumbline report lines --project-id 501 --start-date 2026-01-01 --end-date 2026-06-30 --database ${database}
`);

function run(command) {
  process.stdout.write(`\n$ plumbline ${command}\n\n`);
  const { status } = spawnSync(process.execPath, ['dist/src/main.js', ...command.split(' ')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
