import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, expect, test } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { AppError } from '../../src/base/error.ts';
import { digestDefinition, listDefinitions, readDefinition } from '../../src/numbers/report/catalogue/definition.ts';
import { loadCatalogue } from '../../src/numbers/report/catalogue/load-catalogue.ts';

const REPORTS = join(packageDirectory, 'reports');

let folder: string | undefined;
afterEach(() => {
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
});

function copyWith(file: string, change: (text: string) => string): string {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-reports-'));
  cpSync(REPORTS, folder, { recursive: true });
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`Nothing was changed in ${file}`);
  writeFileSync(path, changed);
  return folder;
}

function refusal(directory: string): AppError {
  try {
    loadCatalogue(directory);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('The definitions were accepted');
}

/** Returns the 1-based line of a text in the changed file. */
function lineOf(file: string, text: string): number {
  const lines = readFileSync(join(folder ?? '', file), 'utf8').split('\n');
  return lines.findIndex((line) => line.includes(text)) + 1;
}

test.each(readdirSync(join(REPORTS, 'schema')))('the schema %s is a JSON Schema', (name) => {
  const schema = JSON.parse(readFileSync(join(REPORTS, 'schema', name), 'utf8'));
  expect(new Ajv2020({ strict: false }).validateSchema(schema)).toBe(true);
});

const CATALOGUE = ['columns', 'dimensions', 'insights', 'measures', 'parameters'];

test.each([
  ...listDefinitions(REPORTS).map((file) => [file, 'report']),
  ...CATALOGUE.map((name) => [`catalogue/${name}.yaml`, name]),
  ['workbook.yaml', 'workbook'],
])('the build has %s as it is, for the program that starts with it', (file, schema) => {
  const built = JSON.parse(readFileSync(join(packageDirectory, 'dist', 'definitions.json'), 'utf8'));
  expect(built[digestDefinition(REPORTS, file, schema)]).toEqual(readDefinition(REPORTS, file, schema));
});

const MEASURES = 'catalogue/measures.yaml';
const DIMENSIONS = 'catalogue/dimensions.yaml';
const PARAMETERS = 'catalogue/parameters.yaml';

/** Fault; file; text in it and its replacement; text on the reported line; message. */
const WRONG = [
  [
    'an unknown key in a sheet',
    'workbook.yaml',
    '    label: Months\n',
    '    label: Months\n    colour: red\n',
    'colour',
    /colour/,
  ],
  [
    'an unknown report of a sheet',
    'workbook.yaml',
    'report: changed-lines',
    'report: altered-lines',
    'altered-lines',
    /the report "altered-lines", which doesn't exist/,
  ],
  [
    'an unknown block of Summary',
    'workbook.yaml',
    '    - standings\n',
    '    - standing_projects\n',
    'standing_projects',
    /the block "standing_projects", which doesn't exist/,
  ],
  [
    'a list with a threshold that no rule has',
    'workbook.yaml',
    'above_plan.least_hours and scheduled_to_date_hours = 0',
    'above_plan.least_days and scheduled_to_date_hours = 0',
    'above_plan.least_days',
    /the threshold "above_plan.least_days", which doesn't exist/,
  ],
  [
    'an unknown measure of a list',
    'workbook.yaml',
    'measures: [actual_revenue, actual_profit, actual_margin_percent]',
    'measures: [actual_turnover]',
    'actual_turnover',
    /the measure "actual_turnover", which doesn't exist/,
  ],
  [
    'an unknown measure by which rows are sorted',
    'workbook.yaml',
    'sizes: [actual_revenue',
    'sizes: [actual_turnover',
    'actual_turnover',
    /the measure "actual_turnover", which doesn't exist/,
  ],
  [
    'a threshold in a sentence, behind which there are no lines',
    'catalogue/insights.yaml',
    'of days up to {overdue_to}',
    'of days {least_days} days ago',
    '  missing_time:',
    /rule missing_time says its threshold \{least_days\}/,
  ],
  [
    'an unknown key in a report',
    'projects.yaml',
    'label: Projects',
    'label: Projects\ncolour: red',
    'colour',
    /colour/,
  ],
  [
    'an unknown key in a measure',
    MEASURES,
    '    sum: scheduled.hours\n',
    '    sum: scheduled.hours\n    colour: red\n',
    'colour',
    /colour/,
  ],
  [
    'an unknown key in a dimension',
    DIMENSIONS,
    '    key: client_id',
    '    key: client_id\n    colour: red',
    'colour',
    /colour/,
  ],
  [
    'an unknown key in a parameter',
    PARAMETERS,
    '    default: none',
    '    default: none\n    colour: red',
    'colour',
    /colour/,
  ],
  ['a missing label', 'projects.yaml', 'label: Projects\n', '', 'name: projects', /label/],
  [
    'a value of the wrong type',
    'projects.yaml',
    'label: Projects',
    'label: [Projects]',
    'label:',
    /label must be string/,
  ],
  [
    'an unknown kind of lines',
    'projects.yaml',
    'lines: [scheduled, actual, expense, revenue, invoice, write_off]',
    'lines: [scheduled, guess]',
    'guess',
    /lines\.1 .*scheduled/,
  ],
  [
    'an unknown group of measures',
    'projects.yaml',
    'measures: [hours',
    'measures: [joy',
    'joy',
    /names the measure, or group of measures, "joy", which doesn't exist/,
  ],
  ['an unknown unit', MEASURES, '    unit: hours\n', '    unit: miles\n', 'miles', /unit .*hours/],
  [
    'a measure with two definitions',
    MEASURES,
    '    sum: actual.hours\n',
    '    sum: actual.hours\n    percent: a / b\n',
    'label: Actual hours',
    /actual_hours/,
  ],
  ['an invalid formula', MEASURES, 'sum: scheduled.hours\n', 'sum: scheduled * 2\n', 'scheduled * 2', /sum must match/],
  [
    'an unknown measure in a percentage',
    MEASURES,
    'variance_hours / scheduled_to_date_hours',
    'variance_hours / nothing',
    '  variance_hours_percent:',
    /measure "nothing"/,
  ],
  [
    'unknown lines in a sum',
    MEASURES,
    'sum: scheduled_billable.hours',
    'sum: imagined.hours',
    '  scheduled_billable_hours:',
    /lines "imagined"/,
  ],
  [
    'an unknown amount in a sum',
    MEASURES,
    'sum: scheduled.cost\n',
    'sum: scheduled.price\n',
    '  scheduled_cost:',
    /amount "price"/,
  ],
  ['an unknown dimension', 'projects.yaml', 'rows: [project]', 'rows: [galaxy]', 'galaxy', /dimension "galaxy"/],
  [
    'an unknown attribute',
    'projects.yaml',
    'client: project.client\n',
    'client: project.galaxy\n',
    'galaxy',
    /attribute "project\.galaxy"/,
  ],
  [
    'an attribute of an unknown dimension',
    'projects.yaml',
    'client: project.client\n',
    'client: galaxy.client\n',
    'galaxy',
    /attribute "galaxy\.client"/,
  ],
  ['an unknown parameter', 'projects.yaml', 'parameters: [interval', 'parameters: [wish', 'wish', /parameter "wish"/],
  [
    'an unknown parameter in without',
    'data-quality.yaml',
    'without: [cutoff_date',
    'without: [wish',
    'wish',
    /parameter "wish"/,
  ],
  ['an unknown nested report', 'projects.yaml', 'nested: phases', 'nested: galaxies', 'galaxies', /report "galaxies"/],
  ['an unknown column to sort by', 'projects.yaml', 'sort: [name, project_id]', 'sort: [galaxy]', 'galaxy', /galaxy/],
  ['an unknown column of a table', 'projects.yaml', 'table: [', 'table: [galaxy, ', 'galaxy', /galaxy/],
  ['an unclosed list', 'projects.yaml', 'rows: [project]', 'rows: [project', 'columns:', /./],
  [
    'a tab instead of spaces',
    'projects.yaml',
    '  client: project.client\n',
    '\tclient: project.client\n',
    '\tclient',
    /./,
  ],
  [
    'a repeated key',
    'projects.yaml',
    'label: Projects',
    'label: Projects\nlabel: Ventures',
    'label: Ventures',
    /unique/,
  ],
  ['a report with the name of another one', 'tasks.yaml', 'name: tasks', 'name: phases', 'name: phases', /phases/],
] as const;

test('the shipped definitions are valid', () => {
  const catalogue = loadCatalogue(REPORTS);
  expect([...catalogue.reports.keys()].sort()).toEqual([
    'board',
    'changed-lines',
    'changes',
    'clients',
    'contracts',
    'data-quality',
    'lines',
    'people',
    'phases',
    'pipeline',
    'pivot',
    'projects',
    'retainers',
    'tasks',
    'timesheets',
  ]);
});

test.each(WRONG)('%s is refused, with file and line', (_what, file, text, instead, marked, message) => {
  const error = refusal(copyWith(file, (before) => before.replace(text, instead)));
  expect(error.code).toBe('definition');
  expect(error.message).toMatch(message);
  expect(error.message).toContain(`reports/${file}:${lineOf(file, marked)}: `);
});

test('a report with neither measures nor a list is refused', () => {
  const directory = copyWith('phases.yaml', (text) => text.replace(/^lines: .*\n/m, ''));
  const error = refusal(directory);
  expect(error.code).toBe('definition');
  expect(error.message).toMatch(/^reports\/phases\.yaml:\d+: must either sum lines .* list rows/);
});

test('a report with both measures and a list is refused', () => {
  const directory = copyWith('phases.yaml', (text) => `${text}relation: marts.lines\n`);
  expect(refusal(directory).message).toMatch(/^reports\/phases\.yaml:\d+: must either sum lines .* list rows/);
});

test('a summary report without measures is refused', () => {
  const directory = copyWith('phases.yaml', (text) => text.replace(/^measures: .*\n/m, ''));
  expect(refusal(directory).message).toMatch(/^reports\/phases\.yaml:\d+: .*measures/);
});

test('a list report without columns is refused', () => {
  const directory = copyWith('lines.yaml', (text) => text.replace(/^list:\n(?: {2}.*\n)*/m, ''));
  expect(refusal(directory).message).toMatch(/^reports\/lines\.yaml:\d+: .*list/);
});

test('an empty file is refused', () => {
  expect(refusal(copyWith('phases.yaml', () => '')).message).toMatch(/^reports\/phases\.yaml:1: /);
});

test('the hint names the schema', () => {
  const error = refusal(copyWith('phases.yaml', (text) => `${text}colour: red\n`));
  expect(error.hint).toContain('reports/schema');
});
