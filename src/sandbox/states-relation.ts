import { quoteText } from '../database/database.ts';

/** The name of the relation of kept states, which is in no file: that of a state would lack those kept after it. */
export const STATES = 'states';

/** Its meaning, as SHOW TABLES tells it. */
export const STATES_MEANING = 'One row per kept state: its name, period, status, day and data version.';

const COLUMNS = {
  name: 'VARCHAR',
  number: 'INTEGER',
  kind: 'VARCHAR',
  status: 'VARCHAR',
  start_date: 'DATE',
  end_date: 'DATE',
  day: 'DATE',
  label: 'VARCHAR',
  reason: 'VARCHAR',
  kept_at: 'TIMESTAMP',
  kept_by: 'VARCHAR',
  data_version: 'VARCHAR',
} as const;

/** A kept state as a row; what is absent is null. */
export type StateRow = Readonly<Partial<Record<keyof typeof COLUMNS, string | number | null>>>;

/** Returns whether a statement may read the relation: only then are its rows looked up. */
export function mayReadStates(sql: string): boolean {
  return new RegExp(`\\b${STATES}\\b`, 'i').test(sql);
}

/** Returns the WITH that gives a statement the relation. @param rows As JSON. */
export function withStates(rows: string): string {
  const structure = quoteText(JSON.stringify([COLUMNS]));
  return `WITH ${STATES} AS (SELECT unnest(from_json(${quoteText(rows)}, ${structure}), recursive := true))\n`;
}
