import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/base/database/database.ts';
import { type RunOptions, runSync } from '../../../src/store/sync/sync-run.ts';
import { makeFolder, type Opened, openData } from '../../live/data.ts';
import { openMemorySource, withoutPublishing } from '../../live/memory-source.ts';
import { priced } from '../../published/dataset.ts';
import { buildCompany } from '../../sql/company.ts';
import { openRecords, type RecordsSource } from '../../sync/records-source.ts';

let folder: string;
let synced: Opened;
let source: RecordsSource;

const partsOf = (database: Database) => {
  return { puller: source, live: synced, database, file: join(folder, 'company.duckdb'), memoryLimitMib: 256 };
};

const run = (options: RunOptions = {}) => runSync(partsOf(synced.source.database), options);

/** Reads every record and every line of a database, without the places of rejected records. */
async function readAll(database: Database): Promise<Record<string, unknown>> {
  const tables = await database.rows<{ name: string; columns: string[] }>(`
    SELECT table_name AS name, list(column_name ORDER BY column_index) AS columns FROM duckdb_columns()
    WHERE schema_name = 'source' AND table_name NOT IN ('generation', 'files', 'load_counts', 'load_notes', 'settings')
      AND database_name = current_database()
      AND column_name NOT IN ('file', 'position') GROUP BY table_name ORDER BY name`);
  const read = async ({ name, columns }: { name: string; columns: string[] }) =>
    [name, await database.rows(`SELECT ${columns.join(', ')} FROM source.${name} ORDER BY ALL`)] as const;
  return {
    ...Object.fromEntries(await Promise.all(tables.map(read))),
    notes: await database.rows("FROM source.load_notes WHERE kind = 'unknown field' ORDER BY ALL"),
    counts: await database.rows(
      'SELECT resource, loaded, set_aside, items_set_aside FROM source.load_counts ORDER BY resource',
    ),
    lines: await database.rows('FROM marts.lines ORDER BY ALL'),
    findings: await database.rows(`
      SELECT * REPLACE (regexp_replace(detail, '^([a-z_]+.json, record \\d+|from the source)', '') AS detail)
      FROM marts.data_quality ORDER BY ALL`),
  };
}

/** Reads what a load of the source's records as files holds, but that the source doesn't tell who set days, as files do (K3). */
async function readLoaded(): Promise<Record<string, unknown>> {
  const loaded = await openMemorySource(await buildCompany(source.records), join(folder, 'loaded'), new Date());
  const read = await readAll(loaded.database).finally(loaded.close);
  const projects = (read['projects'] as readonly object[]).map((row) => ({ ...row, dates_from: 'unknown' }));
  return { ...read, projects };
}

/** Reads what the synced database holds, with the numbers of its last write. */
async function readSynced(): Promise<Record<string, unknown>> {
  await synced.generations.settle();
  return readAll(synced.source.database);
}

/** Compares like toEqual, which takes seconds for 50,000 rows even if they are equal. */
function expectSame(found: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toEqual(expected);
}

/** Changes a record of the source, or adds it. */
function put(resource: string, record: Record<string, unknown>): void {
  const id = Object.keys(record)[0] ?? '';
  const list = (source.records[resource] ?? []) as Record<string, unknown>[];
  const index = list.findIndex((other) => other[id] === record[id]);
  const next = { ...TIMES, ...list[index], modified: '2026-03-01 08:00:00', ...record };
  source.records[resource] = index < 0 ? [...list, next] : list.with(index, next);
  source.changed[resource] = [...(source.changed[resource] ?? []), next];
}

function drop(resource: string, id: string, value: unknown): void {
  const list = (source.records[resource] ?? []) as Record<string, unknown>[];
  source.records[resource] = list.filter((record) => record[id] !== value);
  const log = source.deleted[resource] ?? [];
  source.deleted[resource] = [...log, { id: String(value), at: '2026-03-02 08:00:00' }];
}

