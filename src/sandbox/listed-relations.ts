import { type Database, quoteText } from '../database/database.ts';

/*
 * Relations that are in no file: that of a state would lack what came after it. The parent lists their rows, only for statements
 * that may read them.
 */

/** The meaning of each relation, as SHOW TABLES tells it, and its columns. One without a schema becomes a name of WITH. */
export const LISTED = {
  states: {
    meaning: 'One row per kept state: its name, period, status, day and data version.',
    columns: {
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
    },
  },
  'deliveries.runs': {
    meaning: 'One row per occurrence of a delivery and target: what has become of it.',
    columns: {
      name: 'VARCHAR',
      occurrence: 'VARCHAR',
      moment: 'TIMESTAMP',
      is_late: 'BOOLEAN',
      state: 'VARCHAR',
      data_version: 'VARCHAR',
      period: 'VARCHAR',
      row_count: 'INTEGER',
      why: 'VARCHAR',
      target: 'VARCHAR',
      target_state: 'VARCHAR',
      attempts: 'INTEGER',
      tried_at: 'TIMESTAMP',
    },
  },
} as const;

type ListedName = keyof typeof LISTED;

const NAMES = Object.keys(LISTED) as ListedName[];

/** The relations with a schema, which is a database in memory beside the file. */
export const LISTED_WITH_SCHEMA = NAMES.filter((name) => name.includes('.'));

/** A row of a relation; what is absent is null. */
type ListedRow<Name extends ListedName> = Readonly<
  Partial<Record<keyof (typeof LISTED)[Name]['columns'], string | number | boolean | null>>
>;

/** Functions that list the rows of relations. Default: there are none. */
export type ListedSources = { readonly [Name in ListedName]?: () => Promise<readonly ListedRow<Name>[]> };

/** The rows of the relations that a statement may read, as JSON. */
export type ListedRows = Readonly<Partial<Record<ListedName, string>>>;

/** Lists the rows of the relations that a statement may read. */
export async function readListed(sql: string, sources: ListedSources = {}): Promise<ListedRows> {
  const mayRead = (name: ListedName) => name.split('.').every((word) => new RegExp(`\\b${word}\\b`, 'i').test(sql));
  const rows: Partial<Record<ListedName, string>> = {};
  for (const name of NAMES.filter(mayRead)) rows[name] = JSON.stringify((await sources[name]?.()) ?? []);
  return rows;
}

/** Attaches the schemas of relations; nothing can be attached after the configuration is locked. */
export async function attachListed(database: Database): Promise<void> {
  const schemas = new Set(LISTED_WITH_SCHEMA.map((name) => name.slice(0, name.indexOf('.'))));
  for (const schema of schemas) await database.run(`ATTACH ':memory:' AS ${schema} (READ_WRITE)`);
}

/** Gives a statement its relations. @returns the names of WITH around it, and that WITH. */
export async function giveListed(
  database: Database,
  rows: ListedRows,
): Promise<{ readonly names: readonly string[]; readonly prefix: string }> {
  const selects = new Map<string, string>();
  for (const name of NAMES) {
    const json = rows[name];
    if (json === undefined) continue;
    const structure = quoteText(JSON.stringify([LISTED[name].columns]));
    const select = `SELECT unnest(from_json(${quoteText(json)}, ${structure}), recursive := true)`;
    if (name.includes('.')) await database.run(`CREATE OR REPLACE TABLE ${name} AS ${select}`);
    else selects.set(name, select);
  }
  const list = [...selects].map(([name, select]) => `${name} AS (${select})`).join(', ');
  return { names: [...selects.keys()], prefix: list === '' ? '' : `WITH ${list}\n` };
}
