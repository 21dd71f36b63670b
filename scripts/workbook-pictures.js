// Renews docs/images/workbook-*.png: page 1 of each report's workbook for the bundled company, as LibreOffice prints it.
// Needs a build, LibreOffice (soffice) and poppler (pdftoppm).
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compressPicture } from './compress-picture.js';

const window = ['--start-date', '2026-01-01', '--end-date', '2026-06-30'];
const cutoff = ['--cutoff-date', '2026-05-31'];
const reports = {
  board: cutoff,
  projects: cutoff,
  phases: cutoff,
  tasks: cutoff,
  people: cutoff,
  clients: cutoff,
  pipeline: cutoff,
  pivot: [...cutoff, '--group-by', 'client', '--columns', 'month', '--measures', 'actual_hours,actual_fees'],
  lines: [...cutoff, '--project-id', '501'],
  'data-quality': [],
};
/** Unit: dots per inch; 1,170 x 827 px for a page of A4. */
const RESOLUTION = '100';

const folder = mkdtempSync(path.join(tmpdir(), 'pictures-'));
const database = path.join(folder, 'company.duckdb');
run('node', 'dist/program/main.js', 'load', 'fixtures/company', '--database', database);
for (const [report, flags] of Object.entries(reports)) {
  const workbook = path.join(folder, `${report}.xlsx`);
  run('node', 'dist/program/main.js', 'report', report, ...window, ...flags, '--database', database, '--output', workbook);
  run('soffice', '--headless', '--convert-to', 'pdf', '--outdir', folder, workbook);
  const pdf = path.join(folder, `${report}.pdf`);
  run('pdftoppm', '-png', '-r', RESOLUTION, '-f', '1', '-singlefile', pdf, `docs/images/workbook-${report}`);
  compressPicture(`docs/images/workbook-${report}.png`);
}
rmSync(folder, { recursive: true });

function run(program, ...flags) {
  const { status } = spawnSync(program, flags, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${program} ${flags.join(' ')} ended with ${status}`);
}
