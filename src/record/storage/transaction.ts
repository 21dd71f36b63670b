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

/** One request's reading and writing: all of it stays, or nothing. What it reads, it sees with what it has written. */
export interface Transaction {
  /** The moment of the request, as YYYY-MM-DD HH:MM:SS in UTC. */
  readonly at: string;
  readonly writer: Writer;
  /** What was found to be so of records that others refer to, by what the one who asked calls it: a reference that is right. */
  readonly known: Set<string>;
  /** Runs a SELECT. */
  rows<Found = Row>(sql: string): Promise<Found[]>;
  /** Runs a SELECT that reads nothing but resources that others refer to: what else is in the journal may stay there. */
  referred<Found = Row>(sql: string): Promise<Found[]>;
  /** Records with their lists. */
  records(shape: Shape, wanted: Wanted): Promise<Row[]>;
  /** @throws AppError unknown when there is no record of the id. */
  get(shape: Shape, id: string): Promise<Row>;
  /** Inserts a record under a new id. @returns it as it is now. */
  insert(shape: Shape, values: Row): Promise<Row>;
  /** Changes a record; nothing happens if nothing differs. @returns it as it is now. */
  update(shape: Shape, before: Row, values: Row): Promise<Row>;
  /** Changes columns of many records alike. */
  updateAll(shape: Shape, before: readonly Row[], values: Row): Promise<void>;
  remove(shape: Shape, before: readonly Row[]): Promise<void>;
}

/** A transaction that can be ended. */
export interface OpenTransaction extends Transaction {
  /** Makes it durable. @returns what was changed, in order. */
  commit(): Promise<readonly ChangedRecord[]>;
  rollback(): Promise<void>;
}

/** What the one who writes keeps in memory from one transaction to the next. */
export interface Memory {
  /** Emptied whenever something is changed that others refer to. */
  readonly known: Set<string>;
  /** Whether the journal may hold something that others refer to. */
  isReferredInJournal: boolean;
  nextId(shape: Shape): Value;
  nextChange(): number;
}

/** How many references are remembered. Unit: references. */
const MAX_KNOWN = 100_000;

/** Resources that others refer to. */
const REFERRED: ReadonlySet<string | undefined> = new Set(
  [...shapes.values()].flatMap(({ fields, lists }) =>
    [fields, ...Object.values(lists).map((items) => items.fields)].flatMap((all) =>
      Object.values(all).map(({ refers }) => refers),
    ),
  ),
);

/** Where a transaction's statements go: the session that nobody else uses meanwhile, or the journal of the same database. */
export interface Target {
  readonly session: Database;
  readonly journal: Journal;
}

/** Opens a transaction. @param at When. */
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
    // Nobody else writes, so what comes before the first write needs no transaction.
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
      // What was found to be right may have been so by what is undone.
      if (changes.length > 0) memory.known.clear();
      pending = [];
      changes = [];
      // A statement that failed may have ended the transaction already.
      if (isBegun) await session.run('ROLLBACK').catch(() => undefined);
    },
  };
}

function areInserts(pending: readonly (string | Insert)[]): pending is readonly Insert[] {
  return pending.every((each) => typeof each !== 'string');
}

/** Returns the values that a record hasn't got already. */
function changesOf(before: Row, values: Row): [string, Value][] {
  return Object.entries(values).filter(([name, value]) => !isSame(before[name] ?? null, value));
}

function isSame(before: Value, after: Value): boolean {
  return before === after || JSON.stringify(orEmpty(before)) === JSON.stringify(orEmpty(after));
}

/** A list without items is null in the database. */
function orEmpty(value: Value): Value {
  return Array.isArray(value) && value.length === 0 ? null : value;
}
