// Loads the bundled company and shows its story, printing each command before it runs.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

const database = 'demo/company.duckdb';
const halfYear = '--start-date 2026-01-01 --end-date 2026-06-30 --cutoff-date 2026-05-31';

mkdirSync('demo', { recursive: true });
run(`load fixtures/company --database ${database}`);
run(`report projects ${halfYear} --database ${database} --format table`);
run(`report people --start-date 2026-01-01 --end-date 2026-03-31 --cutoff-date 2026-05-31 --database ${database} --format table`);
run(`report projects ${halfYear} --database ${database} --format xlsx --output demo/projects.xlsx`);
process.stdout.write(`
The workbook is demo/projects.xlsx: summary, projects, phases, months, every line, and checks as live formulas. Every number in it is a sum
of lines that can be listed, for instance:

  npx plumbline report lines --project-id 501 --start-date 2026-01-01 --end-date 2026-06-30 --database ${database}

SQL reads the same numbers:

  npx plumbline sql "SELECT name, actual_hours, actual_profit FROM reports.projects('2026-01-01', '2026-06-30')" --database ${database}

A server answers them over HTTP, with its own description at http://127.0.0.1:8080/docs:

  npx plumbline serve --database ${database}
`);

function run(command) {
  process.stdout.write(`\n$ plumbline ${command}\n\n`);
  const { status } = spawnSync(process.execPath, ['dist/src/main.js', ...command.split(' ')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
