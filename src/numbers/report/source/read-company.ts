/*
 * The door of this room: the settings of a company and the generation of its data, which every report reads first.
 * The relations of all statements are named by `state-source`, for the rooms of src/numbers/report alone.
 */
import { type Database, isFailure, zoned } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import type { Company } from '../catalogue/company-settings.ts';
import { WHOLE_SOURCE } from './state-source.ts';

const LOGGED_DAYS = `(SELECT COALESCE(list({date: CAST(date AS VARCHAR), "idleUntil": CAST(idle_until AS VARCHAR)} ORDER BY date DESC), []) FROM ${WHOLE_SOURCE.relation('logged_days')})`;

const CONTRACTS = `CASE WHEN EXISTS (SELECT 1 FROM ${WHOLE_SOURCE.relation('retained_places')}) THEN 'all'
  WHEN EXISTS (SELECT 1 FROM ${WHOLE_SOURCE.relation('places')}) THEN 'agreed' ELSE 'none' END`;

const BILLS = `CASE WHEN NOT EXISTS (SELECT 1 FROM ${WHOLE_SOURCE.relation('billing_lines')}) THEN 'none'
  WHEN EXISTS (SELECT 1 FROM ${WHOLE_SOURCE.relation('covers')}) THEN 'covers' ELSE 'lines' END`;

/**
 * Reads the company's settings and the generation in the database.
 * @throws AppError storage when nothing has been loaded.
 */
export async function readCompany(database: Database): Promise<Company> {
  const rows = await database
    .rows<Company>(
      `SELECT settings.name, currency, minor_units AS "minorUnits", time_zone AS "timeZone", week_starts_on AS "weekStartsOn",
         fiscal_year_starts_in AS "fiscalYearStartsIn", ${LOGGED_DAYS} AS "loggedDays", data_version AS "dataVersion", ${zoned('loaded_at')} AS "loadedAt",
         ${CONTRACTS} AS "contracts", ${BILLS} AS "bills", url AS "sourceUrl", ${zoned('synced_at')} AS "syncedAt"
       FROM ${WHOLE_SOURCE.relation('settings')} AS settings CROSS JOIN ${WHOLE_SOURCE.relation('generation')} AS generation LEFT JOIN ${WHOLE_SOURCE.relation('synced_service')} AS service ON TRUE`,
    )
    .catch((cause: unknown) => {
      throw isFailure(cause, 'noRelation') ? emptyError(cause) : cause;
    });
  const [company] = rows;
  if (!company) throw emptyError(undefined);
  return company;
}

function emptyError(cause: unknown): AppError {
  const hint = 'Load one first: plumbline load DIR.';
  return new AppError('storage', 'The database holds no loaded dataset', { hint, cause });
}
