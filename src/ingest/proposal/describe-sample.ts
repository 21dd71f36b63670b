import { formatForeign } from '../../foreign-text.ts';
import { areDays, findDayForm } from './day-forms.ts';
import { describeMatrix } from './describe-matrix.ts';
import {
  type Description,
  describeClients,
  describeContracts,
  describeHolidays,
  describePeopleList,
  describeProjects,
  describeTasks,
} from './describe-records.ts';
import { describeExpenses, describePlan, describeTime, describeTimeOff } from './describe-work.ts';
import { findHours } from './hours-columns.ts';
import { intervalColumns } from './interval-columns.ts';
import type { ExportLayout, TableKind } from './layouts.ts';
import { type FileLines, formatEntry, quote } from './mapping-entry.ts';
import { findMatrix } from './matrix.ts';
import type { Naming } from './naming.ts';
import { findCurrencies, findNumberForm } from './number-forms.ts';
import { type Sample, titleOf } from './sample.ts';
import type { SampleTable } from './sample-table.ts';
import { saysHours } from './stated-hours.ts';
import { tableKindOf, unreadHours } from './table-kind.ts';

const DESCRIBE: Readonly<Record<TableKind, (table: SampleTable, naming: Naming) => Description>> = {
  time: describeTime,
  plan: describePlan,
  'time off': describeTimeOff,
  expenses: describeExpenses,
  projects: describeProjects,
  people: describePeopleList,
  contracts: describeContracts,
  clients: describeClients,
  tasks: describeTasks,
  holidays: describeHolidays,
};

/** The columns with numbers. */
const [AMOUNTS, HOURS] = [
  ['cost_rate', 'bill_rate', 'budget', 'amount', 'own_fees', 'own_cost'],
  ['hours', 'day_hours', 'total_hours'],
] as const;

/**
 * Describes a file as lines of a mapping: an entry for each resource, or a comment on why there is none.
 * @param file Its name, or a pattern of the names of its like.
 */
export function describeSample(
  sample: Sample,
  file: string,
  layout: ExportLayout | undefined,
  tables: readonly SampleTable[],
  naming: Naming,
): string[] {
  if (layout?.refuse !== undefined) return refusal(file, sample, `${titleOf(sample)}: ${layout.refuse}`);
  return tables.flatMap((table) => describeTable(table, file, naming));
}

function describeTable(table: SampleTable, file: string, naming: Naming): string[] {
  const { sample, layout } = table;
  const matrix = layout ? undefined : findMatrix(table);
  const kind = layout?.kind ?? tableKindOf(table);
  if (kind === undefined && !matrix) return describeUnknown(table, file);
  const description = matrix ? describeMatrix(table, matrix, naming) : DESCRIBE[kind ?? 'time'](table, naming);
  const { entries, open: decision, comments = [] } = description;
  const { lines, open: formDecision } = notationOf(table);
  const open = [decision, formDecision].filter((each) => each !== undefined).join('; ');
  const common: FileLines = {
    file,
    sheet: sample.sheet,
    where: table.choice.where,
    skip: table.choice.skip,
    total: table.choice.total,
    notation: lines,
  };
  return [
    ...comments.map((comment) => `  # ${formatForeign(comment)}`),
    ...entries.flatMap((entry, index) =>
      formatEntry(common, entry, index === entries.length - 1 && open !== '' ? open : undefined),
    ),
  ];
}

/** Describes a file that isn't understood; one with hours must not be left out without a word. */
function describeUnknown(table: SampleTable, file: string): string[] {
  const { sample } = table;
  const title = titleOf(sample);
  const refuse = (sentence: string) => refusal(file, sample, `${title} ${sentence}, or remove this entry`);
  const stated = findHours(table) !== undefined;
  const [day] = table.findAll('date');
  const other = table.cells(day).find((cell) => !areDays([cell]));
  if (stated && day !== undefined && table.cells(day).length > 0) {
    const fault = other
      ? `texts that are no days, such as ${formatForeign(other.text)}: remove those rows, or export single entries with their days`
      : 'days in several forms: write them alike';
    return refuse(`has hours, and in its column ${formatForeign(day)} ${fault}`);
  }
  if (stated) return refuse('has hours, and no column with the day of each: export single entries with their days');
  const columns = sample.headers.filter((header) => header !== '').map((header) => formatForeign(header));
  const isWork = table.find('person', 'first_name', 'date') !== undefined;
  const hours = unreadHours(table) ?? (isWork ? sample.headers.find(saysHours) : undefined);
  if (hours !== undefined)
    return refuse(`has hours that aren't understood, in ${formatForeign(hours)}: write the fields of this entry`);
  return [`  # ${title} isn't understood. Its columns are ${columns.join(', ')}.`];
}

function refusal(file: string, { sheet }: Sample, sentence: string): string[] {
  return [
    `  - file: ${quote(file)}`,
    ...(sheet === undefined ? [] : [`    sheet: ${quote(sheet)}`]),
    `    open: ${quote(sentence)}`,
  ];
}

/** Returns the lines that say how the values of a file are written, and what a person has to decide. */
function notationOf(table: SampleTable): { readonly lines: readonly string[]; readonly open: string | undefined } {
  const days = [...new Set([...table.findAll('date'), ...table.findAll('start_date'), ...table.findAll('end_date')])];
  const moments = (intervalColumns(table) ?? []).flat();
  const used = [...new Set([...days, ...moments])].map((header) => table.cells(header));
  // Rows of other kinds tell the order of days, too.
  const readOthers = () => withDays(table.sample.rows.flat());
  const dates = findDayForm(used.map(withDays), readOthers);
  const amounts = table.cells(...AMOUNTS.flatMap(table.findAll));
  const numbers = findNumberForm([...amounts, ...table.cells(...HOURS.flatMap(table.findAll))]);
  const money = amounts.length === 0 ? undefined : findCurrencies(amounts, table.cells(table.find('currency')));
  const open = [dates.open, numbers.open, money].filter((each) => each !== undefined);
  return {
    lines: [
      ...(dates.dates === undefined ? [] : [`dates: ${quote(dates.dates)}`]),
      ...(numbers.decimal === undefined ? [] : [`decimal: ${numbers.decimal}`]),
    ],
    open: open.length === 0 ? undefined : open.join('; '),
  };
}

/** Returns the cells that are texts with at least three parts, as days have them. */
function withDays(cells: ReturnType<SampleTable['cells']>): ReturnType<SampleTable['cells']> {
  return cells.filter(
    ({ text }) =>
      /[0-9]{1,4}[-/. ,]+(?:\p{L}+[0-9]*|[0-9]+)[-/. ,]+[0-9]{2,4}|\p{L}{3,}/u.test(text) && /[0-9]/.test(text),
  );
}
