import { createSerialQueue, type Database, readUntil, steps } from '../../../base/database/index.ts';
import { areOutlined, rebuildModels, runCheck } from '../build.ts';
import { duckdbEngine } from '../engine/duckdb.ts';
import { type Check, loadChecks, loadModels, type Model, qualifiedName } from '../models.ts';
import {
  addRows,
  clearChanged,
  createChanged,
  type Keys,
  matchKeys,
  readChangedKeys,
  readModelColumns,
  replaceRows,
} from './difference.ts';
import { loadTouched, makeParts, type Part } from './parts.ts';
import { openStateBefore, type StateBefore } from './state-before.ts';
import { listTouched, type RecordChange } from './touched.ts';

export interface RefreshSteps {
  /**
   * Reads the writes since the last refresh.
   * Called within the transaction, so that it sees the same records as the refresh.
   */
  readonly readChanges: (session: Database) => Promise<readonly RecordChange[]>;
  /**
   * Looks at what has changed, in the temporary tables of changed rows, before it is committed.
   * @param isRebuilt True if everything was built again, so that these tables are empty.
   * @throws to undo all.
   */
  readonly inspect?: (session: Database, isRebuilt: boolean) => Promise<void>;
  /** Records the state that the models are up to date with; called last. */
  readonly finish: (session: Database) => Promise<void>;
}

