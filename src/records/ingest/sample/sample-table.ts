import { matchesFile, type RowFilter } from '../mapping/mapping.ts';
import { foldHeader } from '../mapping/nearest-field.ts';
import type { ColumnMeaning, FoundRoles } from './column-meanings.ts';
import type { SampleCell } from './first-rows.ts';
import { isKnownHeader, openHeaders } from './header-words.ts';
import type { Layout } from './layouts.ts';
import { fitsMeaning } from './loose-values.ts';
import type { Sample } from './sample.ts';
import { splitHeaders } from './split-header.ts';
import { type RowChoice, skipTotals } from './total-rows.ts';

export interface SampleTable {
  readonly sample: Sample;
  readonly layout: Layout | undefined;
  readonly choice: RowChoice;
  /** The question about columns whose meaning a relation tells. */
  readonly question: string | undefined;
  /** Returns the first column with a meaning, or one of several. */
  find(...meanings: readonly ColumnMeaning[]): string | undefined;
  findAll(meaning: ColumnMeaning): readonly string[];
  /** Returns the cells of columns that aren't blank, of the rows that are read. */
  cells(...headers: readonly (string | undefined)[]): SampleCell[];
  /** Returns the rows that are read, as texts by column. */
  records(): ((header: string | undefined) => string)[];
}

/** The meanings of columns that hold names. */
const NAMES: ReadonlySet<ColumnMeaning> = new Set(['person', 'client', 'project', 'task']);

const BLANK: SampleCell = { text: '', isNumber: false };

/**
 * Returns the table of a sample.
 * @param layout That of the program that wrote it, if it is known.
 * @param sums Further conditions on the rows that are left out, where the layout has none.
 * @param roles The meanings of columns that a relation tells.
 */
export function openTable(
  sample: Sample,
  layout: Layout | undefined,
  sums: readonly RowFilter[] = [],
  roles?: FoundRoles,
): SampleTable {
  const { headers } = sample;
  const places = new Map(headers.map((header, at) => [header, at] as const).reverse());
  const words = openHeaders(headers);
  const findHeaders = (meaning: ColumnMeaning) =>
    layout
      ? namedHeaders(layout.columns[meaning] ?? [], headers)
      : [...new Set([...words(meaning), ...[roles?.headers.get(meaning) ?? []].flat()])];
  const choice = layout?.rows ?? skipTotals(sample, findHeaders, sums);
  const cellAt = (row: readonly SampleCell[], header: string) => row[places.get(header) ?? -1] ?? BLANK;
  const rows = sample.rows.filter((row) => choice.isRead((header) => cellAt(row, header).text));
  // An activity of 55% names no task.
  const isPercent = (header: string) =>
    /[0-9] ?%$/.test(rows.map((row) => cellAt(row, header).text.trim()).find((text) => text !== '') ?? '');
  const fits = (meaning: ColumnMeaning, header: string) =>
    !(NAMES.has(meaning) && isPercent(header)) &&
    (layout !== undefined ||
      isKnownHeader(header) ||
      roles?.headers.get(meaning) === header ||
      fitsMeaning(meaning, cellsOf(header)));
  const findAll = remember((meaning: ColumnMeaning) => findHeaders(meaning).filter((header) => fits(meaning, header)));
  const cellsOf = remember((header: string) =>
    rows.map((row) => cellAt(row, header)).filter(({ text }) => text.trim() !== ''),
  );
  const records = rows.map(
    (row) => (header: string | undefined) => (header === undefined ? '' : cellAt(row, header).text.trim()),
  );
  return {
    sample,
    layout,
    question: roles?.question,
    choice,
    findAll,
    find(...meanings) {
      for (const meaning of meanings) for (const header of findAll(meaning)) return header;
      return undefined;
    },
    cells: (...wanted) => wanted.flatMap((header) => (header === undefined ? [] : cellsOf(header))),
    records: () => records,
  };
}

/** Returns a function that computes what it finds in each table once. */
export function perTable<Found>(find: (table: SampleTable) => Found): (table: SampleTable) => Found {
  const known = new WeakMap<SampleTable, { readonly found: Found }>();
  return (table) => {
    const { found } = known.get(table) ?? { found: find(table) };
    known.set(table, { found });
    return found;
  };
}

/** Returns the words of each header of a table, without the table's own name. */
export const wordsByHeader = perTable(({ sample }) => splitHeaders(sample.headers));

/** Returns a function that finds what belongs to each key once. */
function remember<Key, Found>(read: (key: Key) => Found[]): (key: Key) => Found[] {
  const known = new Map<Key, Found[]>();
  return (key) => {
    const found = known.get(key) ?? read(key);
    known.set(key, found);
    return found;
  };
}

/** Returns the headers of a file that a layout names; `*` stands for any characters, such as those of a currency. */
export function namedHeaders(names: readonly string[], headers: readonly string[]): string[] {
  return names.flatMap((name) => headers.find((header) => matchesFile(foldHeader(name), foldHeader(header))) ?? []);
}
