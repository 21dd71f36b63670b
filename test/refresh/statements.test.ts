import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import type { Database } from '../../src/base/database/database.ts';
import { loadModels } from '../../src/numbers/model/models.ts';
import { openWorking, type StoredRecord, sqlFolder, type Working } from './working.ts';

/*
 * The statements that refreshes generate, for review: a change of what a write touches shows here as a change
 * of SQL. They may change freely; what a refresh must give is held by the histories.
 */

const DAY = { start_date: '2026-01-05', end_date: '2026-01-05' };
const HOURS = { people_id: 1, date: '2026-01-05', hours: 2 };

/** The files, and the change of each. Each touches one person or project at most: keys have no order. */
const CASES: readonly (readonly [file: string, resource: string, record: StoredRecord])[] = [
  ['logged-time', 'logged_time', { logged_time_id: 'h2', project_id: 1, ...HOURS }],
  ['logged-time-elsewhere', 'logged_time', { logged_time_id: 'h1', project_id: 2, ...HOURS }],
  ['allocation', 'tasks', { task_id: 1, project_id: 1, people_id: 1, ...DAY, hours: 4 }],
  ['person', 'people', { people_id: 1, name: 'Ana', role_id: 1, default_hourly_rate: '70' }],
  ['role', 'roles', { role_id: 1, name: 'Designer', default_hourly_rate: '50' }],
  ['project', 'projects', { project_id: 1, name: 'One', status: 4 }],
  ['expense', 'project_expenses', { project_expense_id: 1, project_id: 1, date: '2026-01-07', cost: '70' }],
  ['client', 'clients', { client_id: 1, name: 'Acme' }],
];

let company: Working;
let texts: readonly (readonly [select: string, file: string])[] = [];
let statements: string[] = [];

/** Returns the database with its statements written down, the models' own by the names of their files. */
function watch(database: Database): Database {
  const note = (sql: string) =>
    statements.push(texts.reduce((text, [select, file]) => text.replaceAll(select, `sql/${file}`), sql));
  return {
    ...database,
    session: async () => watch(await database.session()),
    run(sql: string) {
      note(sql);
      return database.run(sql);
    },
    rows<Row>(sql: string) {
      note(sql);
      return database.rows<Row>(sql);
    },
  };
}

beforeAll(async () => {
  company = await openWorking({ people: [{ people_id: 1, name: 'Ana' }] }, watch);
  const models = await loadModels(company.database, sqlFolder);
  texts = models.map(({ select, file }) => [select, file]);
  await company.put('roles', { role_id: 1, name: 'Designer' });
  await company.put('people', { people_id: 1, name: 'Ana', role_id: 1 });
  await company.put('clients', { client_id: 1, name: 'Acme & Sons' });
  await company.put('projects', { project_id: 1, name: 'One', client_id: 1 });
  await company.put('tasks', { task_id: 1, project_id: 1, people_id: 1, ...DAY, hours: 8 });
  await company.put('logged_time', { logged_time_id: 'h1', project_id: 1, ...HOURS });
  await company.refresh();
  await company.keep();
});

afterAll(() => company.close());

it.each(CASES)('a change: %s', { tags: ['slow'] }, async (file, resource, record) => {
  await company.reset();
  await company.put(resource, record);
  statements = [];
  await company.refresh();
  const golden = join(packageDirectory, 'test', 'refresh', 'statements', `${file}.sql`);
  await expect(`${statements.map((sql) => `${sql.trim()};`).join('\n\n')}\n`).toMatchFileSnapshot(golden);
  await company.expectRebuilt(file);
});
