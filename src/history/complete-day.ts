import type { Database } from '../database/database.ts';
import { readSyncStatus, syncedAtOf } from '../generation/sync-status.ts';
import { type Company, todayOf } from '../report/catalogue/definitions.ts';
import { readCompany } from '../report/source/read-company.ts';

/** Reads the company of a published database, with its last sync: one that finds nothing publishes nothing. */
export async function readSyncedCompany(database: string, generation: Database): Promise<Company> {
  const company = await readCompany(generation);
  return { ...company, syncedAt: syncedAtOf(company, readSyncStatus(database)) };
}

/**
 * Returns the day up to which records are complete, in the company's time zone.
 * @param takesChanges True if a server takes changes, so that they are complete up to now.
 */
export function dayOf(
  company: Company,
  { takesChanges, now }: { readonly takesChanges: boolean; readonly now: Date },
): string {
  return todayOf(company, takesChanges ? now : new Date(company.syncedAt ?? company.loadedAt));
}
