import type { Database } from '../database/database.ts';
import { AppError, messageOf } from '../error.ts';

/** A company's settings and the generation of data that a report reads. */
export interface Company {
  readonly name: string | null;
  readonly currency: string;
  /** Decimals of the currency's minor unit. */
  readonly minorUnits: number;
  readonly timeZone: string;
  readonly weekStartsOn: number;
  readonly fiscalYearStartsIn: number;
  readonly dataVersion: string;
  readonly loadedAt: string;
}

/**
 * Reads the company's settings and the generation in the database.
 * @throws AppError storage when nothing has been loaded.
 */
export async function readCompany(database: Database): Promise<Company> {
  const rows = await database
    .rows<Company>(
      `SELECT settings.name, currency, minor_units AS "minorUnits", time_zone AS "timeZone", week_starts_on AS "weekStartsOn",
         fiscal_year_starts_in AS "fiscalYearStartsIn", data_version AS "dataVersion", CAST(loaded_at AS VARCHAR) AS "loadedAt"
       FROM core.settings CROSS JOIN source.generation`,
    )
    .catch((cause: unknown) => {
      throw /does not exist/.test(messageOf(cause)) ? emptyError(cause) : cause;
    });
  const [company] = rows;
  if (!company) throw emptyError(undefined);
  return company;
}

function emptyError(cause: unknown): AppError {
  const hint = 'Load one first: plumbline load DIR.';
  return new AppError('storage', 'The database holds no loaded dataset', { hint, cause });
}

/** Returns today's date in the company's time zone, as YYYY-MM-DD. */
export function todayOf(company: Company, now: Date): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone: company.timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now);
}
