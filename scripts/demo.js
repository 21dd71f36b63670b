// Loads the bundled company and shows its story, printing each command before it runs. With --serve, as the page.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';

const program = 'dist/program/main.js';
const database = 'demo/company.duckdb';
const halfYear = '--start-date 2026-01-01 --end-date 2026-06-30 --cutoff-date 2026-05-31';

mkdirSync('demo', { recursive: true });
run(`load fixtures/company --database ${database}`);
const [mode, ...serveFlags] = process.argv.slice(2);
if (mode === '--serve') await serve(serveFlags);
else tellStory();

function tellStory() {
  run(`report projects ${halfYear} --database ${database} --format table`);
  run(`report people --start-date 2026-01-01 --end-date 2026-03-31 --cutoff-date 2026-05-31 --database ${database} --format table`);
  run(`report projects ${halfYear} --database ${database} --output demo/projects.xlsx`);
  process.stdout.write(`
The workbook is demo/projects.xlsx: summary, projects, phases, months, every line, and checks as live formulas. Every number in it is a sum
of lines that can be listed, for instance:

  npx plumbline report lines --project-id 501 --start-date 2026-01-01 --end-date 2026-06-30 --database ${database}

SQL reads the same numbers:

  npx plumbline sql "SELECT name, actual_hours, actual_profit FROM reports.projects('2026-01-01', '2026-06-30')" --database ${database}

A server shows them as a page at http://127.0.0.1:8080, and answers them over HTTP (npm run demo -- --serve does both):

  npx plumbline serve --database ${database}
`);
}

/** Serves the page until it is stopped, and prints the address of the story once the server has one. */
async function serve(flags) {
  const command = ['serve', '--database', database, '--log-level', 'warn', ...flags];
  process.stdout.write(`\n$ plumbline ${command.join(' ')}\n\n`);
  const server = spawn(process.execPath, [program, ...command], { stdio: ['inherit', 'inherit', 'pipe'] });
  // Ctrl+C reaches both processes. This one ends with the server, which answers what it has begun.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => server.kill());
  const ended = once(server, 'exit');
  const query = new URLSearchParams({ start_date: '2026-01-01', end_date: '2026-06-30', cutoff_date: '2026-05-31' });
  for await (const line of createInterface({ input: server.stderr })) {
    process.stderr.write(`${line}\n`);
    const [, page] = /its page on (\S+),/.exec(line) ?? [];
    if (page) process.stdout.write(`\nThe half year of the story, until Ctrl+C: ${page}?${query}\n\n`);
  }
  const [code] = await ended;
  process.exitCode = code ?? 1;
}

function run(command) {
  process.stdout.write(`\n$ plumbline ${command}\n\n`);
  const { status } = spawnSync(process.execPath, [program, ...command.split(' ')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
