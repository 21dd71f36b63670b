import { dayColumn } from './hours-columns.ts';
import { type MappingEntry, quote } from './mapping-entry.ts';
import { type Naming, namedId, personColumns, personSources, projectColumns } from './naming.ts';
import type { SampleTable } from './sample-table.ts';
import { yesTexts } from './words.ts';

/** The entries that rates in time entries become, and what they can't express. */
export interface RateDescription {
  readonly entries: readonly MappingEntry[];
  readonly comments: readonly string[];
}

/** A rate that a row has, with what it may depend on. */
interface RatedRow {
  readonly person: string;
  readonly project: string;
  readonly day: string;
  readonly rate: string;
}

/**
 * Describes the rates of time entries: one for each person if all agree; by project or by day if that explains every row. A rate of
 * work that isn't billable is no bill rate.
 */
export function describeRates(table: SampleTable, naming: Naming): RateDescription {
  const [cost, bill] = [table.find('cost_rate'), table.find('bill_rate')];
  const results = [
    ...(cost === undefined ? [] : [describeCostRates(table, naming, cost)]),
    ...(bill === undefined ? [] : [describeBillRates(table, naming, bill)]),
  ];
  return { entries: results.flatMap(({ entries }) => entries), comments: results.flatMap(({ comments }) => comments) };
}

function describeCostRates(table: SampleTable, naming: Naming, header: string): RateDescription {
  const rows = ratedRows(table, naming, header, () => true);
  const person = personSources(table, naming)?.id;
  if (rows.length === 0 || person === undefined) return { entries: [], comments: [] };
  const rate = { people_id: person, cost_rate: quote(header) };
  if (!differs(rows, (row) => row.person)) return { entries: [{ resource: 'people', fields: rate }], comments: [] };
  if (differs(rows, (row) => `${row.person}\n${row.day}`))
    return { entries: [], comments: [unexpressed(header, rows)] };
  const fields = { ...rate, effective_date: quote(dayColumn(table)) };
  return { entries: [{ resource: 'contracts', fields }], comments: [] };
}

function describeBillRates(table: SampleTable, naming: Naming, header: string): RateDescription {
  const billable = table.find('billable');
  const yes = yesTexts(table, billable);
  const isBillable = (text: string) => billable === undefined || yes.includes(text);
  const rows = ratedRows(table, naming, header, isBillable);
  const person = personSources(table, naming)?.id;
  if (rows.length === 0 || person === undefined) return { entries: [], comments: [] };
  const where = billable === undefined ? [] : [{ column: billable, texts: yes }];
  if (!differs(rows, (row) => row.person)) {
    const fields = { people_id: person, default_hourly_rate: quote(header) };
    return { entries: [{ resource: 'people', fields, where }], comments: [] };
  }
  if (differs(rows, (row) => `${row.person}\n${row.project}`))
    return { entries: [], comments: [unexpressed(header, rows)] };
  const fields = {
    project_id: namedId(table, projectColumns(table, naming)),
    people_id: person,
    hourly_rate: quote(header),
  };
  return { entries: [{ resource: 'project_team', fields, where }], comments: [] };
}

function ratedRows(
  table: SampleTable,
  naming: Naming,
  header: string,
  isRated: (billable: string) => boolean,
): RatedRow[] {
  const [person, project] = [personColumns(table) ?? [], projectColumns(table, naming) ?? []];
  const [day, billable] = [dayColumn(table), table.find('billable')];
  return table
    .records()
    .filter((record) => record(header) !== '' && isRated(record(billable)))
    .map((record) => ({
      person: [person].flat().map(record).join(' '),
      project: [project].flat().map(record).join(' '),
      day: record(day).slice(0, 10),
      rate: record(header),
    }));
}

/** Tells whether rows of one key have several rates. */
function differs(rows: readonly RatedRow[], keyOf: (row: RatedRow) => string): boolean {
  const rates = new Map<string, string>();
  return rows.some((row) => {
    const known = rates.get(keyOf(row)) ?? row.rate;
    rates.set(keyOf(row), known);
    return known !== row.rate;
  });
}

function unexpressed(header: string, rows: readonly RatedRow[]): string {
  const [first] = rows;
  const person =
    rows.find(({ person, rate }) => person === first?.person && rate !== first.rate)?.person ?? first?.person;
  const rates = [...new Set(rows.filter((row) => row.person === person).map(({ rate }) => rate))];
  return `${header} isn't read: ${person} has the rates ${rates.slice(0, 5).join(', ')}, which no day and no project tells apart. The hours count without a rate.`;
}
