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

/** A record that was written. */
export interface Change {
  /** Its table in the schema `source`, such as "tasks". */
  readonly resource: string;
  readonly record_id: string;
  /** Everybody whom the record named before or after, in its lists and teams too; a person's own id. */
  readonly people_ids: readonly (number | bigint)[];
  /** Every project that the record named before or after; a project's own id. */
  readonly project_ids: readonly (number | bigint)[];
}

/** What is done in the transaction of a refresh. */
export interface RefreshSteps {
  /** Reads what was written since the last refresh. It sees the records just as the refresh does, so it must not be read before. */
  readonly readChanges: (session: Database) => Promise<readonly Change[]>;
  /** Notes what the models are up to date with; called last. */
  readonly finish: (session: Database) => Promise<void>;
}

/** Keeps the stored models of a database up to date. */
export interface Refresher {
  /**
   * Brings the stored models up to date with the schema `source`, in one transaction: exactly to what a build from nothing would make of it.
   * Others read what was there until it is done, and may write records meanwhile: those are for the next one. Calls wait for each other.
   * @param signal Ends it; everything is then as it was.
   * @throws AppError check for a check that found violations; whatever fails, everything is as it was.
   */
  refresh(steps: RefreshSteps, signal?: AbortSignal): Promise<void>;
  /**
   * Tells whether a refresh would succeed after a change of the records, and undoes both.
   * @param change Changes records. Nobody else may write them meanwhile.
   */
  rehearse(change: (session: Database) => Promise<void>, steps: RefreshSteps, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** A change of the company's settings may change any line. */
const SETTINGS = 'settings';

/**
 * Opens what keeps the models of a database up to date.
 * @param database Prepared with prepareModels or openToWrites, open to write.
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

/** Tells whether the models aren't built yet, or the changes reach further than to some people and projects: to all of them, or to types. */
async function needsRebuild(session: Database, changes: readonly Change[]): Promise<boolean> {
  const resources = new Set(changes.map(({ resource }) => resource));
  if (resources.has(SETTINGS) || (await areOutlined(session))) return true;
  if (!resources.has('people')) return false;
  // A source of a cost rate that no contract has named before: sql/prelude/words.sql makes a type of these words.
  const words = await session.rows(`
    SELECT cost_rate_from FROM source.contracts
    WHERE cost_rate_from NOT IN (SELECT CAST(unnest(enum_range(NULL::cost_rate_source)) AS VARCHAR)) LIMIT 1`);
  return words.length > 0;
}

/** Lays the changes where sql/refresh reads them: the records, and the people and projects that they name, each once. */
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
 * Refreshes a part of a model, if anything that it follows from has changed.
 * @param changed The resources and models that have changed so far, and those that rows are gone from; the model is added when it changes.
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

/** Runs a check over what has changed; one that says nothing of it over everything. */
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
