import { type Case, testCases } from '../../errors/gallery.ts';
import { takePart } from '../../seed.ts';

const LOAD = 'load DIR/data';

/** Loads that fail and leave the existing data in place. */
const CASES: readonly Case[] = [
  { name: 'directory-missing', title: 'The directory is not there.', commands: ['load DIR/nowhere'] },
  { name: 'directory-empty', title: 'The directory is empty.', folders: ['empty'], commands: ['load DIR/empty'] },
  {
    name: 'directory-is-file',
    title: 'A file is named, not a directory.',
    files: { 'data/people.json': [] },
    commands: ['load DIR/data/people.json'],
  },
  {
    name: 'directory-of-nothing-known',
    title: 'The directory holds files, but none of a resource.',
    files: { 'data/notes.txt': 'To do\n', 'data/persons.json': [] },
    company: false,
    commands: [LOAD],
  },
  {
    name: 'workbook',
    title: 'A workbook is none, or has no sheet of a resource.',
    files: { 'data/people.xlsx': 'people_id,name\n1,Ada\n' },
    commands: [LOAD, 'load DIR/data/people.xlsx', 'load DIR/missing.xlsx'],
  },
  {
    name: 'json-is-text',
    title: 'A file of the name is not JSON.',
    files: { 'data/people.json': 'Dear all,\nplease find attached\n' },
    commands: [LOAD],
  },
  {
    name: 'json-is-html',
    title: 'An error page was saved in place of the records.',
    files: { 'data/people.json': '\n<!DOCTYPE html>\n<h1>502 Bad Gateway</h1>\n' },
    commands: [LOAD],
  },
  { name: 'json-is-blank', title: 'A file is empty.', files: { 'data/people.json': '' }, commands: [LOAD] },
  {
    name: 'json-cut-off',
    title: 'A list is cut off inside a record.',
    files: { 'data/people.json': '[\n  {"people_id": 2, "name": "Bo"},\n  {"people_id": 3, "na' },
    commands: [LOAD],
  },
  {
    name: 'json-cut-off-between',
    title: 'A list is cut off between two records.',
    files: { 'data/people.json': '[\n  {"people_id": 2, "name": "Bo"},\n  {"people_id": 3, "name": "Cy"}\n' },
    commands: [LOAD],
  },
  {
    name: 'json-comma-missing',
    title: 'A comma is missing between two records.',
    files: { 'data/people.json': '[\n  {"people_id": 2, "name": "Bö"} {"people_id": 3}\n]\n' },
    commands: [LOAD],
  },
  {
    name: 'json-comma-too-many',
    title: 'There is a comma after the last record.',
    files: { 'data/people.json': '[\n  {"people_id": 2},\n]\n' },
    commands: [LOAD],
  },
  {
    name: 'json-text-after-list',
    title: 'Something follows the list: two pages in one file.',
    files: { 'data/people.json': '[{"people_id": 2}]\n[{"people_id": 3}]\n' },
    commands: [LOAD],
  },
  {
    name: 'json-not-utf8',
    title: 'A record is not UTF-8.',
    files: {
      'data/people.json': Buffer.from(
        '[{"people_id": 1, "cost_rate": 50}, {"people_id": 2, "name": "Bö"}]\n',
        'latin1',
      ),
    },
    commands: [LOAD],
  },
  {
    name: 'json-second-page-cut-off',
    title: 'The second of two pages is cut off.',
    files: { 'data/people.1.json': [{ people_id: 2 }], 'data/people.2.json': '[{"people_id": 3}, {"peo' },
    commands: [LOAD],
  },
  {
    name: 'ndjson-cut-off',
    title: 'The last line of an NDJSON file is cut off.',
    files: { 'data/people.ndjson': '{"people_id": 2, "name": "Bo"}\n{"people_id": 3, "name":' },
    commands: [LOAD],
  },
  {
    name: 'ndjson-broken-line',
    title: 'A line in the middle of an NDJSON file is broken.',
    files: { 'data/people.ndjson': '{"people_id": 2}\n{"people_id": 3, "name": "Cy}\n{"people_id": 4}\n' },
    commands: [LOAD],
  },
  {
    name: 'ndjson-over-lines',
    title: 'A record of an NDJSON file goes over two lines.',
    files: { 'data/people.ndjson': '{"people_id": 2,\n "name": "Bo"}\n' },
    commands: [LOAD],
  },
  { name: 'csv-blank', title: 'A CSV file is empty.', files: { 'data/people.csv': '\n' }, commands: [LOAD] },
  {
    name: 'csv-column-twice',
    title: 'A CSV file has a column twice.',
    files: { 'data/people.csv': 'people_id,name,name\n2,Bo,Bobby\n' },
    commands: [LOAD],
  },
  {
    name: 'csv-column-twice-in-capitals',
    title: 'A CSV file has a column twice, once in capitals.',
    files: { 'data/people.csv': 'people_id,name,NAME\n2,Bo,Bobby\n' },
    commands: [LOAD],
  },
  {
    name: 'sums-differ',
    title: 'A file is not the one that SHA256SUMS was written of.',
    files: { 'data/SHA256SUMS': `${'0'.repeat(64)}  tasks.json\n` },
    commands: [LOAD],
  },
  {
    name: 'sums-file-missing',
    title: 'SHA256SUMS names a file that is not there.',
    files: { 'data/SHA256SUMS': `${'0'.repeat(64)} *tasks.2.json\n` },
    commands: [LOAD],
  },
  {
    name: 'sums-unreadable',
    title: 'SHA256SUMS holds something else than sums.',
    files: { 'data/SHA256SUMS': '\nMD5 (tasks.json) = 1\n' },
    commands: [LOAD],
  },
  {
    name: 'csv-not-utf8',
    title: 'A CSV file mixes UTF-8 with other bytes.',
    files: { 'data/people.csv': Buffer.from('people_id,name\n2,B\xc3\xb6\n3,Zoë\n', 'latin1') },
    commands: [LOAD],
  },
  {
    name: 'parquet-is-text',
    title: 'A Parquet file is none.',
    files: { 'data/people.parquet': 'people_id,name\n2,Bo\n' },
    commands: [LOAD],
  },
  {
    name: 'settings-currency',
    title: 'The currency does not exist.',
    files: { 'data/settings.json': { currency: 'EURO' } },
    commands: [LOAD],
  },
  {
    name: 'settings-time-zone',
    title: 'The time zone does not exist.',
    files: { 'data/settings.json': { time_zone: 'Mars/Base' } },
    commands: [LOAD],
  },
  {
    name: 'settings-week-start',
    title: 'The week starts on a day that does not exist.',
    files: { 'data/settings.json': { week_starts_on: 9 } },
    commands: [LOAD],
  },
  {
    name: 'settings-fiscal-year',
    title: 'The fiscal year starts in a month that does not exist.',
    files: { 'data/settings.json': { fiscal_year_starts_in: 'April' } },
    commands: [LOAD],
  },
  {
    name: 'settings-work-hours',
    title: 'The week of work hours has six days.',
    files: { 'data/settings.json': { work_days_hours: [8, 8, 8, 8, 8, 0] } },
    commands: [LOAD],
  },
  {
    name: 'settings-twice',
    title: 'The settings are two records.',
    files: { 'data/settings.json': [{ currency: 'EUR' }, { currency: 'USD' }] },
    commands: [LOAD],
  },
  {
    name: 'settings-in-two-files',
    title: 'There are two settings files.',
    files: { 'data/settings.json': { currency: 'EUR' }, 'data/settings.csv': 'currency\nUSD\n' },
    commands: [LOAD],
  },
  {
    name: 'settings-not-object',
    title: 'The settings are no object.',
    files: { 'data/settings.json': ['EUR'] },
    commands: [LOAD],
  },
  {
    name: 'strict-refuses',
    title: 'A strict load finds records and an item that it would have to set aside.',
    files: {
      'data/people.json': [
        { people_id: 2, name: 'Bo', start_date: '2026-02-31' },
        { people_id: 3, name: 'Cy', contracts: [{ effective_date: '2026-01-01', cost_rate: 40 }, { cost_rate: -1 }] },
      ],
      'data/logged_time.json': [{ logged_time_id: 'b', people_id: 3, date: '2026-01-06', hours: 25 }],
    },
    commands: [`${LOAD} --strict`],
  },
  {
    name: 'load-shrinks',
    title: 'A load would lose all records of a resource, all cost rates and the currency; then that is accepted.',
    files: {
      'less/people.csv': 'Name;Cost rate\nAda;50\n',
      'less/projects.json': [{ project_id: 1, name: 'Bridge' }],
      'less/settings.json': { currency: 'EUR' },
    },
    commands: ['load DIR/less', 'load DIR/less --accept-shrink'],
  },
  {
    name: 'load-dry-run',
    title: 'A load is tried before it replaces anything: what it would set aside, change and lose.',
    files: {
      'data/people.json': [
        { people_id: 1, name: 'Ada', people_type_id: 1, cost_rate: 60, contracts: [{ cost_rate: -1 }] },
        { people_id: 2, name: 'Bo', start_date: '13/02/2026' },
      ],
      'data/logged_time.json': [
        { logged_time_id: 'a', project_id: 1, people_id: 1, date: '2026-01-05', hours: 5.5 },
        {
          logged_time_id: 'b',
          project_id: 1,
          people_id: 1,
          date: '2026-01-06',
          hours: 7,
          created: '2026-01-06 17:00:00',
        },
      ],
      'data/projects.json': [
        { project_id: 1, name: 'Bridge', default_hourly_rate: 100, start_date: '2026-01-01', tags: ['x'] },
      ],
      'data/settings.json': { name: 'Studio', fiscal_year_starts_in: 4 },
      'less/tasks.json': [
        { task_id: 2, project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 6 },
      ],
    },
    commands: [
      `${LOAD} --dry-run`,
      `${LOAD} --dry-run --strict`,
      'load DIR/less --dry-run',
      'load DIR/less --dry-run --accept-shrink',
      `${LOAD} --dry-run --database DIR/new.duckdb`,
      `${LOAD} --dry-run --database DIR/data/people.json`,
    ],
  },
  {
    name: 'spreadsheet-of-another-form',
    title: 'A spreadsheet is in a form that cannot be read: beside other files, alone in a folder, and by itself.',
    files: { 'data/old.xls': 'x', 'old/people.xls': 'x' },
    commands: [LOAD, 'load DIR/old', 'load DIR/old/people.xls'],
  },
  {
    name: 'settings-assumed',
    title: 'The settings tell only some of what every number depends on.',
    files: { 'data/settings.json': { currency: 'USD', fiscal_year_starts_in: 4 } },
    commands: [LOAD, `${LOAD} --dry-run`],
  },
  { name: 'strict-loads', title: 'A strict load finds nothing to set aside.', commands: [`${LOAD} --strict`] },
];

testCases(takePart(CASES));
