import type { Database } from '../database/database.ts';
import type { Row } from '../record/node.ts';
import { findShape } from '../record/shape.ts';
import type { ChangedRecord } from '../record/storage/changes.ts';
import { deleteRecords, idIsOf } from '../record/storage/record-sql.ts';

/** A record, by its resource and its id. */
export interface RecordName {
  readonly resource: string;
  readonly id: string;
}

/** Finds out whether something succeeds after a change of the records, which is then undone. */
export type Rehearse = (change: (session: Database) => Promise<void>) => Promise<boolean>;

/**
 * Finds the first of the written records because of which something fails, by leaving out those written after it.
 * @param changes The writes that it may be.
 * @param isWanted Asked before each rehearsal.
 * @returns undefined when it is none of them, or can't be told.
 */
export async function findCause(
  changes: readonly ChangedRecord[],
  rehearse: Rehearse,
  isWanted: () => boolean,
): Promise<RecordName | undefined> {
  const named = changes.map(
    ({ resource, record_id }) => [`${resource} ${record_id}`, { resource, id: record_id }] as const,
  );
  const records = [...new Map(named).values()];
  const succeedsWith = (count: number) => rehearse((session) => removeAll(session, records.slice(count)));
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
  for (const resource of new Set(records.map((record) => record.resource))) {
    const shape = findShape(resource);
    const rows: Row[] = records.filter((record) => record.resource === resource).map(({ id }) => ({ [shape.id]: id }));
    for (const statement of deleteRecords(shape, idIsOf(shape, rows))) await session.run(statement);
  }
}
