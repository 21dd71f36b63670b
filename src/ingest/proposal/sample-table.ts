import { matchesFile, type RowFilter } from '../mapping/mapping.ts';
import { foldHeader } from '../mapping/nearest-field.ts';
import type { SampleCell } from './first-rows.ts';
import { type ColumnMeaning, openHeaders } from './header-words.ts';
import type { Layout } from './layouts.ts';
import type { Sample } from './sample.ts';
import { type RowChoice, skipTotals } from './total-rows.ts';

export interface SampleTable {
  readonly sample: Sample;
  readonly layout: Layout | undefined;
  readonly choice: RowChoice;
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
 */
export function openTable(sample: Sample, layout: Layout | undefined, sums: readonly RowFilter[] = []): SampleTable {
  const { headers } = sample;
  const places = new Map(headers.map((header, at) => [header, at] as const).reverse());
  const words = openHeaders(headers);
  const findHeaders = (meaning: ColumnMeaning) =>
    layout ? namedHeaders(layout.columns[meaning] ?? [], headers) : words(meaning);
  const choice = layout?.rows ?? skipTotals(sample, findHeaders, sums);
  const cellAt = (row: readonly SampleCell[], header: string) => row[places.get(header) ?? -1] ?? BLANK;
  const rows = sample.rows.filter((row) => choice.isRead((header) => cellAt(row, header).text));
  // An activity of 55% names no task.
  const isPercent = (header: string) =>
    /[0-9] ?%$/.test(rows.map((row) => cellAt(row, header).text.trim()).find((text) => text !== '') ?? '');
  const findAll = (meaning: ColumnMeaning) =>
    NAMES.has(meaning) ? findHeaders(meaning).filter((header) => !isPercent(header)) : findHeaders(meaning);
  const cellsOf = remember((header: string) =>
    rows.map((row) => cellAt(row, header)).filter(({ text }) => text.trim() !== ''),
  );
  return {
    sample,
    layout,
    choice,
    findAll,
    find(...meanings) {
      for (const meaning of meanings) for (const header of findAll(meaning)) return header;
      return undefined;
    },
    cells: (...wanted) => wanted.flatMap((header) => (header === undefined ? [] : cellsOf(header))),
    records: () => rows.map((row) => (header) => (header === undefined ? '' : cellAt(row, header).text.trim())),
  };
}

/** Returns a function that computes the cells of each column once. */
function remember(read: (header: string) => SampleCell[]): (header: string) => SampleCell[] {
  const known = new Map<string, SampleCell[]>();
  return (header) => {
    const cells = known.get(header) ?? read(header);
    known.set(header, cells);
    return cells;
  };
}

/** Returns the headers of a file that a layout names; `*` stands for any characters, such as those of a currency. */
export function namedHeaders(names: readonly string[], headers: readonly string[]): string[] {
  return names.flatMap((name) => headers.find((header) => matchesFile(foldHeader(name), foldHeader(header))) ?? []);
}
