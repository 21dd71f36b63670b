import { Exact } from '../../../base/index.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { Column, Unit } from '../catalogue/table.ts';
import type {
  CellDefinition,
  ListChoice,
  ListDefinition,
  OtherWindow,
  SummaryDefinition,
} from '../layout/block-definition.ts';
import type { Selection } from '../request/query.ts';
import { type ReadFact, sayWords, type WordsCurrency } from './block-words.ts';
import { type ChosenRows, chooseListed, type ListRow } from './list-rows.ts';
import { ALL, type ListInputs, OUTLOOK, OWN, openSources } from './list-sources.ts';
import type { ReadBook } from './read-book.ts';

/** A list on Summary, below or beside the one before. */
export interface ListPart {
  readonly isBeside: boolean;
  /** The column of its first cells. */
  readonly at: string | undefined;
  readonly title: string | undefined;
  readonly titles: readonly { readonly at: string; readonly text: string; readonly isOfText: boolean }[];
  readonly lines: readonly (readonly ListCell[])[];
  /** The columns that are colored like budgets. */
  readonly budgets: readonly string[];
}

/** A cell of a list: words, or a number with what it is made of. */
export interface ListCell extends Pick<CellDefinition, 'at' | 'look' | 'ratio' | 'change' | 'counted'> {
  readonly text?: string;
  readonly color?: 'good' | 'bad' | 'warn';
  /** The row of the own sheet that it links to, from 0, and its name. */
  readonly row?: { readonly index: number; readonly label: string };
  readonly number?: string;
  readonly name?: string;
  readonly unit?: Unit;
  /** The direction in which it is favorable. */
  readonly better?: Column['better'];
  /** True for an amount without brackets. */
  readonly isPlain?: boolean;
  /** The rows of a sheet whose sum it is; an empty value is that of blank cells. */
  readonly by?: { readonly sheet: string; readonly column: string; readonly value: string };
  /** The sheets of its window, one of which may have it as the total of that name. */
  readonly totalOf?: readonly string[];
}

/** The sheet whose rows with a value add up to a number. */
interface SumBy {
  readonly sheet: string;
  readonly column: string;
  readonly value: string | null;
}

export interface ListSetting {
  readonly currency: WordsCurrency;
  readonly measures: ReadonlyMap<string, Measure>;
  readonly marks: SummaryDefinition['marks'];
  /** Returns the rows of a sheet that a number is the sum of, if it is. */
  liveSum(name: string, sum: string, by: SumBy): ListCell['by'];
  /** Returns the names of the sheets of all rows in a window. @param window Default: that of the report. */
  sheetsOf(window: OtherWindow | undefined): readonly string[];
}

/** Reads the lists on Summary by their names; those without rows are left out. */
export async function readLists(given: ListInputs, shared: ReadFact): Promise<Record<string, readonly ListPart[]>> {
  const { workbook } = given.plan.main.selection.catalogue;
  const { lists, phrases, marks } = workbook.summary;
  const currency = given.context.company;
  const { measures } = given.plan.main.selection.catalogue;
  const read = openSources(given);
  // Rows that overlap, such as those by tag, don't add up.
  const overlaps = given.plan.main.grouping.dimensions.some((dimension) => dimension.overlaps);
  const summed = new Map<string, readonly ListRow[]>();
  for (const sheet of overlaps ? [OUTLOOK] : [OUTLOOK, OWN])
    summed.set(sheet, (await read({ report: sheet }))?.rows ?? []);
  const setting: ListSetting = {
    currency,
    measures,
    marks,
    liveSum: (name, sum, by) => liveSum(summed.get(by.sheet) ?? [], name, sum, by),
    sheetsOf: (window) =>
      given.book.sheets
        .filter((sheet) => isOfWindow(sheet, window, given.plan.main.selection))
        .map(({ definition }) => definition.name),
  };
  const choose = async (choice: ListChoice): Promise<ChosenRows | undefined> => {
    const table = await read(choice.rows);
    const isComplete = (choice.needs ?? []).every((name) => table?.rows[0]?.has(name));
    return table && isComplete ? await chooseListed(choice, table, shared) : undefined;
  };
  const said = new Map<string, string>();
  for (const [name, phrase] of Object.entries(phrases)) {
    const chosen = await choose(phrase);
    const words = chosen?.listed.flatMap((row) => sayWords(phrase.each, readerOf(row, chosen.facts), currency) ?? []);
    if (!chosen || !words) continue;
    const more = chosen.facts('others') === '0' ? '' : sayWords(phrase.more, chosen.facts, currency);
    said.set(name, words.length === 0 ? phrase.none : words.join(phrase.join) + more);
  }
  const found: [string, readonly ListPart[]][] = [];
  for (const [name, parts] of Object.entries(lists)) {
    const shown: ListPart[] = [];
    for (const part of parts) {
      const chosen = await choose(part);
      const hasPlace = !part.beside || shown.length > 0;
      const listed = chosen && hasPlace ? layList(setting, part, chosen, said) : undefined;
      if (listed) shown.push(listed);
    }
    if (shown.length > 0) found.push([name, shown]);
  }
  return Object.fromEntries(found);
}

