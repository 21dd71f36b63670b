import { type Database, quoteText, readUntil } from '../../database/database.ts';
import { createSerialQueue } from '../../database/serial-queue.ts';
import { steps } from '../../database/steps.ts';
import { areOutlined, rebuildModels, runCheck } from '../build.ts';
import { type Check, loadChecks, loadModels, type Model, qualifiedName } from '../models.ts';
import {
  addRows,
  clearChanged,
  createChanged,
  type Keys,
  matchKeys,
  readChangedKeys,
  readColumns,
  replaceRows,
} from './difference.ts';
import { GONE, loadParts, type Part } from './parts.ts';

export interface Change {
  /** Its table in the schema `source`, such as "tasks". */
  readonly resource: string;
  readonly record_id: string;
  /** People referenced before or after, including in lists and teams; a person's own id. */
  readonly people_ids: readonly (number | bigint)[];
  /** Projects referenced before or after; a project's own id. */
  readonly project_ids: readonly (number | bigint)[];
}

export interface RefreshSteps {
  /**
   * Reads the writes since the last refresh.
   * Called within the transaction, so that it sees the same records as the refresh.
   */
  readonly readChanges: (session: Database) => Promise<readonly Change[]>;
  /** Records the state that the models are up to date with; called last. */
  readonly finish: (session: Database) => Promise<void>;
}

export interface Refresher {
  /**
   * Updates the stored models in one transaction, with the same result as a full build.
   * Readers see the old models until it ends; writes meanwhile belong to the next refresh.
   * Calls run one after another.
   * @param signal Aborts it and rolls back.
   * @throws AppError check for a check with violations; any error rolls back.
   */
  refresh(steps: RefreshSteps, signal?: AbortSignal): Promise<void>;
  /**
   * Returns whether a refresh would succeed after a change of the records, and rolls back both.
   * @param change Changes records. No one else may write them meanwhile.
   */
  rehearse(change: (session: Database) => Promise<void>, steps: RefreshSteps, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
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
  const parts = loadParts(directory, models);
  const stored = models.filter(({ storage }) => storage === 'table');
  const session = await database.session();
  await createChanged(session, stored);
  const columns = await readColumns(session, stored);
  const inTurn = createSerialQueue();
  const work = async (session: Database, { readChanges, finish }: RefreshSteps) => {
    const changes = await readChanges(session);
    if (await needsRebuild(session, changes)) {
      await rebuildModels(session, directory, models);
      for (const check of checks) await runCheck(session, check);
      await createChanged(session, stored);
    } else {
      await listChanges(session, changes);
      const changed = new Set(changes.map(({ resource }) => resource));
      for (const part of parts) await refreshPart(session, part, columns.get(part.model) ?? [], changed);
      for (const check of checks) await runCheckAfter(session, check, models, changed);
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
    refresh: (given, signal = new AbortController().signal) =>
      inTurn(() => steps.take('refresh', () => session.transaction(() => workUntil(signal, given)))),
    rehearse: (change, given, signal) =>
      inTurn(async () => {
        await session.run('BEGIN');
        try {
          await workUntil(signal, given, change);
          return true;
        } catch {
          return false;
        } finally {
          await session.run('ROLLBACK').catch(() => undefined);
        }
      }),
    close: () => session.close(),
  };
}

/** Returns whether to rebuild: models not built yet, or changes beyond some people and projects. */
async function needsRebuild(session: Database, changes: readonly Change[]): Promise<boolean> {
  const resources = new Set(changes.map(({ resource }) => resource));
  if (resources.has(SETTINGS) || (await areOutlined(session))) return true;
  if (!resources.has('people')) return false;
  // A new source of a cost rate needs a new type: see sql/prelude/words.sql.
  const words = await session.rows(`
    SELECT cost_rate_from FROM source.contracts
    WHERE cost_rate_from NOT IN (SELECT CAST(unnest(enum_range(NULL::cost_rate_source)) AS VARCHAR)) LIMIT 1`);
  return words.length > 0;
}

/** Writes the changed records, people and projects to the tables that sql/refresh reads. */
async function listChanges(session: Database, changes: readonly Change[]): Promise<void> {
  const record = ({ resource, record_id }: Change) => `${quoteText(resource)}, ${quoteText(record_id)}`;
  const named = (ids: 'people_ids' | 'project_ids') =>
    changes.flatMap((change) => change[ids].map((id) => `${record(change)}, ${id}`));
  const tables = {
    changed_records: [
      'id',
      changes.map((change) => `${record(change)}, TRY_CAST(${quoteText(change.record_id)} AS BIGINT)`),
    ],
    named_people: ['people_id', named('people_ids')],
    named_projects: ['project_id', named('project_ids')],
  } as const;
  const statements = Object.entries(tables).flatMap(([table, [id, rows]]) => [
    `CREATE OR REPLACE TEMP TABLE ${table} (resource VARCHAR, record_id VARCHAR, ${id} BIGINT)`,
    ...(rows.length > 0 ? [`INSERT INTO ${table} VALUES (${[...new Set(rows)].join('), (')})`] : []),
  ]);
  await session.run(statements.join('; '));
}

/**
 * Refreshes a part of a model if one of its causes has changed.
 * @param changed Resources and models changed so far, and rows gone; adds the model if it changes.
 */
async function refreshPart(
  session: Database,
  part: Part,
  columns: readonly string[],
  changed: Set<string>,
): Promise<void> {
  if (!part.causes.some((cause) => changed.has(cause))) return;
  const keys = await session.rows<Keys[number]>(part.select);
  if (keys.length === 0) return;
  const { model, file, made, isAddition } = part;
  const where = `${part.where} AND ${matchKeys(part.keys, keys)}`;
  const bringUp = isAddition ? addRows : replaceRows;
  const { gone, come } = await bringUp(session, { model, columns, part: file, where, made });
  if (gone + come > 0) changed.add(qualifiedName(model));
  if (gone > 0) changed.add(`${GONE}${qualifiedName(model)}`);
}

/** Runs a check over the changed rows, or over all rows if it has no scope. */
async function runCheckAfter(
  session: Database,
  check: Check,
  models: readonly Model[],
  changed: ReadonlySet<string>,
): Promise<void> {
  if (!check.scope) return runCheck(session, check);
  const { causes, keys: columns } = check.scope;
  const causing = models.filter((model) => causes.includes(qualifiedName(model)) && changed.has(qualifiedName(model)));
  const keys = await readChangedKeys(session, causing, columns);
  if (keys.length === 0) return;
  const select = `SELECT * FROM (${check.select}) AS violations WHERE ${matchKeys(columns, keys)}`;
  await runCheck(session, { ...check, select });
}
