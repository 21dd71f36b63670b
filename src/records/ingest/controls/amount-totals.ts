import { type Database, quoteText } from '../../../base/database/index.ts';
import type { ControlTotals } from './file-totals.ts';
import { withLoaded } from './own-controls.ts';

/** The fees and costs of a file's time entries. */
interface FileAmounts {
  readonly number: number;
  readonly fees: string | null;
  readonly cost: string | null;
}

/** Keeps which file each time entry is from until the models are built, if totals of files need them. */
export async function keepOrigins(database: Database, controls: readonly ControlTotals[]): Promise<void> {
  const numbers = controls.filter(({ resource }) => resource === 'logged_time').map(({ number }) => number);
  if (numbers.length === 0) return;
  await database.run(`CREATE TEMP TABLE control_origins AS
    SELECT logged_time_id, origin.file AS number FROM source.logged_time WHERE origin.file IN (${numbers.join(', ')})`);
}

/**
 * Completes control totals once the models are built: with billable hours, and with the fees and costs of the ledger, if files
 * have amounts of their own. source.files keeps them, too.
 */
export async function completeControls(
  database: Database,
  controls: readonly ControlTotals[],
): Promise<readonly ControlTotals[]> {
  const priced = await readAmounts(database, await readBillableHours(database, controls), 'control_origins');
  const literalOf = (amount: string | null) => (amount === null ? 'NULL' : quoteText(amount));
  for (const { number, fees, cost, billableHours } of priced.filter(({ resource }) => resource === 'logged_time'))
    await database.run(
      `UPDATE source.files SET fees = ${literalOf(fees)}, cost = ${literalOf(cost)}, billable_hours = ${literalOf(billableHours)}
      WHERE number = ${number}`,
    );
  await database.run('DROP TABLE IF EXISTS control_origins');
  return priced;
}

/**
 * Reads the billable hours of files of time entries, where the views of the records are built (S2): a blank value is billable, and
 * nothing in a non-billable project or phase is.
 */
export async function readBillableHours(
  database: Database,
  controls: readonly ControlTotals[],
): Promise<readonly ControlTotals[]> {
  if (!controls.some(({ resource }) => resource === 'logged_time')) return controls;
  const rows = await database.rows<{ number: number; hours: string }>(`
    SELECT origins.number, COALESCE(sum(logged_time.hours) FILTER (logged_time.is_billable_work
      AND NOT COALESCE(projects.is_non_billable, FALSE) AND NOT COALESCE(phases.is_non_billable, FALSE)), 0) AS hours
    FROM core.logged_time
    JOIN control_origins AS origins USING (logged_time_id)
    LEFT JOIN staging.projects ON projects.project_id = logged_time.project_id
    LEFT JOIN staging.phases ON phases.phase_id = logged_time.phase_id
    GROUP BY origins.number`);
  return controls.map((totals) => {
    const billableHours = rows.find(({ number }) => number === totals.number)?.hours ?? null;
    return totals.resource === 'logged_time' ? { ...totals, billableHours } : totals;
  });
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
