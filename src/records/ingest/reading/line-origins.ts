import { type Database, quoteText } from '../../../base/database/index.ts';
import type { JsonRecord } from '../merging/merged-values.ts';
import { placeOfItem, type RowPlace } from '../merging/record-places.ts';

/** The row that a line, or a part of it, is from. Files have their numbers, and rows are counted from 1. */
export interface LineOrigin {
  /** The file and the line that the records of several rows were written to. */
  readonly number: number;
  readonly line: number;
  /** The field that is from another row than the record; null for the record or an item. */
  readonly field: string | null;
  /** The list of an item, and its position there, from 1; null for the record or a field. */
  readonly list: string | null;
  readonly item: number | null;
  readonly ownNumber: number;
  readonly ownRow: number;
}

/** A record that is written, with the rows of its fields. */
interface WrittenRecord {
  readonly values: JsonRecord;
  readonly sources: ReadonlyMap<string, RowPlace>;
}

/** The count of the lines that are written to the files of a resource. */
export interface LineCount {
  /** Counts a line. @param place Its row. @param record The record in it; undefined for a line that can't be read. */
  add(place: RowPlace, record?: WrittenRecord): void;
  /** Returns the origins that differ from the lines' own files and numbers. */
  origins(): readonly LineOrigin[];
}

/** Opens the count of lines. @param files The files, by their place. */
export function openLines(files: readonly { readonly number: number }[]): LineCount {
  const written = files.map(() => 0);
  const found: LineOrigin[] = [];
  const numberOf = (file: number) => files[file]?.number ?? 0;
  return {
    add(place, record) {
      const line = (written[place.file] ?? 0) + 1;
      written[place.file] = line;
      const at = { number: numberOf(place.file), line };
      const note = (row: RowPlace, part: Pick<LineOrigin, 'field' | 'list' | 'item'>) =>
        found.push({ ...at, ...part, ownNumber: numberOf(row.file), ownRow: row.row });
      if (place.row !== line) note(place, { field: null, list: null, item: null });
      for (const [field, row] of record?.sources ?? [])
        if (row.file !== place.file || row.row !== place.row) note(row, { field, list: null, item: null });
      for (const [list, items] of Object.entries(record?.values ?? {})) {
        if (!Array.isArray(items)) continue;
        for (const [index, item] of items.entries()) {
          const row = placeOfItem(item as JsonRecord);
          if (row) note(row, { field: null, list, item: index + 1 });
        }
      }
    },
    origins: () => found,
  };
}

/** The origins that are stored by one statement. Unit: origins. */
const ORIGINS_PER_STATEMENT = 5_000;

/** Stores the rows that lines are from, in the table that createLoadTables makes. */
export async function storeLineOrigins(database: Database, origins: readonly LineOrigin[]): Promise<void> {
  for (let at = 0; at < origins.length; at += ORIGINS_PER_STATEMENT) {
    const rows = origins.slice(at, at + ORIGINS_PER_STATEMENT).map(({ number, line, field, list, item, ...own }) => {
      const texts = [field, list].map((text) => (text === null ? 'NULL' : quoteText(text)));
      return `(${[number, line, ...texts, item ?? 'NULL', own.ownNumber, own.ownRow].join(', ')})`;
    });
    await database.run(`INSERT INTO line_origins VALUES ${rows.join(', ')}`);
  }
}
