import { type Database, quoteText } from '../../database/database.ts';
import type { ControlTotals } from './file-totals.ts';
import { withLoaded } from './own-controls.ts';

/** The fees and costs of a file's time entries. */
interface FileAmounts {
  readonly number: number;
  readonly fees: string | null;
  readonly cost: string | null;
}

/** Keeps which file each time entry is from until the models are built, if files have amounts of their own. */
export async function keepOrigins(database: Database, controls: readonly ControlTotals[]): Promise<void> {
  if (!controls.some(hasAmounts)) return;
  const numbers = controls.filter(hasAmounts).map(({ number }) => number);
  await database.run(`CREATE TEMP TABLE control_origins AS
    SELECT logged_time_id, origin.file AS number FROM source.logged_time WHERE origin.file IN (${numbers.join(', ')})`);
}

/**
 * Compares the amounts that files of time entries have themselves with those of the ledger, once the models are built.
 * @returns the control totals with fees and costs, which source.files keeps, too.
 */
export async function compareAmounts(
  database: Database,
  controls: readonly ControlTotals[],
): Promise<readonly ControlTotals[]> {
  if (!controls.some(hasAmounts)) return controls;
  const compared = await readAmounts(database, controls, 'control_origins');
  const literalOf = (amount: string | null) => (amount === null ? 'NULL' : quoteText(amount));
  for (const { number, fees, cost } of compared.filter(hasAmounts))
    await database.run(
      `UPDATE source.files SET fees = ${literalOf(fees)}, cost = ${literalOf(cost)} WHERE number = ${number}`,
    );
  await database.run('DROP TABLE control_origins');
  return compared;
}

/** Stores in the database of the files which file each time entry is from, for a ledger that is in another one. */
export async function storeOrigins(database: Database, controls: readonly ControlTotals[]): Promise<void> {
  if (controls.some(hasAmounts)) await database.run('CREATE TABLE source.control_origins AS FROM control_origins');
}

/**
 * Reads the amounts of the ledger for the files that have some themselves.
 * @param origins The table that says which file each time entry is from.
 * @returns the control totals with fees and costs.
 */
export async function readAmounts(
  database: Database,
  controls: readonly ControlTotals[],
  origins: 'control_origins' | 'pulled.source.control_origins',
): Promise<readonly ControlTotals[]> {
  if (!controls.some(hasAmounts)) return controls;
  const rows = await database.rows<FileAmounts>(`
    SELECT input.number, sum(ledger.fee) AS fees, sum(ledger.cost) AS cost
    FROM core.ledger
    JOIN ${origins} AS input USING (logged_time_id)
    GROUP BY ALL`);
  return controls.map((totals) => {
    if (!hasAmounts(totals)) return totals;
    const { fees = null, cost = null } = rows.find(({ number }) => number === totals.number) ?? {};
    const known = { ...totals, fees, cost };
    return { ...known, own: totals.own.map((own) => (own.name === 'hours' ? own : withLoaded(own, known))) };
  });
}

function hasAmounts({ resource, own }: ControlTotals): boolean {
  return resource === 'logged_time' && own.some(({ name }) => name !== 'hours');
}
