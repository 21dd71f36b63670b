import type { Database, Value } from '../../../base/database/index.ts';
import { mapInTurns } from '../../../base/index.ts';
import { type Resource, resources } from '../../../records/resource/index.ts';
import type { Row } from '../node.ts';
import {
  type Change,
  type ChangedRecord,
  describeChange,
  describeReplacement,
  type Gone,
  insertChanges,
  insertReplacement,
  type Writer,
} from './changes.ts';
import type { Journal } from './journal.ts';
import { makeEdits, type RecordEdits } from './record-edits.ts';
import { formatInserts, type Insert } from './record-sql.ts';
import { findRecord, selectRecords, type Wanted } from './select.ts';

/** A request's atomic reads and writes. Reads see its own writes. */
export interface Transaction extends RecordEdits {
  /** The time of the request, as YYYY-MM-DD HH:MM:SS in UTC. */
  readonly at: string;
  readonly writer: Writer;
  /** Cache of references already checked, by key. */
  readonly known: Set<string>;
  rows<Found = Row>(sql: string): Promise<Found[]>;
  /** As that of a reader. */
  readonly isClosed?: (day: string) => boolean;
  /** Runs a SELECT over referenced resources only, so other writes may stay in the journal. */
  referred<Found = Row>(sql: string): Promise<Found[]>;
  records(resource: Resource, wanted: Wanted): Promise<Row[]>;
  /** @throws AppError unknown when the id doesn't exist. */
  get(resource: Resource, id: string): Promise<Row>;
  /** Runs statements on any tables; the changes of records among them must be noted. */
  run(statements: readonly string[]): void;
  note(changes: readonly Change[]): void;
  changes(): readonly Change[];
  /** Notes changes of too many records to name, after which everything derived from records is built again. */
  noteMany(gone: Gone): void;
  /** Tells whether changes of too many records to name were noted. */
  isReplaced(): boolean;
}

export interface OpenTransaction extends Transaction {
  /**
   * Makes it durable.
   * @returns the changes, in order; undefined if nothing was written.
   */
  commit(): Promise<readonly ChangedRecord[] | undefined>;
  /**
   * Sends everything to a session that has begun a transaction of its own, which commits it.
   * @returns as commit.
   */
  flush(): Promise<readonly ChangedRecord[] | undefined>;
  rollback(): Promise<void>;
}

/** State that the writer keeps across transactions. */
export interface WriterState {
  /** Cleared when a referenced resource changes. */
  readonly known: Set<string>;
  /** True if the journal may contain writes to referenced resources. */
  isReferredInJournal: boolean;
  nextId(resource: Resource): Value;
  /** Returns a function that gives the ids and the numbers of changes since then back, none of which is stored. */
  markIds(): () => void;
  /** Returns the first of so many new numbers. */
  nextChange(count?: number): number;
}

/** Capacity of the cache of checked references. Unit: references. */
const MAX_KNOWN = 100_000;

const REFERRED: ReadonlySet<string | undefined> = new Set(
  resources.flatMap(({ fields, lists }) =>
    [fields, ...Object.values(lists).map((items) => items.fields)].flatMap((all) =>
      Object.values(all).map(({ refers }) => refers),
    ),
  ),
);

/** The destination of a transaction's statements: an exclusive session, or its database's journal. */
export interface Target {
  readonly session: Database;
  readonly journal: Journal;
  /** True if the session has begun the transaction, after the journal was applied. */
  readonly isBegun?: boolean;
}

/**
 * Opens a transaction.
 * @param at The time, as YYYY-MM-DD HH:MM:SS in UTC.
 */
export function openTransaction(
  { session, journal, isBegun: isBegunBefore = false }: Target,
  state: WriterState,
  writer: Writer,
  at: string,
): OpenTransaction {
  let pending: (string | Insert)[] = [];
  let changes: Change[] = [];
  let replacements: ChangedRecord[] = [];
  let isBegun = isBegunBefore;
  const catchUp = async () => {
    if (isBegun) return;
    await journal.apply();
    state.isReferredInJournal = false;
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
  const note = (change: Change) => {
    changes.push(change);
    if (REFERRED.has(change.resource.name) || state.known.size > MAX_KNOWN) state.known.clear();
  };
  /** Numbers the changes, and describes them: work in turns may be told to end, so it comes before they are durable. */
  const numberChanges = async () => {
    const numbered = changes.map((change) => ({ ...change, id: state.nextChange() }));
    if (numbered.length > 0) pending.push(await insertChanges(numbered, at, writer));
    const described = await mapInTurns(numbered, (change) => describeChange(change, at));
    return { last: numbered.at(-1)?.id, described: [...described, ...replacements] };
  };
  return {
    at,
    writer,
    known: state.known,
    rows,
    referred: <Found>(sql: string) =>
      pending.length > 0 || state.isReferredInJournal ? rows<Found>(sql) : session.rows<Found>(sql),
    records: (resource, wanted) => rows<Row>(selectRecords(resource, wanted)),
    get: (resource, id) => findRecord({ rows }, resource, id),
    ...makeEdits(state.nextId, at, (statements, noted) => {
      pending.push(...statements);
      noted.forEach(note);
    }),
    run: (statements) => void pending.push(...statements),
    note: (noted) => noted.forEach(note),
    noteMany(gone) {
      const first = state.nextChange(gone.count + 1);
      pending.push(insertReplacement(first, gone, at, writer));
      replacements.push(describeReplacement(first + gone.count, at));
      state.known.clear();
    },
    changes: () => changes,
    isReplaced: () => replacements.length > 0,
    async flush() {
      if (changes.length + pending.length === 0) return undefined;
      const { described } = await numberChanges();
      await send();
      return described;
    },
    async commit() {
      if (!isBegun && changes.length + pending.length === 0) return undefined;
      const { last, described } = await numberChanges();
      if (!isBegun && last !== undefined && areInserts(pending)) {
        state.isReferredInJournal ||= changes.some(({ resource }) => REFERRED.has(resource.name));
        await journal.append(last, pending);
      } else await send('COMMIT');
      return described;
    },
    async rollback() {
      // Cached references may depend on the changes rolled back.
      if (changes.length > 0) state.known.clear();
      pending = [];
      changes = [];
      replacements = [];
      // A failed statement may have ended the transaction already.
      if (isBegun) await session.run('ROLLBACK').catch(() => undefined);
    },
  };
}

function areInserts(pending: readonly (string | Insert)[]): pending is readonly Insert[] {
  return pending.every((each) => typeof each !== 'string');
}
