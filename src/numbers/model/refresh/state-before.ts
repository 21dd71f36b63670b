import { type Database, quoteName } from '../../../base/database/index.ts';
import { type Model, qualifiedName } from '../models.ts';
import { changedRows } from './difference.ts';

/** Tests whether a model is a view of another one alone. */
const isViewOf = ({ storage, reads }: Model, name: string) =>
  storage === 'view' && reads.every((read) => read === name);

/** The state before a transaction, as relations that statements within it read. */
export interface StateBefore {
  /** The name of the database in memory that has them. */
  readonly catalog: string;
  /** Keeps the lines that a refresh has removed. To be called after each, before its changed rows are cleared. */
  keep(): Promise<void>;
  /** Must be called, after the transaction. */
  close(): Promise<void>;
}

const CATALOG = 'state_before';

/** The lines that refreshes within the transaction have removed. */
const GONE = 'gone_lines';

const LEDGER = 'core.ledger';

/**
 * Makes the relations of the committed state, just before a transaction that changes it.
 * The lines aren't copied: a row that the transaction adds has a higher number than all before it, and those that it
 * removes are kept, so the others and these are the lines as they were.
 * @param session Runs the transaction, and has the changed rows of its refreshes.
 * @param taken Small relations, which are copied, and views of the ledger.
 */
export async function openStateBefore(
  session: Database,
  models: readonly Model[],
  taken: readonly string[],
): Promise<StateBefore> {
  const ledger = models.find((model) => qualifiedName(model) === LEDGER);
  if (!ledger) throw new Error(`There is no model ${LEDGER}`);
  const views = models.filter((model) => taken.includes(qualifiedName(model)) && isViewOf(model, LEDGER));
  const copied = taken.filter((name) => !views.some((view) => qualifiedName(view) === name));
  const [found] = await session.rows<{ main: string; last: number }>(
    `SELECT current_database() AS main, COALESCE(max(rowid), -1) AS last FROM ${LEDGER}`,
  );
  const { main = '', last = -1 } = found ?? {};
  const columns = await session.rows<{ name: string }>(
    `SELECT column_name AS name FROM (DESCRIBE SELECT * FROM ${LEDGER})`,
  );
  const names = columns.map(({ name }) => quoteName(name)).join(', ');
  const schemas = [...new Set([LEDGER, ...taken].map((name) => name.split('.')[0]))];
  const close = () => session.run(`DETACH DATABASE IF EXISTS ${CATALOG}; DROP TABLE IF EXISTS temp.${GONE}`);
  try {
    await session.run(
      [
        `ATTACH ':memory:' AS ${CATALOG}`,
        ...schemas.map((schema) => `CREATE SCHEMA ${CATALOG}.${schema}`),
        ...copied.map((name) => `CREATE TABLE ${CATALOG}.${name} AS SELECT * FROM ${name}`),
        `CREATE TEMP TABLE ${GONE} AS SELECT ${names} FROM ${LEDGER} LIMIT 0`,
        `CREATE VIEW ${CATALOG}.${LEDGER} AS
          SELECT ${names} FROM ${quoteName(main)}.${LEDGER} WHERE rowid <= ${last}
          UNION ALL SELECT ${names} FROM temp.${GONE}`,
        ...views.map(
          (view) =>
            `CREATE VIEW ${CATALOG}.${qualifiedName(view)} AS ${view.select.replaceAll(LEDGER, `${CATALOG}.${LEDGER}`)}`,
        ),
      ].join(';\n'),
    );
  } catch (error) {
    await close();
    throw error;
  }
  return {
    catalog: CATALOG,
    // A removed row that the transaction itself had added was no line before.
    keep: () =>
      session.run(`INSERT INTO ${GONE} SELECT ${names} FROM ${changedRows(ledger)} WHERE stored_row <= ${last}`),
    close,
  };
}
