import { testCases } from '../../errors/gallery.ts';

const LOAD = 'load DIR/data';
const WINDOW = '--start-date 2026-01-01 --end-date 2026-01-31';
const REPORT = `report people ${WINDOW} --format csv`;
const LETTER = 'Dear all,\nthis is no database, and nobody may overwrite it.\n';

/** Unreadable databases and unwritable outputs. */
testCases([
  {
    name: 'database-is-text',
    title: 'The database file is a text: it is never overwritten.',
    files: { 'company.duckdb': LETTER },
    commands: [LOAD, REPORT, 'status'],
  },
  {
    name: 'database-is-short-text',
    title: 'The database file is a text of a few characters.',
    files: { 'company.duckdb': 'x' },
    commands: [LOAD, REPORT, 'status'],
  },
  {
    name: 'database-is-blank',
    title: 'The database file is empty: there is nothing to lose in it.',
    files: { 'company.duckdb': '' },
    commands: [REPORT, 'status', LOAD],
  },
  {
    name: 'database-is-directory',
    title: 'The database is a directory.',
    folders: ['company'],
    commands: [`${LOAD} --database DIR/company`, `${REPORT} --database DIR/company`, 'status --database DIR/company'],
  },
  {
    name: 'database-name-too-long',
    title: 'The name of the database leaves no room for those of the files beside it.',
    commands: [LOAD, 'status', REPORT].map((command) => `${command} --database DIR/${'x'.repeat(240)}.duckdb`),
  },
  {
    name: 'database-path-with-question-mark',
    title: 'The path of the database contains a question mark.',
    folders: ['why?'],
    commands: [
      `${LOAD} --database DIR/company?.duckdb`,
      `${LOAD} --database DIR/why?/company.duckdb`,
      'status --database DIR/why?/company.duckdb',
    ],
  },
  {
    name: 'database-is-json',
    title: 'The database is a file of a dataset.',
    files: { 'people.json': [] },
    commands: [LOAD, 'status', REPORT].map((command) => `${command} --database DIR/people.json`),
  },
  {
    name: 'database-folder-missing',
    title: 'The folder of the database is not there.',
    commands: [
      `${LOAD} --database DIR/nowhere/company.duckdb`,
      `${REPORT} --database DIR/nowhere/company.duckdb`,
      'status --database DIR/nowhere/company.duckdb',
    ],
  },
  {
    name: 'database-folder-is-file',
    title: 'The folder of the database is a file.',
    files: { letter: LETTER },
    commands: [`${LOAD} --database DIR/letter/company.duckdb`, `${REPORT} --database DIR/letter/company.duckdb`],
  },
  {
    name: 'database-missing',
    title: 'There is no database yet.',
    database: 'none',
    commands: [REPORT, 'status'],
  },
  {
    name: 'database-is-foreign',
    title: 'Another program wrote the database: it holds no dataset, and is never overwritten.',
    database: 'foreign',
    commands: [REPORT, 'status', LOAD],
  },
  {
    name: 'database-of-other-version',
    title: 'An earlier version of the program loaded the database: a load with this one replaces it.',
    database: 'earlier',
    commands: [REPORT, `report lines ${WINDOW}`, 'status', 'sql "SELECT 1"', 'export DIR/out', LOAD],
  },
  {
    name: 'database-is-copy',
    title: 'The database is a copy without rates, which has neither the records nor the costs.',
    database: 'copy',
    commands: [
      REPORT,
      `report lines ${WINDOW}`,
      `report data-quality ${WINDOW}`,
      `explain people --measure actual_hours ${WINDOW}`,
      'explain --line s:1:1:2026-01-05',
      'export DIR/out',
      'status',
      'serve --write',
      'journal --check',
      `sql "SELECT SUM(hours) AS hours FROM marts.lines WHERE kind = 'actual'" --format csv`,
      ...[REPORT, 'status', 'serve --write', LOAD].map(
        (command) => `${command} --database DIR/company.no-rates.duckdb`,
      ),
    ],
  },
  {
    name: 'database-is-damaged',
    title: 'Half of the database is gone.',
    database: 'damaged',
    commands: [REPORT, 'status'],
  },
  {
    name: 'database-in-memory',
    title: 'A database in memory is asked for, which would hold nothing.',
    commands: [`${REPORT} --database :memory:`],
  },
  {
    name: 'output-folder-missing',
    title: 'A report goes into a folder that is not there.',
    commands: [`${REPORT} --output DIR/nowhere/people.csv`],
  },
  {
    name: 'output-is-directory',
    title: 'A report goes where a directory is.',
    folders: ['people.csv'],
    commands: [`${REPORT} --output DIR/people.csv`],
  },
  {
    name: 'output-after-error',
    title: 'A report that fails leaves no half file, and the file of before as it was.',
    files: { 'people.csv': 'the report of yesterday\n' },
    commands: [
      `${REPORT} --status done --output DIR/people.csv`,
      `report projects ${WINDOW} --expand phases --format csv --output DIR/people.csv`,
      `report projects ${WINDOW} --expand phases --format csv --output DIR/projects.csv`,
    ],
  },
  {
    name: 'output',
    title: 'A report goes to a file: nothing is printed.',
    files: { 'people.csv': 'the report of yesterday\n' },
    commands: [`${REPORT} --output DIR/people.csv`],
  },
]);
