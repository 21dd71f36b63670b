import { Exact } from '../../exact-decimal.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { Column, Unit } from '../catalogue/table.ts';
import type { CellDefinition, ListChoice, ListDefinition, SummaryDefinition } from '../layout/block-definition.ts';
import { type ReadFact, sayWords, type WordsCurrency } from './block-words.ts';
import { type ChosenRows, chooseListed, type ListRow } from './list-rows.ts';
import { type ListInputs, openSources } from './list-sources.ts';

/** A list on Summary, below or beside the one before. */
export interface ListPart {
  readonly isBeside: boolean;
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
  /** The rows of the own sheet whose sum it is. */
  readonly by?: { readonly column: string; readonly value: string };
}

export interface ListSetting {
  readonly currency: WordsCurrency;
  readonly measures: ReadonlyMap<string, Measure>;
  readonly marks: SummaryDefinition['marks'];
  /** Returns the rows of the own sheet that a number is the sum of, if it is. */
  liveSum(name: string, sum: string, by: { readonly column: string; readonly value: string | null }): ListCell['by'];
}

/** Reads the lists on Summary by their names; those without rows are left out. */
export async function readLists(given: ListInputs, shared: ReadFact): Promise<Record<string, readonly ListPart[]>> {
  const { workbook } = given.plan.main.selection.catalogue;
  const { lists, phrases, marks } = workbook.summary;
  const currency = given.context.company;
  const { measures } = given.plan.main.selection.catalogue;
  const setting: ListSetting = { currency, measures, marks, liveSum: (...of) => liveSum(given, ...of) };
  const read = openSources(given);
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
  const cellsOf = (cells: readonly CellDefinition[], row: ListRow) =>
    cells.flatMap((cell) => cellOf(setting, cell, reader(row)) ?? []);
  const whole: ListRow = new Map();
  return {
    isBeside: beside,
    title: title && sayWords(title, reader(whole), currency),
    titles: lines
      .flat()
      .flatMap(({ at, title: text, number, date, ratio, change }) =>
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
  const by = sum_by === undefined ? undefined : sumOf(number, value, { column: sum_by, value: read(sum_by) });
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

/** Returns the rows of the own sheet that a number is the sum of; undefined if they add up to another one. */
function liveSum(
  { book, plan }: ListInputs,
  name: string,
  sum: string,
  { column, value }: { readonly column: string; readonly value: string | null },
): ListCell['by'] {
  const placeOf = (wanted: string) => book.own.table.columns.findIndex((each: Column) => each.name === wanted);
  const [key, amount] = [placeOf(column), placeOf(name)];
  const overlaps = plan.main.grouping.dimensions.some((dimension) => dimension.overlaps);
  if (value === null || key < 0 || amount < 0 || overlaps) return undefined;
  const own = book.own.rows.filter((row) => String(row[key] ?? '') === value);
  const found = own.reduce((total, row) => total.plus(String(row[amount] ?? 0)), new Exact(0));
  return found.equals(sum) ? { column, value } : undefined;
}
