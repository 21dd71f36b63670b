import { type Database, readUntil } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import type { AsOfState } from '../catalogue/as-of-state.ts';
import { type Company, readCompany } from '../catalogue/company-settings.ts';
import type { EarlierDays } from '../request/query.ts';

/** A kept state beside the data of a report, which is compared with it. */
export interface EarlierState extends EarlierDays {
  /** A connection whose statements read the state. */
  readonly database: Database;
  /** The name of the state in statements of the report's own database. */
  readonly catalog: string;
  /** Must be called. */
  close(): Promise<void>;
}

/** A kept state as a file. */
interface StateFile {
  /** The path of its database, or of its copy without rates for readers who don't see them. */
  readonly file: string;
  readonly asOf: AsOfState;
  readonly cutoffDate: string | undefined;
}

/**
 * Attaches a kept state to the database of a report.
 * @param signal Ends the statements that read the state.
 */
export async function openEarlier(
  database: Database,
  { file, asOf, cutoffDate }: StateFile,
  signal?: AbortSignal,
): Promise<EarlierState> {
  const { catalog, release } = await database.attach(file);
  try {
    const session = await database.session();
    const close = () => session.close().finally(release);
    try {
      await session.run(`USE ${catalog}`);
      const company = { ...(await readCompany(session)), asOf };
      return {
        database: signal ? readUntil(signal, session) : session,
        company,
        today: asOf.day,
        cutoffDate,
        catalog,
        close,
      };
    } catch (error) {
      await session.close();
      throw error;
    }
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * Checks that a state can be compared with a later one.
 * @param later The company as of the later state.
 * @throws AppError usage if that is the earlier one, input if amounts are of another currency or have other decimals.
 */
export function assertComparable(earlier: Company, later: Company): void {
  const { asOf } = later;
  if (asOf && earlier.asOf && asOf.keptAt < earlier.asOf.keptAt) {
    const message = `to: ${asOf.state} was kept at ${asOf.keptAt}, before ${earlier.asOf.state}, which was kept at ${earlier.asOf.keptAt}`;
    throw new AppError('usage', message, {
      fields: [{ field: 'to', message }],
      hint: 'Exchange from and to, or leave out to for the present data.',
    });
  }
  const [then, now] = [earlier, later].map(({ currency, minorUnits }) => `${currency} with ${minorUnits} decimals`);
  if (then === now) return;
  throw new AppError(
    'input',
    `The amounts can't be compared: those of ${earlier.asOf?.state} are in ${then}, the others in ${now}`,
    {
      hint: 'Compare states of one currency.',
    },
  );
}