const TIMES = { created: '2026-01-01 08:00:00', modified: '2026-01-02 08:00:00' };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-sync-'));
  const { settings: _, ...records } = priced;
  const timed = Object.entries(records).map(([name, list]) => [name, list.map((record) => ({ ...record, ...TIMES }))]);
  source = openRecords(folder, Object.fromEntries(timed));
  // The numbers are refreshed when they are read.
  const limits = { refreshDelayMs: 1_000_000 };
  synced = await openData((await makeFolder('nothing')).file, { limits, wrap: withoutPublishing });
});
afterAll(async () => {
  await synced.close();
  rmSync(folder, { recursive: true });
});

describe('a first run', () => {
  it('leaves the records, the lines and the findings of a load of the same lists', async () => {
    const summary = await run();
    expect(summary).toMatchObject({ result: 'ok', isFull: true, changed: 0, gone: 0, setAside: 1 });
    expect(summary.new).toBeGreaterThan(10);
    expectSame(await readSynced(), await readLoaded());
  });
});

describe('a later run', () => {
  it('changes nothing when nothing changed, and tells when it was', async () => {
    const before = synced.generations.current().company;
    expect(await run()).toMatchObject({ result: 'ok', new: 0, changed: 0, gone: 0 });
    await synced.generations.settle();
    expect(synced.generations.current().company.dataVersion).toBe(before.dataVersion);
  });

  it('goes on while a statement still reads the records of the run before', async () => {
    const reader = await synced.source.database.session();
    const { finish } = source;
    source.finish = async () => {
      await reader.run('BEGIN');
      await reader.rows('SELECT count(*) FROM pulled.source.people');
      await finish();
    };
    put('people', { people_id: 4, name: 'Dee' });
    expect(await run()).toMatchObject({ result: 'ok' });
    source.finish = finish;
    put('people', { people_id: 4, name: 'Di' });
    expect(await run()).toMatchObject({ result: 'ok', changed: 1 });
    await reader.run('ROLLBACK');
    await reader.close();
  });

  it('reads a list whole of which the source counts more or fewer records than are known', async () => {
    const tasks = source.records['tasks'] ?? [];
    const unseen = {
      task_id: 69,
      people_id: 1,
      project_id: 1,
      start_date: '2026-02-02',
      end_date: '2026-02-02',
      hours: 2,
    };
    source.records['tasks'] = [...tasks, { ...TIMES, ...unseen }];
    const run69 = await run();
    expect(run69).toMatchObject({ isFull: false, new: 1, changed: 0, gone: 0 });
    expect(run69.notes).toContainEqual(expect.stringContaining('tasks'));
    source.records['tasks'] = tasks;
    expect(await run()).toMatchObject({ isFull: false, gone: 1 });
    // A source that counts wrong is believed once.
    source.miscounted['tasks'] = 5;
    expect((await run()).reads).toContainEqual({ resource: 'tasks', read: tasks.length });
    expect((await run()).reads).toContainEqual({ resource: 'tasks', read: 0 });
    source.miscounted = {};
    expect(await run()).toMatchObject({ new: 0, changed: 0, gone: 0 });
  });

  it('brings new, changed and deleted records of large and small lists', async () => {
    put('people', { people_id: 9, name: 'Eve', cost_rate: '50' });
    put('people', { people_id: 4, name: 'Dee Dee', tags: ['new'] });
    put('tasks', { task_id: 1, hours: '3.25' });
    put('tasks', {
      task_id: 70,
      people_ids: [9, 1],
      project_id: 1,
      start_date: '2026-02-02',
      end_date: '2026-02-06',
      hours: 4,
    });
    drop('tasks', 'task_id', 3);
    expect(await run()).toMatchObject({ new: 2, changed: 2, gone: 1, isFull: false });
  });

  it('takes a deletion over an older version of a record, and a newer version over a deletion', async () => {
    put('tasks', {
      task_id: 71,
      people_id: 1,
      project_id: 1,
      start_date: '2026-02-02',
      end_date: '2026-02-06',
      hours: 1,
    });
    put('tasks', {
      task_id: 72,
      people_id: 1,
      project_id: 1,
      start_date: '2026-02-02',
      end_date: '2026-02-06',
      hours: 1,
    });
    source.deleted['tasks'] = [
      { id: '72', at: '2026-02-28 08:00:00' },
      ...Array.from({ length: 50 }, () => ({ id: '71', at: '2026-03-02 08:00:00' })),
      { id: '4000', at: '2026-03-02 08:00:00' },
    ];
    source.records['tasks'] = (source.records['tasks'] ?? []).filter(
      (task) => (task as { task_id: number }).task_id !== 71,
    );
    expect(await run()).toMatchObject({ new: 1, changed: 0, gone: 0 });
  });

  it('takes a record for gone that is newer than its deletion, if the source no longer has it', async () => {
    const task = { people_id: 1, project_id: 1, start_date: '2026-02-02', end_date: '2026-02-06', hours: 1 };
    put('tasks', { task_id: 73, ...task });
    expect(await run()).toMatchObject({ new: 1 });
    put('tasks', { task_id: 73, modified: '2026-03-01 08:05:00' });
    put('tasks', { task_id: 74, people_ids: [1, 2], ...task });
    const deletedEarlier = (id: string) => ({ id, at: '2026-03-01 07:55:00' });
    drop('tasks', 'task_id', 73);
    drop('tasks', 'task_id', 74);
    source.deleted['tasks'] = ['73', '74'].map(deletedEarlier);
    expect(await run()).toMatchObject({ new: 0, changed: 0, gone: 1 });
  });

  it('sets a record aside that can no longer be right, and takes it back when it is right again', async () => {
    put('tasks', { task_id: 2, hours: '25' });
    expect(await run()).toMatchObject({ gone: 1, setAside: 1 });
    put('tasks', { task_id: 2, hours: '7.5' });
    expect(await run()).toMatchObject({ new: 1, setAside: 0 });
  });

  it('sets a record of a whole list aside that can no longer be right', async () => {
    put('people', { people_id: 4, cost_rate: '-1' });
    expect(await run()).toMatchObject({ gone: 1, setAside: 1 });
    // The records of large lists are those of all runs before, none of which read them whole again.
    expectSame(await readSynced(), await readLoaded());
    put('people', { people_id: 4, cost_rate: null });
    expect(await run()).toMatchObject({ new: 1 });
  });

  it('keeps a record that a list lacks while the source still has it', async () => {
    const people = source.records['people'] ?? [];
    source.records['people'] = people.slice(1);
    source.present.add('people 1');
    expect(await run()).toMatchObject({ gone: 0 });
    source.present.clear();
    expect(await run()).toMatchObject({ gone: 1 });
    source.records['people'] = people;
    expect(await run()).toMatchObject({ new: 1 });
  });

  it('keeps the times of a record that tells none, until it changes', async () => {
    const list = source.records['clients'] ?? [];
    source.records['clients'] = [{ client_id: 1, name: 'Client' }];
    expect(await run()).toMatchObject({ changed: 0 });
    source.records['clients'] = [{ client_id: 1, name: 'Kestrel' }];
    expect(await run()).toMatchObject({ changed: 1 });
    const read = () =>
      synced.source.database.rows(
        'SELECT CAST(created AS VARCHAR) AS created, CAST(modified AS VARCHAR) AS modified FROM source.clients',
      );
    expect(await read()).toEqual([{ created: TIMES.created, modified: '2026-06-15 12:00:00' }]);
    source.records['clients'] = list;
    expect(await run()).toMatchObject({ changed: 1 });
  });

  it('writes nothing when it is dry, and counts what it would', async () => {
    const before = await readSynced();
    put('people', { people_id: 9, name: 'Eva' });
    expect(await run({ isDry: true })).toMatchObject({ changed: 1 });
    expectSame(await readSynced(), before);
    expect(await run()).toMatchObject({ changed: 1 });
  });
});

