import type { Database } from '../../base/database/index.ts';
import { findResource } from '../../records/resource/index.ts';
import type { Row } from '../record/node.ts';
import type { ChangedRecord } from '../record/storage/changes.ts';
import { deleteRecords, idIsOf } from '../record/storage/record-sql.ts';

export interface RecordName {
  readonly resource: string;
  readonly id: string;
}

/** Tries a change of the records, undone afterwards; resolves to whether the trial succeeds. */
export type DryRun = (change: (session: Database) => Promise<void>) => Promise<boolean>;

/**
 * Finds the first written record that makes a trial fail, by leaving out the records written after it.
 * @param changes The suspected writes.
 * @param isWanted Called before each dry run; false ends the search.
 * @returns undefined when none of them is the cause, or it can't be determined.
 */
export async function findCause(
  changes: readonly ChangedRecord[],
  dryRun: DryRun,
  isWanted: () => boolean,
): Promise<RecordName | undefined> {
  const named = changes.map(
    ({ resource, record_id }) => [`${resource} ${record_id}`, { resource, id: record_id }] as const,
  );
  const records = [...new Map(named).values()];
  const succeedsWith = (count: number) => dryRun((session) => removeAll(session, records.slice(count)));
  let [good, bad] = [0, records.length];
  if (bad === 0 || !(await succeedsWith(good)) || (await succeedsWith(bad))) return undefined;
  while (bad - good > 1) {
    if (!isWanted()) return undefined;
    const middle = Math.floor((good + bad) / 2);
    if (await succeedsWith(middle)) good = middle;
    else bad = middle;
  }
  return records[good];
}

async function removeAll(session: Database, records: readonly RecordName[]): Promise<void> {
  for (const name of new Set(records.map((record) => record.resource))) {
    const resource = findResource(name);
    const rows: Row[] = records.filter((record) => record.resource === name).map(({ id }) => ({ [resource.id]: id }));
    for (const statement of deleteRecords(resource, idIsOf(resource, rows))) await session.run(statement);
  }
}
