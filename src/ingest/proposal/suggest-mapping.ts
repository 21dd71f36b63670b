import { basename, dirname, join } from 'node:path';
import { AppError } from '../../error.ts';
import { formatForeign } from '../../foreign-text.ts';
import { assertRegularFile } from '../../regular-file.ts';
import type { Resource } from '../../resource/resource.ts';
import { identityMapping, unnamedFile } from '../mapping/mapping.ts';
import { isHeaderRow } from '../mapping/row-columns.ts';
import { matchResource, matchSheet } from '../reading/file-names.ts';
import { isWorkbook, readEntries } from '../reading/files.ts';
import { openSheets } from '../reading/sheets.ts';
import { readFirstLines, readFirstRows } from './first-rows.ts';
import { guessNotation } from './guess-notation.ts';
import { type FindHeader, findHeaderRow, openHeaders } from './header-words.ts';

/** A file, or a sheet, with its headers and the rows below them. */
interface Sample {
  readonly file: string;
  readonly sheet: string | undefined;
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * Writes a first mapping from the headers and the first rows of the files in a directory, or of a workbook.
 * It is a proposal: what it can't tell, such as 02/03/2026, is said in a comment.
 * @throws AppError input if there is no CSV file and no workbook.
 */
export async function suggestMapping(directory: string, resources: readonly Resource[]): Promise<string> {
  const samples = await readSamples(directory);
  if (samples.length === 0)
    throw new AppError('input', `${directory} has no CSV file and no workbook`, {
      hint: 'Only those need a mapping: JSON and Parquet files name their fields themselves.',
    });
  const named = samples.filter((sample) => isUnderstood(sample, resources));
  const others = samples.filter((sample) => !named.includes(sample));
  const entries = others.map((sample) => {
    const resource = resembled(sample, resources);
    return resource ? entry(sample, resource.name) : describeSample(sample);
  });
  return [
    '# The mapping of the files beside it, proposed by plumbline load --suggest-mapping. Review each line.',
    '# docs/own-data.md explains it, and docs/mapping.schema.json describes it to editors.',
    ...guessNotation(samples.map(({ headers, rows }) => ({ headers, rows }))),
    '',
    '# Further words for yes, no and codes, such as:',
    '# words: {ja: true, nein: false, Freelancer: contractor}',
    '',
    ...named.map((sample) => `# ${titleOf(sample)} needs no mapping: its headers name the fields.`),
    'files:',
    ...(entries.flat().some((line) => line.startsWith('  - ')) ? entries.flat() : ['  []', ...entries.flat()]),
    '',
  ].join('\n');
}

async function readSamples(directory: string): Promise<Sample[]> {
  const isBook = await isWorkbook(directory);
  const folder = isBook ? dirname(directory) : directory;
  const names = isBook ? [basename(directory)] : (await readEntries(folder)).sort();
  const samples: Sample[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const [isCsv, isSheets] = [/\.(csv|tsv)$/i.test(name), /^(?!~\$).*\.xlsx$/i.test(name)];
    if (isCsv || isSheets) await assertRegularFile(path);
    if (isCsv) samples.push(sampleOf(name, undefined, await readFirstLines(path, findHeaderRow)));
    if (!isSheets) continue;
    for (const sheet of await openSheets(path)) samples.push(sampleOf(name, sheet.name, await readFirstRows(sheet)));
  }
  return samples.filter(({ headers }) => headers.length > 0);
}

function sampleOf(file: string, sheet: string | undefined, rows: readonly (readonly string[])[]): Sample {
  const at = findHeaderRow(rows);
  return { file, sheet, headers: rows[at] ?? [], rows: rows.slice(at + 1) };
}

/** Tells whether a load takes a file for one of a resource, by its name, and finds the fields as headers. */
function isUnderstood(sample: Sample, resources: readonly Resource[]): boolean {
  const { file, sheet } = sample;
  const resource = sheet === undefined ? matchResource(file, resources) : matchSheet(sheet, resources);
  return resource !== undefined && namesFields(sample, resource);
}

/** Returns the resource that a file is almost named after, with its fields as headers: logged time.csv, people.tsv. */
function resembled(sample: Sample, resources: readonly Resource[]): Resource | undefined {
  const stem = (sample.sheet ?? sample.file).toLowerCase().replaceAll(/[- ]/g, '_').split('.')[0];
  return resources.find((resource) => resource.name === stem && namesFields(sample, resource));
}

function namesFields({ file, headers }: Sample, resource: Resource): boolean {
  return isHeaderRow(unnamedFile(identityMapping(), file, resource), headers);
}

function describeSample(sample: Sample): string[] {
  const { headers } = sample;
  const column = openHeaders(headers);
  const [first, last] = [column('first_name'), column('last_name')];
  const person = column('person') ?? (first && last ? [first, last] : undefined) ?? column('name');
  const project = column('project');
  const hours = column('hours') ?? column('clock_hours');
  if (column('date') && hours && person) return describeTime(sample, person, project, hours);
  if (person && !project) return entry(sample, 'people', describePerson(person, column));
  if (project ?? column('budget'))
    return entry(sample, 'projects', describeProject(project ?? column('name') ?? '', column));
  return [
    `  # ${titleOf(sample)} isn't understood. Its columns are ${headers.map((header) => formatForeign(header)).join(', ')}.`,
  ];
}

/** Describes an export of time entries, which holds people, clients, projects and tasks by their names, too. */
function describeTime(sample: Sample, person: Columns, project: string | undefined, hours: string): string[] {
  const column = openHeaders(sample.headers);
  const [client, task] = [column('client'), column('task')];
  const projectName = project === undefined ? undefined : client === undefined ? project : [client, project];
  const taskName = task === undefined || projectName === undefined ? undefined : [...[projectName].flat(), task];
  return [
    ...entry(sample, 'people', describePerson(person, column)),
    ...(client === undefined ? [] : entry(sample, 'clients', { client_id: nameOf(client), name: quote(client) })),
    ...(project === undefined ? [] : entry(sample, 'projects', describeProject(project, column))),
    ...(taskName === undefined || projectName === undefined
      ? []
      : entry(sample, 'project_tasks', {
          task_meta_id: nameOf(taskName),
          project_id: nameOf(projectName),
          task_name: quote(task),
        })),
    ...entry(sample, 'logged_time', {
      logged_time_id: '{row: true}',
      people_id: nameOf(person),
      project_id: projectName && nameOf(projectName),
      task_meta_id: taskName && nameOf(taskName),
      date: quote(column('date')),
      hours: quote(hours),
      billable: quote(column('billable')),
      notes: quote(column('notes')),
    }),
  ];
}

type Columns = string | readonly string[];

function describePerson(person: Columns, column: FindHeader): FieldTexts {
  return {
    people_id: nameOf(person),
    name: formatColumns(person),
    email: quote(column('email')),
    job_title: quote(column('job_title')),
    people_type_id: quote(column('type')),
    cost_rate: quote(column('cost_rate')),
    default_hourly_rate: quote(column('bill_rate')),
  };
}

function describeProject(project: string, column: FindHeader): FieldTexts {
  const client = column('client');
  return {
    project_id: nameOf(client === undefined ? project : [client, project]),
    name: quote(project),
    project_code: quote(column('project_code')),
    client_id: client && nameOf(client),
    budget_total: quote(column('budget')),
  };
}

/** The YAML of fields; undefined for one without a column. */
type FieldTexts = Readonly<Record<string, string | undefined>>;

/** @param fields Left out if the headers name the fields. */
function entry({ file, sheet }: Sample, resource: string, fields?: FieldTexts): string[] {
  return [
    `  - file: ${quote(file)}`,
    ...(sheet === undefined ? [] : [`    sheet: ${quote(sheet)}`]),
    `    resource: ${resource}`,
    ...(fields ? ['    fields:'] : []),
    ...Object.entries(fields ?? {}).flatMap(([field, text]) => (text === undefined ? [] : [`      ${field}: ${text}`])),
  ];
}

function nameOf(columns: Columns): string {
  return `{name: ${formatColumns(columns)}}`;
}

function formatColumns(columns: Columns): string {
  return typeof columns === 'string'
    ? JSON.stringify(columns)
    : `[${columns.map((each) => JSON.stringify(each)).join(', ')}]`;
}

/** Formats a text for YAML, of which JSON is a part. */
function quote<T extends string | undefined>(text: T): T extends string ? string : string | undefined {
  return (text === undefined ? undefined : JSON.stringify(text)) as T extends string ? string : string | undefined;
}

function titleOf({ file, sheet }: Sample): string {
  return formatForeign(sheet === undefined ? file : `${file}, sheet ${sheet}`);
}
