import { Exact } from '../../exact-decimal.ts';
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
export interface ListCell extends Pick<CellDefinition, 'at' | 'look' | 'ratio' | 'counted'> {
  readonly text?: string;
  readonly color?: 'good' | 'bad' | 'warn';
  /** The row of the own sheet that it links to, from 0, and its name. */
  readonly row?: { readonly index: number; readonly label: string };
  readonly number?: string;
  readonly name?: string;
  readonly unit?: Unit;
  /** True for an amount without brackets. */
  readonly isPlain?: boolean;
  /** The rows of the own sheet whose sum it is. */
  readonly by?: { readonly column: string; readonly value: string };
}

/** Reads the lists on Summary by their names; those without rows are left out. */
export async function readLists(given: ListInputs, shared: ReadFact): Promise<Record<string, readonly ListPart[]>> {
  const { workbook } = given.plan.main.selection.catalogue;
  const { lists, phrases } = workbook.summary;
  const currency = given.context.company;
  const read = openSources(given);
  const choose = async (choice: ListChoice): Promise<ChosenRows | undefined> => {
    const table = await read(choice.rows);
    const isComplete = (choice.needs ?? []).every((name) => table?.rows[0]?.has(name));
    return table && isComplete ? chooseListed(choice, table, shared) : undefined;
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
      const listed = chosen && hasPlace ? partOf(given, workbook.summary, part, chosen, said) : undefined;
      if (listed) shown.push(listed);
    }
    if (shown.length > 0) found.push([name, shown]);
  }
  return Object.fromEntries(found);
}

function readerOf(row: ListRow, facts: ReadFact): ReadFact {
  return (name) => (row.has(name) ? (row.get(name) ?? null) : facts(name));
}

function partOf(
  given: ListInputs,
  summary: SummaryDefinition,
  part: ListDefinition,
  { listed, facts }: ChosenRows,
  said: ReadonlyMap<string, string>,
): ListPart | undefined {
  const { company } = given.context;
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
      return named === undefined ? (said.get(name) ?? own(name)) : (sayWords(named, read, company) ?? null);
    };
    return read;
  };
  const cellsOf = (cells: readonly CellDefinition[], row: ListRow) =>
    cells.flatMap((cell) => cellOf(given, summary, cell, reader(row)) ?? []);
  const whole: ListRow = new Map();
  return {
    isBeside: beside,
    title: title && sayWords(title, reader(whole), company),
    titles: lines
      .flat()
      .flatMap(({ at, title: text, number, ratio }) =>
        text === undefined ? [] : [{ at, text, isOfText: !number && !ratio }],
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
  given: ListInputs,
  { marks }: SummaryDefinition,
  { at, look, text, mark, counted, number, unit_of, sum_by, ratio }: CellDefinition,
  read: ReadFact,
): ListCell | undefined {
  const currency: WordsCurrency = given.context.company;
  if (mark !== undefined) return { at, ...marks[read(mark) ?? ''] };
  if (text !== undefined) {
    const words = sayWords(text, read, currency);
    const [index, label] = [read('index'), read('label')];
    const row = look === 'link' && index !== null ? { row: { index: Number(index), label: label ?? '' } } : {};
    return words === undefined
      ? undefined
      : { at, text: words, ...(look && { look }), ...(counted && { counted }), ...row };
  }
  if (number === undefined) return { at, ...(ratio && { ratio }) };
  const value = read(number);
  if (value === null) return undefined;
  const unit =
    unit_of === undefined
      ? (given.plan.main.selection.catalogue.measures.get(number)?.unit ?? 'money')
      : unitOf(read(unit_of));
  const by = sum_by === undefined ? undefined : liveSum(given, number, value, { column: sum_by, value: read(sum_by) });
  return {
    at,
    number: value,
    name: number,
    unit,
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