describe('a run that can not clear up', () => {
  it('is followed by a good one', async () => {
    const { database } = synced.source;
    const session = async () => {
      const opened = await database.session();
      let isAttached = false;
      const runOrFail: typeof opened.run = async (sql, ...more) => {
        if (isAttached && sql.startsWith('DETACH')) throw new Error('Failed on purpose');
        isAttached ||= sql.startsWith('ATTACH');
        await opened.run(sql, ...more);
      };
      return { ...opened, run: runOrFail };
    };
    put('tasks', { task_id: 1, notes: 'Left attached' });
    await expect(runSync(partsOf({ ...database, session }), {})).rejects.toThrow('Failed on purpose');
    put('tasks', { task_id: 1, notes: 'Good again' });
    expect(await run()).toMatchObject({ changed: 1 });
  });
});

describe('a full run', () => {
  it('finds by comparison what is gone, new and changed', async () => {
    drop('timeoffs', 'timeoff_id', 1);
    put('tasks', { task_id: 1, notes: 'Again' });
    source.changed = {};
    source.deleted = {};
    expect(await run({ isFull: true })).toMatchObject({ isFull: true, changed: 1 });
    expectSame(await readSynced(), await readLoaded());
  });

  it('takes a deletion that came after a list was read, although the list is the same as before', async () => {
    await run({ isFull: true });
    const { pull } = source;
    source.deleted['tasks'] = [{ id: '70', at: '2026-03-02 08:00:00' }];
    source.pull = async (...asked) => {
      source.pull = pull;
      const pulled = await pull(...asked);
      drop('tasks', 'task_id', 70);
      return pulled;
    };
    expect(await run({ isFull: true })).toMatchObject({ gone: 1 });
    expectSame(await readSynced(), await readLoaded());
  });
});

