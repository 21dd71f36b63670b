import { formatForeign } from '../../../base/index.ts';
import { areDays, type DayForm, findDayForm } from '../sample/day-forms.ts';
import type { ExportLayout, TableKind } from '../sample/layouts.ts';
import { spokenMeanings } from '../sample/loose-words.ts';
import { findCurrencies, findNumberForm, type NumberForm } from '../sample/number-forms.ts';
import { type Sample, titleOf } from '../sample/sample.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { headerWords } from '../sample/split-header.ts';
import { timeClass } from '../sample/time-words.ts';
import { describeInvoices, invoiceCells } from './describe-invoices.ts';
import { describeMatrix } from './describe-matrix.ts';
import {
  type Description,
  describeClients,
  describeContracts,
  describeHolidays,
  describePeopleList,
  describeProjects,
  describeTasks,
  describeTeam,
} from './describe-records.ts';
import { describeExpenses, describePlan, describeTime, describeTimeOff } from './describe-work.ts';
import { dayColumn, findHours } from './hours-columns.ts';
import { areSpans, intervalColumns } from './interval-columns.ts';
import { askCents, linkEntries } from './linked-tables.ts';
import { type FileLines, formatEntry, type MappingEntry, quote } from './mapping-entry.ts';
import { findMatrix, monthHeaders } from './matrix.ts';
import { type Naming, personColumns } from './naming.ts';
import { findStatedHours, saysHours } from './stated-hours.ts';
import { tableKindOf, unreadHours } from './table-kind.ts';

const DESCRIBE: Readonly<Record<TableKind, (table: SampleTable, naming: Naming) => Description>> = {
  time: describeTime,
  plan: describePlan,
  'time off': describeTimeOff,
  expenses: describeExpenses,
  invoices: describeInvoices,
  projects: describeProjects,
  people: describePeopleList,
  contracts: describeContracts,
  team: describeTeam,
  clients: describeClients,
  tasks: describeTasks,
  holidays: describeHolidays,
};

/** The columns with numbers. */
const [AMOUNTS, HOURS] = [
  ['cost_rate', 'bill_rate', 'budget', 'amount', 'own_fees', 'own_cost'],
  ['hours', 'day_hours', 'total_hours', 'billable_time', 'other_time', 'breaks'],
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
  if (kind === 'time' && areSpans(table)) return describeSpans(table, file);
  // Beside linked files, a list that none of them names is one of other things: an organization is no person.
  const links = layout ? undefined : naming.links.get(sample);
  const describe = DESCRIBE[kind ?? 'time'];
  if (describe === describePeopleList && naming.links.size > 0 && !links)
    return [`  # ${titleOf(sample)} isn't taken: no other file names its rows.`];
  const description = matrix ? describeMatrix(table, matrix, naming) : describe(table, naming);
  const { open: decisions = [], comments = [] } = description;
  const entries = links ? linkEntries(description.entries, links) : description.entries;
  const { lines, open: formDecision } = kind === 'invoices' ? notationOfInvoices(table) : notationOf(table);
  const open = [...decisions, links && askCents(table), formDecision].filter((each) => each !== undefined).join('; ');
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
      formatEntry(common, withHeader(table, entry), index === entries.length - 1 && open !== '' ? open : undefined),
    ),
  ];
}

