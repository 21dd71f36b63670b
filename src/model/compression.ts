import type { Database } from '../database/database.ts';

/**
 * Works without looking for ways to compress text. Nearly all text of the models is the ids of logged time in the ledger, of which no
 * two are the same: to compress them takes a tenth of the time and saves a fifth of the file.
 */
export async function leaveTextsPlain<T>(database: Database, work: () => Promise<T>): Promise<T> {
  await database.run("SET disabled_compression_methods = 'dictionary,fsst'");
  try {
    return await work();
  } finally {
    await database.run('RESET disabled_compression_methods');
  }
}