describe('a run that must not be', () => {
  it('a large part of a resource would vanish', async () => {
    const many = Array.from({ length: 100 }, (_, index) => ({ department_id: index + 1, name: `D${index}`, ...TIMES }));
    source.records['departments'] = many;
    await run();
    const before = await readSynced();
    source.records['departments'] = many.slice(0, 79);
    await expect(run()).rejects.toThrow('The source no longer has 21 of 100 departments');
    expectSame(await readSynced(), before);
    expect(await run({ acceptsShrink: true })).toMatchObject({ gone: 21 });
  });

  it('the source shows no cost rate any more', async () => {
    const { people = [], roles = [] } = source.records;
    source.records['people'] = people.map((person) => ({ ...person, cost_rate: null, contracts: [] }));
    source.records['roles'] = roles.map((role) => ({ ...role, cost_rate_history: [] }));
    await expect(run()).rejects.toThrow(/^The source shows no cost rate, and the database has \d+$/);
    expect((await run({ acceptsShrink: true })).notes).toEqual([
      'There is no cost rate, so costs are unknown. The token may lack the right to read rates.',
    ]);
    source.records['people'] = people;
    source.records['roles'] = roles;
    expect((await run()).notes).toEqual([]);
  });

  it('the source is another company', async () => {
    const before = await readSynced();
    const people = source.records['people'] ?? [];
    source.records['people'] = [{ people_id: 1, name: 'Somebody else', ...TIMES }];
    await expect(run()).rejects.toThrow('https://api.example.com is another company than the database holds');
    source.records['people'] = people;
    expectSame(await readSynced(), before);
  });

  it('the only account has another address: people tell that the company is the same', async () => {
    const account = { account_id: 1, name: 'Ana', email: 'ana@example.com', ...TIMES };
    source.records['accounts'] = [account];
    await run();
    source.records['accounts'] = [{ ...account, email: 'ana@example.org' }];
    await expect(run()).resolves.toBeDefined();
    const people = source.records['people'] ?? [];
    source.records['people'] = [{ people_id: 1, name: 'Somebody else', ...TIMES }];
    source.records['accounts'] = [account];
    await expect(run()).rejects.toThrow(/none of its 1 accounts is .* and none of its 1 people is among/);
    source.records['people'] = people;
    await run();
  });
});