export interface Refresher {
  /**
   * Updates the stored models in one transaction, with the same result as a full build.
   * Readers see the old models until it ends; writes meanwhile belong to the next refresh.
   * Calls run one after another.
   * @param signal Aborts it and rolls back.
   * @param change Changes records in the same transaction. No one else may write them meanwhile.
   * @throws AppError check for a check with violations; any error rolls back.
   */
  refresh(steps: RefreshSteps, signal?: AbortSignal, change?: (session: Database) => Promise<void>): Promise<void>;
  /**
   * Returns whether a refresh would succeed after a change of the records, and rolls back both.
   * @param change Changes records. No one else may write them meanwhile.
   */
  dryRun(change: (session: Database) => Promise<void>, steps: RefreshSteps, signal: AbortSignal): Promise<boolean>;
  /**
   * Runs work in a transaction that is rolled back, with the state before it as relations of their own.
   * @param copied Further relations that these have, beside the lines.
   */
  preview<T>(work: (stage: Stage) => Promise<T>, copied: readonly string[], signal: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

/** A transaction that is never committed. */
export interface Stage {
  /** Sees the records and models of the transaction. */
  readonly session: Database;
  /** The name that qualifies the relations of the state before, in statements of the session. */
  readonly catalog: StateBefore['catalog'];
  /** Updates the stored models with the changes so far. No one else may write records meanwhile. */
  refresh(steps: RefreshSteps): Promise<void>;
}

/** A change of the company's settings may affect any line. */
const SETTINGS = 'settings';

/**
 * Opens the refresher of a database.
 * @param database Prepared with prepareModels or openToWrites, and writable.
 * @param directory The folder sql/.
 * @throws AppError definition when a file of sql/ can't be read.
 */
export async function openRefresher(database: Database, directory: string): Promise<Refresher> {
  const models = await loadModels(database, directory);
  const checks = loadChecks(directory);
  const parts = makeParts(models);
  const touched = loadTouched(directory);
  const stored = models.filter(({ storage }) => storage === 'table');
  const session = await database.session();
  await createChanged(session, stored);
  const columns = await readModelColumns(session, stored);
  const inTurn = createSerialQueue();
  const work = async (session: Database, { readChanges, inspect, finish }: RefreshSteps) => {
    const engine = duckdbEngine(session, directory);
    const changes = await readChanges(session);
    const isRebuilt = await needsRebuild(session, changes);
    if (isRebuilt) {
      await rebuildModels(session, directory, models);
      for (const check of checks) await runCheck(engine, check);
      await createChanged(session, stored);
      await inspect?.(session, isRebuilt);
    } else {
      await listTouched(session, changes, touched);
      const changed = new Set(changes.flatMap(({ tables }) => tables.map((table) => `source.${table}`)));
      for (const part of parts) await refreshPart(session, part, columns.get(part.model) ?? [], changed);
      for (const check of checks) {
        const narrowed = await narrowCheck(session, check, models, changed);
        if (narrowed) await runCheck(engine, narrowed);
      }
      await inspect?.(session, isRebuilt);
      await clearChanged(
        session,
        stored.filter((model) => changed.has(qualifiedName(model))),
      );
    }
    await finish(session);
  };
  const workUntil = async (signal: AbortSignal, given: RefreshSteps, change?: (session: Database) => Promise<void>) => {
    signal.throwIfAborted();
    const until = readUntil(signal, session);
    await change?.(until);
    await work(until, given);
  };
  return {
    refresh: (given, signal = new AbortController().signal, change = undefined) =>
      inTurn(() => steps.take('refresh', () => session.transaction(() => workUntil(signal, given, change)))),
    dryRun: (change, given, signal) =>
      inTurn(() =>
        undo(session, () => workUntil(signal, given, change)).then(
          () => true,
          () => false,
        ),
      ),
    preview: (run, copied, signal) =>
      inTurn(async () => {
        signal.throwIfAborted();
        const until = readUntil(signal, session);
        const before = await openStateBefore(session, models, copied);
        const refresh: Stage['refresh'] = ({ inspect, ...given }) =>
          work(until, {
            ...given,
            async inspect(inner, isRebuilt) {
              await inspect?.(inner, isRebuilt);
              await before.keep();
            },
          });
        try {
          return await undo(session, () => run({ session: until, catalog: before.catalog, refresh }));
        } finally {
          await before.close();
        }
      }),
    close: () => session.close(),
  };
}

/** Runs work in a transaction, and rolls it back. */
async function undo<T>(session: Database, work: () => Promise<T>): Promise<T> {
  await session.run('BEGIN');
  try {
    return await work();
  } finally {
    await session.run('ROLLBACK').catch(() => undefined);
  }
}

/** Returns whether to rebuild: models not built yet, or changes beyond some people and projects. */
async function needsRebuild(session: Database, changes: readonly RecordChange[]): Promise<boolean> {
  const resources = new Set(changes.map(({ resource }) => resource));
  if (resources.has(SETTINGS) || (await areOutlined(session))) return true;
  if (!resources.has('people')) return false;
  // A new source of a cost rate needs a new type: see sql/prelude/words.sql.
  const words = await session.rows(`
    SELECT cost_rate_from FROM source.contracts
    WHERE cost_rate_from NOT IN (SELECT CAST(unnest(enum_range(NULL::cost_rate_source)) AS VARCHAR)) LIMIT 1`);
  return words.length > 0;
}

/**
 * Refreshes a part of a model if what it reads has changed.
 * @param changed Tables of records and models changed so far; adds the model if it changes.
 */
async function refreshPart(
  session: Database,
  part: Part,
  columns: readonly string[],
  changed: Set<string>,
): Promise<void> {
  if (![...changed].some((name) => part.reads.has(name))) return;
  const keys = await session.rows<Keys[number]>(part.select);
  if (keys.length === 0) return;
  const { number, model, made, isAddition } = part;
  const where = `${part.where} AND ${matchKeys(part.keys, keys)}`;
  const bringUp = isAddition ? addRows : replaceRows;
  const { gone, come } = await bringUp(session, { model, columns, part: number, where, made });
  if (gone + come > 0) changed.add(qualifiedName(model));
}

/** Narrows a check to the changed rows, if it has a scope. Returns undefined if there are none, or only builds run it. */
async function narrowCheck(
  session: Database,
  check: Check,
  models: readonly Model[],
  changed: ReadonlySet<string>,
): Promise<Check | undefined> {
  if (check.isOfBuilds) return undefined;
  if (!check.scope) return check;
  const { causes, keys: columns } = check.scope;
  const causing = models.filter((model) => causes.includes(qualifiedName(model)) && changed.has(qualifiedName(model)));
  const keys = await readChangedKeys(session, causing, columns);
  if (keys.length === 0) return undefined;
  return { ...check, select: `SELECT * FROM (${check.select}) AS violations WHERE ${matchKeys(columns, keys)}` };
}