function isOfWindow(
  { definition, query }: ReadBook['sheets'][number],
  window: OtherWindow | undefined,
  { startDate, endDate }: Selection,
): boolean {
  if (window !== undefined) return definition.window === window;
  return query.selection.startDate === startDate && query.selection.endDate === endDate;
}

function readerOf(row: ListRow, facts: ReadFact): ReadFact {
  return (name) => (row.has(name) ? (row.get(name) ?? null) : facts(name));
}

/** Returns a list with the rows that were chosen; undefined for one that isn't shown. @param said Phrases that its texts name. */
export function layList(
  setting: ListSetting,
  part: ListDefinition,
  { listed, facts }: ChosenRows,
  said: ReadonlyMap<string, string>,
): ListPart | undefined {
  const { currency } = setting;
  const {
    columns = [],
    lines = [columns],
    lead = [],
    more = [],
    words = {},
    always = false,
    title,
    beside = false,
  } = part;
  const hasMore = lead.length > 0 && facts('rows') !== '0';
  if (listed.length === 0 && !always && !hasMore) return undefined;
  const reader = (row: ListRow): ReadFact => {
    const own = readerOf(row, facts);
    const read: ReadFact = (name) => {
      const named = words[name];
      return named === undefined ? (said.get(name) ?? own(name)) : (sayWords(named, read, currency) ?? null);
    };
    return read;
  };
  const { report, group_by, window } = part.rows;
  const totalOf = group_by === ALL ? setting.sheetsOf(window) : undefined;
  const cellsOf = (cells: readonly CellDefinition[], row: ListRow) =>
    cells.flatMap((cell) => {
      const made = cellOf(setting, report, cell, reader(row));
      return made ? { ...made, ...(totalOf !== undefined && { totalOf }) } : [];
    });
  const whole: ListRow = new Map();
  return {
    isBeside: beside,
    at: lines.flat()[0]?.at,
    title: title && sayWords(title, reader(whole), currency),
    // Without rows, only the title stands.
    titles: (listed.length > 0 ? lines.flat() : []).flatMap(({ at, title: text, number, date, ratio, change }) =>
      text === undefined ? [] : [{ at, text, isOfText: !number && !date && !ratio && !change }],
    ),
    lines: [
      ...(lead.length > 0 ? [cellsOf(lead, whole)] : []),
      ...listed.flatMap((row) => lines.map((cells) => cellsOf(cells, row))),
      ...(more.length > 0 && facts('others') !== '0' ? [cellsOf(more, whole)] : []),
    ],
    budgets: columns.flatMap(({ at, judge }) => (judge === 'budget' ? [at] : [])),
  };
}

/** Returns a cell; undefined if its value is unknown. */
function cellOf(
  { currency, measures, marks, liveSum: sumOf }: ListSetting,
  report: string,
  { at, look, text, mark, counted, number, date, unit_of, sum_by, ratio, change }: CellDefinition,
  read: ReadFact,
): ListCell | undefined {
  if (mark !== undefined) return { at, ...marks[read(mark) ?? ''] };
  if (text !== undefined) {
    const words = sayWords(text, read, currency);
    const [index, label] = [read('index'), read('label')];
    const row = look === 'link' && index !== null ? { row: { index: Number(index), label: label ?? '' } } : {};
    return words === undefined
      ? undefined
      : { at, text: words, ...(look && { look }), ...(counted && { counted }), ...row };
  }
  const day = date === undefined ? null : read(date);
  if (date !== undefined) return day === null ? undefined : { at, number: day, name: date, unit: 'date' };
  if (number === undefined) return { at, ...(ratio && { ratio }), ...(change && { change }) };
  const value = read(number);
  if (value === null) return undefined;
  const measure = measures.get(number);
  const unit = unit_of === undefined ? (measure?.unit ?? 'money') : unitOf(read(unit_of));
  const sheet = report === OUTLOOK ? OUTLOOK : OWN;
  const by = sum_by === undefined ? undefined : sumOf(number, value, { sheet, column: sum_by, value: read(sum_by) });
  return {
    at,
    number: value,
    name: number,
    unit,
    better: measure?.better,
    isPlain: unit_of !== undefined,
    ...(ratio && { ratio }),
    ...(by && { by }),
  };
}

function unitOf(text: string | null): Unit {
  return text === 'hours' ? 'hours' : 'money';
}

/** Returns the rows of a sheet that a number is the sum of; undefined if they add up to another one. @param rows Those of the sheet. */
function liveSum(rows: readonly ListRow[], name: string, sum: string, by: SumBy): ListCell['by'] {
  const { sheet, column, value } = by;
  const has = (wanted: string) => rows[0]?.has(wanted) ?? false;
  if (!has(column) || !has(name)) return undefined;
  const found = rows
    .filter((row) => (row.get(column) ?? null) === value)
    .reduce((total, row) => total.plus(row.get(name) ?? 0), new Exact(0));
  return found.equals(sum) ? { sheet, column, value: value ?? '' } : undefined;
}
