import type { Database } from '../../base/database/index.ts';
import { type Company, todayOf } from '../../numbers/report/catalogue/index.ts';
import { readCompany } from '../../numbers/report/source/index.ts';
import { readSyncStatus, syncedAtOf } from '../generation/sync-status.ts';

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