/** Returns an entry that names a column if lines stand above the headers: by its columns the headers are found. */
function withHeader(table: SampleTable, entry: MappingEntry): MappingEntry {
  const isConstant = Object.values(entry.fields ?? {}).every((source) =>
    /^\{(?:named|value): /.test(source ?? '{value: '),
  );
  const rows = [...table.choice.where, ...table.choice.skip, ...table.choice.total, ...(entry.skip ?? [])];
  if (!isConstant || rows.length > 0 || table.sample.above.length === 0) return entry;
  const column = dayColumn(table) ?? table.sample.headers.find((header) => table.cells(header).length > 0);
  return column === undefined ? entry : { ...entry, skip: [{ column, texts: [''] }] };
}

/** Describes a file whose rows are sums of several days. */
function describeSpans(table: SampleTable, file: string): string[] {
  const [from, to] = (intervalColumns(table) ?? []).map((columns) => formatForeign([columns].flat()[0] ?? ''));
  const sentence = `has sums of several days: its rows are from ${from} to ${to} days later. Export single entries with their days, or remove this entry`;
  return refusal(file, table.sample, `${titleOf(table.sample)} ${sentence}`);
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
  const months = monthHeaders(sample.headers);
  if (months.length > 0)
    return refuse(`has columns that are months, such as ${months[0]}: export single entries with their days`);
  if (stated)
    return refuse(
      `has hours, and no column ${nearestDay(table)}with the day of each: export single entries with their days`,
    );
  const columns = sample.headers.filter((header) => header !== '').map((header) => formatForeign(header));
  const isWork = table.find('person', 'first_name', 'date') !== undefined;
  const hours = unreadHours(table) ?? (isWork ? sample.headers.find(saysHours) : undefined);
  const parts = sample.headers.filter((header) => timeClass(header) === 'part').map((header) => formatForeign(header));
  if (isWork && parts.length > 1)
    return refuse(`has hours in parts, ${parts.join(' and ')}: add a column Total Hours with the sum of them`);
  if (hours !== undefined)
    return refuse(`has hours that aren't understood, in ${formatForeign(hours)}: write the fields of this entry`);
  if (personColumns(table) !== undefined && sample.headers.some((header) => areDays(table.cells(header))))
    return refuse(
      `has people and days, and no hours, amounts or rates that are understood, in ${columns.join(', ')}: call the column of hours Hours`,
    );
  return [
    `  # ${title} isn't taken: no hours, amounts or rates are understood in it. Its columns are ${columns.join(', ')}.`,
  ];
}

/** Returns the words for a column that speaks of days and has none, so that nobody looks for a missing one. */
function nearestDay(table: SampleTable): string {
  const [near] = table.sample.headers.filter((header) => spokenMeanings(headerWords(header)).includes('date'));
  const [cell] = table.cells(near);
  return near === undefined || cell === undefined ? '' : `(${formatForeign(near)} has ${formatForeign(cell.text)}) `;
}

function refusal(file: string, { sheet }: Sample, sentence: string): string[] {
  return [
    `  - file: ${quote(file)}`,
    ...(sheet === undefined ? [] : [`    sheet: ${quote(sheet)}`]),
    `    open: ${quote(sentence)}`,
  ];
}

/** The lines that say how the values of a file are written, and what a person has to decide. */
interface TableForm {
  readonly lines: readonly string[];
  readonly open: string | undefined;
}

/** Returns how the values of a file are written. */
function notationOf(table: SampleTable): TableForm {
  const { sample } = table;
  const spans = [...table.findAll('start_date'), ...table.findAll('end_date')];
  const days = [...new Set([...table.findAll('date'), ...[dayColumn(table) ?? []].flat(), ...spans])];
  const moments = (intervalColumns(table) ?? []).flat();
  const used = [...new Set([...days, ...moments])].map((header) => table.cells(header));
  // Rows of other kinds tell the order of days, too.
  const readOthers = () => withDays(sample.rows.flat());
  const dates = findDayForm(used.map(withDays), readOthers);
  const amounts = table.cells(...AMOUNTS.flatMap(table.findAll));
  const breaks = sample.headers.filter((header) => timeClass(header) === 'break');
  const stated = findStatedHours(table).map(({ header }) => header);
  const hours = new Set([...HOURS.flatMap(table.findAll), ...stated, ...breaks]);
  const numbers = findNumberForm([...amounts, ...table.cells(...hours)]);
  return formatNotation(dates, numbers, findCurrencies(amounts, table.cells(table.find('currency'))));
}

/** Returns the same of invoices: their quantities and percentages tell nothing about amounts. */
function notationOfInvoices(table: SampleTable): TableForm {
  const { days, amounts, currencies } = invoiceCells(table);
  const cells = days.map((header) => table.cells(header));
  const dates = findDayForm(cells.map(withDays), () => withDays(table.sample.rows.flat()));
  return formatNotation(dates, findNumberForm(amounts), findCurrencies(amounts, currencies));
}

function formatNotation(dates: DayForm, numbers: NumberForm, money: string | undefined): TableForm {
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
      /^[0-9]{5}$|^[0-9]{8}|^1[0-9]{9}(?:[0-9]{3})?$|[0-9]{1,4}[-/. ,]+(?:\p{L}+[0-9]*|[0-9]+)[-/. ,]+[0-9]{2,4}|\p{L}{3,}/u.test(
        text,
      ) && /[0-9]/.test(text),
  );
}
