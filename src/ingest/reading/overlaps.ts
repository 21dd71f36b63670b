import type { Database } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import type { InputFile } from './files.ts';

/** A person's day that two files of one export have different entries of. */
interface Overlap {
  readonly people_id: number;
  readonly day: string;
  readonly first: number;
  readonly last: number;
}

/**
 * Settles the days of people that several files of one entry of a mapping have: rows that are equal in equal number are one already.
 * `overlap: newest` keeps those of the last file, by its name, and `add` all.
 * @returns the number of entries that later ones replace.
 * @throws AppError input for different rows, if the mapping doesn't say which count: a corrected row must not count twice.
 */
export async function settleOverlaps(database: Database, files: readonly InputFile[]): Promise<number> {
  let replaced = 0;
  for (const group of groupByEntry(files)) {
    const [first] = group;
    const numbers = group.map(({ number }) => number).join(', ');
    const shared = `SELECT people_id, date, max(origin.file) AS last FROM source.logged_time
      WHERE origin.file IN (${numbers}) GROUP BY ALL HAVING count(DISTINCT origin.file) > 1`;
    if (first?.mapping?.overlap === 'newest') {
      const [deleted] = await database.rows<{ Count: number }>(`DELETE FROM source.logged_time WHERE rowid IN (
        SELECT logged.rowid FROM source.logged_time AS logged JOIN (${shared}) AS shared
          ON shared.people_id = logged.people_id AND shared.date = logged.date
        WHERE logged.origin.file IN (${numbers}) AND logged.origin.file < shared.last)`);
      replaced += deleted?.Count ?? 0;
    }
    if (first?.mapping?.overlap !== undefined) continue;
    const [overlap] = await database.rows<Overlap>(`
      SELECT people_id, CAST(date AS VARCHAR) AS day, min(origin.file) AS first, max(origin.file) AS last
      FROM source.logged_time WHERE origin.file IN (${numbers})
      GROUP BY ALL HAVING count(DISTINCT origin.file) > 1 ORDER BY day, people_id LIMIT 1`);
    if (overlap) throw await overlapError(database, overlap, group);
  }
  return replaced;
}

/** Returns the files of each entry that has several, and whose rows have no id of their own. */
function groupByEntry(files: readonly InputFile[]): InputFile[][] {
  const groups = new Map<unknown, InputFile[]>();
  for (const file of files) {
    const { fields } = file.mapping ?? {};
    const isMade = fields?.some(({ field, kind }) => field === 'logged_time_id' && kind === 'row');
    if (fields && isMade) groups.set(fields, [...(groups.get(fields) ?? []), file]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

async function overlapError(database: Database, overlap: Overlap, files: readonly InputFile[]): Promise<AppError> {
  const [person] = await database.rows<{ name: string }>(
    `SELECT COALESCE(max(name), '${overlap.people_id}') AS name FROM source.people WHERE people_id = ${overlap.people_id}`,
  );
  const [one, other] = [overlap.first, overlap.last].map(
    (number) => files.find((file) => file.number === number)?.name,
  );
  const message = `${one} and ${other} have different entries of ${person?.name} on ${overlap.day}`;
  return new AppError('input', message, {
    fields: [{ field: 'overlap', message }],
    hint: 'Write overlap: newest into the entry of the mapping if the later file replaces the earlier, or overlap: add if both count. Nothing was loaded.',
  });
}
