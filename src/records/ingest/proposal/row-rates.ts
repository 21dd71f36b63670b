import { plainMoney } from '../mapping/decimal-text.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { headerWords } from '../sample/split-header.ts';
import { dayColumn } from './hours-columns.ts';
import { type MappingEntry, quote } from './mapping-entry.ts';
import { type Naming, namedId, personColumns, personSources, projectColumns } from './naming.ts';
import { yesTexts } from './words.ts';

/** The most rates of a column that a sentence names. Unit: rates. */
const MAX_NAMED_RATES = 5;

const [BILLED, PAY, PAID_OR_COST] = [
  /^(?:bill\p{L}*|charge\p{L}*|client|sales|verkauf\p{L}*)$/u,
  /^(?:pay|payroll|wages?|earnings|salary|lohn|gehalt|tips)$/,
  /^(?:pay|payroll|wages?|earnings|salar\p{L}*|salaire\p{L}*|sueldo|loon|lön|timlön|paga|stipend\p{L}*|\p{L}*lohn|gehalt\p{L}*|palkka|maaş|bér|cost\p{L}*|coût\p{L}*|custo\p{L}*|kost\p{L}*|självkostnad|tips)$/u,
];

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
  const own = table.find('bill_rate');
  // A rate beside the pay of a person is what the company pays.
  const isPay = own !== undefined && !table.layout && isPayRate(table, own);
  const [cost, bill] = [table.find('cost_rate') ?? (isPay ? own : undefined), isPay ? undefined : own];
  const results = [
    ...(cost === undefined ? [] : [withoutTexts(describeCostRates(table, naming, cost), table, cost)]),
    ...(bill === undefined ? [] : [withoutTexts(describeBillRates(table, naming, bill), table, bill)]),
  ];
  return { entries: results.flatMap(({ entries }) => entries), comments: results.flatMap(({ comments }) => comments) };
}

/** Tells whether a rate is that of somebody's pay, by its words or by those of an amount beside it. */
function isPayRate(table: SampleTable, header: string): boolean {
  const words = headerWords(header);
  if (words.some((word) => BILLED.test(word))) return false;
  const isPaid = table.sample.headers.some((each) => headerWords(each).some((word) => PAY.test(word)));
  return words.some((word) => PAID_OR_COST.test(word)) || (isPaid && personColumns(table) !== undefined);
}

/** Leaves out the rows whose rate is a text, and says so: it would set the whole person aside. */
function withoutTexts({ entries, comments }: RateDescription, table: SampleTable, header: string): RateDescription {
  const texts = [...new Set(table.cells(header).map(({ text }) => text.trim()))].filter((text) => !isAmount(text));
  if (texts.length === 0 || entries.length === 0) return { entries, comments };
  const note = `${header} has ${texts.slice(0, MAX_NAMED_RATES).join(', ')}, which is no rate: these hours count without a rate.`;
  if (texts.length > MAX_NAMED_RATES) return { entries: [], comments: [...comments, note] };
  const skip = [{ column: header, texts }];
  return { entries: entries.map((entry) => ({ ...entry, skip })), comments: [...comments, note] };
}

function isAmount(text: string): boolean {
  return plainMoney(text, 'point') !== undefined || plainMoney(text, 'comma') !== undefined;
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
    .filter((record) => isAmount(record(header)) && isRated(record(billable)))
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
  return `${header} isn't read: ${person} has the rates ${rates.slice(0, MAX_NAMED_RATES).join(', ')}, which no day and no project tells apart. The hours count without a rate.`;
}
