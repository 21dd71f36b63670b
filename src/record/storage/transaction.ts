import type { Database, Value } from '../../database/database.ts';
import type { Row } from '../node.ts';
import { type Shape, shapes } from '../shape.ts';
import { type Change, type ChangedRecord, describeChange, insertChanges, type Writer } from './changes.ts';
import type { Journal } from './journal.ts';
import {
  deleteRecords,
  formatInserts,
  type Insert,
  idIs,
  idIsOf,
  insertRecord,
  replaceItems,
  updateRecords,
} from './record-sql.ts';
import { findRecord, selectRecords, type Wanted } from './select.ts';

/** A request's atomic reads and writes. Reads see its own writes. */
export interface Transaction {
  /** The time of the request, as YYYY-MM-DD HH:MM:SS in UTC. */
  readonly at: string;
  readonly writer: Writer;
  /** Cache of references already checked, by key. */
  readonly known: Set<string>;
  rows<Found = Row>(sql: string): Promise<Found[]>;
  /** Runs a SELECT over referenced resources only, so other writes may stay in the journal. */
  referred<Found = Row>(sql: string): Promise<Found[]>;
  records(shape: Shape, wanted: Wanted): Promise<Row[]>;
  /** @throws AppError unknown when the id doesn't exist. */
  get(shape: Shape, id: string): Promise<Row>;
  /**
   * Inserts a record with a new id.
   * @returns the stored record.
   */
  insert(shape: Shape, values: Row): Promise<Row>;
  /**
   * Changes a record, unless nothing differs.
   * @returns the current record.
   */
  update(shape: Shape, before: Row, values: Row): Promise<Row>;
  /** Sets columns of many records to the same values. */
  updateAll(shape: Shape, before: readonly Row[], values: Row): Promise<void>;
  remove(shape: Shape, before: readonly Row[]): Promise<void>;
}

export interface OpenTransaction extends Transaction {
  /**
   * Makes it durable.
   * @returns the changes, in order.
   */
  commit(): Promise<readonly ChangedRecord[]>;
  rollback(): Promise<void>;
}

/** State that the writer keeps across transactions. */
export interface Memory {
  /** Cleared when a referenced resource changes. */
  readonly known: Set<string>;
  /** True if the journal may contain writes to referenced resources. */
  isReferredInJournal: boolean;
  nextId(shape: Shape): Value;
  nextChange(): number;
}

/** Capacity of the cache of checked references. Unit: references. */
const MAX_KNOWN = 100_000;

const REFERRED: ReadonlySet<string | undefined> = new Set(
  [...shapes.values()].flatMap(({ fields, lists }) =>
    [fields, ...Object.values(lists).map((items) => items.fields)].flatMap((all) =>
      Object.values(all).map(({ refers }) => refers),
    ),
  ),
);

/** The destination of a transaction's statements: an exclusive session, or its database's journal. */
export interface Target {
  readonly session: Database;
  readonly journal: Journal;
}

/**
 * Opens a transaction.
 * @param at The time, as YYYY-MM-DD HH:MM:SS in UTC.
 */
export function openTransaction(
  { session, journal }: Target,
  memory: Memory,
  writer: Writer,
  at: string,
): OpenTransaction {
  let pending: (string | Insert)[] = [];
  let changes: Change[] = [];
  let isBegun = false;
  const catchUp = async () => {
    if (isBegun) return;
    await journal.apply();
    memory.isReferredInJournal = false;
  };
  const send = async (...more: string[]) => {
    await catchUp();
    const written = pending.flatMap((each) => (typeof each === 'string' ? each : formatInserts([each])));
    const statements = [...(isBegun ? [] : ['BEGIN']), ...written, ...more];
    isBegun = true;
    pending = [];
    await session.run(statements.join(';\n'));
  };
  const rows = async <Found>(sql: string) => {
    // There are no other writers, so reads before the first write need no transaction.
    if (pending.length > 0) await send();
    else await catchUp();
    return session.rows<Found>(sql);
  };
  const note = (method: Change['method'], shape: Shape, before: Row | undefined, after: Row | undefined) => {
    changes.push({ method, shape, before, after });
    if (REFERRED.has(shape.resource.name) || memory.known.size > MAX_KNOWN) memory.known.clear();
  };
  return {
    at,
    writer,
    known: memory.known,
    rows,
    referred: <Found>(sql: string) =>
      pending.length > 0 || memory.isReferredInJournal ? rows<Found>(sql) : session.rows<Found>(sql),
    records: (shape, wanted) => rows<Row>(selectRecords(shape, wanted)),
    get: (shape, id) => findRecord({ rows }, shape, id),
    async insert(shape, values) {
      const row = { ...values, [shape.id]: memory.nextId(shape), created: at, modified: at };
      pending.push(...insertRecord(shape, row));
      note('POST', shape, undefined, row);
      return row;
    },
    async update(shape, before, values) {
      const differing = changesOf(before, values);
      if (differing.length === 0) return before;
      const set = { ...Object.fromEntries(differing), modified: at };
      const after = { ...before, ...set };
      pending.push(...updateRecords(shape, idIs(shape, before), set));
      for (const [name] of differing) if (shape.lists[name]) pending.push(...replaceItems(shape, name, after));
      note('PATCH', shape, before, after);
      return after;
    },
    async updateAll(shape, before, values) {
      const differing = before.filter((row) => changesOf(row, values).length > 0);
      if (differing.length === 0) return;
      const set = { ...values, modified: at };
      pending.push(...updateRecords(shape, idIsOf(shape, differing), set));
      for (const row of differing) note('PATCH', shape, row, { ...row, ...set });
    },
    async remove(shape, before) {
      if (before.length === 0) return;
      pending.push(...deleteRecords(shape, idIsOf(shape, before)));
      for (const row of before) note('DELETE', shape, row, undefined);
    },
    async commit() {
      if (changes.length === 0) {
        if (isBegun) await session.run('COMMIT');
        return [];
      }
      const numbered = changes.map((change) => ({ ...change, id: memory.nextChange() }));
      pending.push(insertChanges(numbered, at, writer));
      const last = numbered.at(-1)?.id;
      if (!isBegun && last !== undefined && areInserts(pending)) {
        memory.isReferredInJournal ||= changes.some(({ shape }) => REFERRED.has(shape.resource.name));
        await journal.append(last, pending);
      } else await send('COMMIT');
      return numbered.map((change) => describeChange(change, at));
    },
    async rollback() {
      // Cached references may depend on the changes rolled back.
      if (changes.length > 0) memory.known.clear();
      pending = [];
      changes = [];
      // A failed statement may have ended the transaction already.
      if (isBegun) await session.run('ROLLBACK').catch(() => undefined);
    },
  };
}

function areInserts(pending: readonly (string | Insert)[]): pending is readonly Insert[] {
  return pending.every((each) => typeof each !== 'string');
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
