import type { Value } from '../../../base/database/index.ts';
import type { Resource } from '../../../records/resource/index.ts';
import type { Row } from '../node.ts';
import type { Change } from './changes.ts';
import { deleteRecords, type Insert, idIs, idIsOf, insertRecord, replaceItems, updateRecords } from './record-sql.ts';

export interface RecordEdits {
  /**
   * Inserts a record with a new id.
   * @returns the stored record.
   */
  insert(resource: Resource, values: Row): Promise<Row>;
  /**
   * Changes a record, unless nothing differs.
   * @returns the current record.
   */
  update(resource: Resource, before: Row, values: Row): Promise<Row>;
  /** Sets columns of many records to the same values. */
  updateAll(resource: Resource, before: readonly Row[], values: Row): Promise<void>;
  remove(resource: Resource, before: readonly Row[]): Promise<void>;
}

/**
 * Makes the changes of single records.
 * @param nextId Returns the id of a new record.
 * @param at The time, as YYYY-MM-DD HH:MM:SS in UTC.
 * @param write Takes the statements of a change, and the changes to note.
 */
export function makeEdits(
  nextId: (resource: Resource) => Value,
  at: string,
  write: (statements: readonly (string | Insert)[], noted: readonly Change[]) => void,
): RecordEdits {
  return {
    async insert(resource, values) {
      const row = { ...values, [resource.id]: nextId(resource), created: at, modified: at };
      write(insertRecord(resource, row), [{ method: 'POST', resource, before: undefined, after: row }]);
      return row;
    },
    async update(resource, before, values) {
      const differing = changesOf(before, values);
      if (differing.length === 0) return before;
      const set = { ...Object.fromEntries(differing), modified: at };
      const after = { ...before, ...set };
      const lists = differing.flatMap(([name]) => (resource.lists[name] ? replaceItems(resource, name, after) : []));
      const statements = [...updateRecords(resource, idIs(resource, before), set), ...lists];
      write(statements, [{ method: 'PATCH', resource, before, after }]);
      return after;
    },
    async updateAll(resource, before, values) {
      const differing = before.filter((row) => changesOf(row, values).length > 0);
      if (differing.length === 0) return;
      const set = { ...values, modified: at };
      const noted = differing.map(
        (row): Change => ({ method: 'PATCH', resource, before: row, after: { ...row, ...set } }),
      );
      write(updateRecords(resource, idIsOf(resource, differing), set), noted);
    },
    async remove(resource, before) {
      if (before.length === 0) return;
      const noted = before.map((row): Change => ({ method: 'DELETE', resource, before: row, after: undefined }));
      write(deleteRecords(resource, idIsOf(resource, before)), noted);
    },
  };
}

function changesOf(before: Row, values: Row): [string, Value][] {
  return Object.entries(values).filter(([name, value]) => !isSame(before[name] ?? null, value));
}

function isSame(before: Value, after: Value): boolean {
  return before === after || JSON.stringify(orEmpty(before)) === JSON.stringify(orEmpty(after));
}

/** Converts an empty list to null, its stored form. */
function orEmpty(value: Value): Value {
  return Array.isArray(value) && value.length === 0 ? null : value;
}
