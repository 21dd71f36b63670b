import type { Database } from '../../database/database.ts';
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
  const rows = await database.rows<FileAmounts>(`
    UPDATE source.files SET fees = amounts.fees, cost = amounts.cost
    FROM (
      SELECT input.number, sum(ledger.fee) AS fees, sum(ledger.cost) AS cost
      FROM core.ledger
      JOIN control_origins AS input USING (logged_time_id)
      GROUP BY ALL
    ) AS amounts
    WHERE files.number = amounts.number
    RETURNING files.number, files.fees, files.cost`);
  await database.run('DROP TABLE control_origins');
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