describe('a run with more changes than are noted one by one', () => {
  it('leaves the same numbers, and notes every deletion', async () => {
    const tasks = Array.from({ length: 12_000 }, (_, index) => ({
      task_id: 1000 + index,
      people_id: 1 + (index % 4),
      project_id: 1,
      start_date: '2026-03-02',
      end_date: '2026-03-02',
      hours: 1,
      ...TIMES,
    }));
    source.records['tasks'] = [...(source.records['tasks'] ?? []), ...tasks];
    drop('tasks', 'task_id', 1);
    expect(await run({ isFull: true })).toMatchObject({ new: 12_000, gone: 1 });
    expectSame(await readSynced(), await readLoaded());
    const { database } = synced.source;
    expect(
      await database.rows(
        "SELECT record_id FROM service.changes WHERE method = 'DELETE' ORDER BY change_id DESC LIMIT 1",
      ),
    ).toEqual([{ record_id: '1' }]);
  });
});

describe('time off that names its type', () => {
  it('keeps a type that the list lacks no longer than its last time off', async () => {
    const timeoff = { people_ids: [1], start_date: '2026-04-01', end_date: '2026-04-01', full_day: 1 };
    put('timeoff_types', { timeoff_type_id: 50, timeoff_type_name: 'Sabbatical' });
    put('timeoff_types', { timeoff_type_id: 51, timeoff_type_name: 'Jury duty' });
    put('timeoffs', { timeoff_id: 90, timeoff_type_id: 50, ...timeoff });
    put('timeoffs', { timeoff_id: 91, timeoff_type_id: 51, ...timeoff });
    expect(await run()).toMatchObject({ new: 4 });
    drop('timeoff_types', 'timeoff_type_id', 50);
    drop('timeoff_types', 'timeoff_type_id', 51);
    drop('timeoffs', 'timeoff_id', 90);
    expect(await run()).toMatchObject({ gone: 2 });
    put('timeoffs', { timeoff_id: 91, timeoff_type_id: 1 });
    const summary = await run();
    expect(summary).toMatchObject({ changed: 1, gone: 1 });
    expect(summary.differences).toContainEqual({ resource: 'timeoff_types', what: 'gone', count: 1 });
  });

  it('takes a type of time off for new only if none is known', async () => {
    put('timeoffs', {
      timeoff_id: 80,
      people_ids: [1],
      timeoff_type_id: 1,
      start_date: '2026-04-01',
      end_date: '2026-04-01',
      full_day: 1,
    });
    put('timeoffs', {
      timeoff_id: 81,
      people_ids: [1],
      timeoff_type_id: 99,
      timeoff_type_name: 'Moon',
      start_date: '2026-04-02',
      end_date: '2026-04-02',
      full_day: 1,
    });
    const { differences } = await run();
    expect(differences.filter(({ resource }) => resource === 'timeoff_types')).toEqual([
      { resource: 'timeoff_types', what: 'new', count: expect.any(Number) },
    ]);
    put('timeoffs', { timeoff_id: 81, people_ids: [1], timeoff_type_id: 99, timeoff_type_name: 'Moon', notes: 'Full' });
    expect((await run()).differences).toEqual([{ resource: 'timeoffs', what: 'changed', count: 1 }]);
  });
});

describe('a database with changes of its own', () => {
  it('is not synced', async () => {
    const id = await synced.logHour();
    await expect(run()).rejects.toThrow(`the last is logged_time record ${id}`);
  });
});

describe('sync.runs and sync.changes', () => {
  it('have a row for each run and each record', async () => {
    const runs = await synced.source.database.rows<{ result: string; changes: number }>(`
      SELECT runs.result, count(changes.run_id) AS changes
      FROM sync.runs LEFT JOIN sync.changes USING (run_id) WHERE new + changed + gone <> 0 OR result = 'failed'
      GROUP BY run_id, result, new + changed + gone
      HAVING count(changes.run_id) = new + changed + gone OR result = 'failed' ORDER BY run_id`);
    const all = await synced.source.database.rows(
      "FROM sync.runs WHERE new + changed + gone <> 0 OR result = 'failed'",
    );
    expect(runs.length).toBe(all.length);
    expect(runs.filter(({ result }) => result === 'failed')).toHaveLength(6);
  });
});
