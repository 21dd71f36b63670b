import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { closeToWrites, openToWrites } from '../../src/numbers/model/working.ts';
import { COMPARED_CONTRACTS } from '../../src/numbers/report/source/relations.ts';
import { loadCompany } from '../sql/company.ts';
import { sqlFolder } from './working.ts';

let database: Database;
let remove: () => void;

beforeAll(async () => {
  const company = await loadCompany({
    people: [{ people_id: 1, name: 'Ana', role_id: 3 }],
    logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: 5, date: '2026-01-05', hours: 1 }],
  });
  remove = company.remove;
  database = await openDatabase(company.file);
});

afterAll(async () => {
  await database.close();
  remove();
});

const readKind = () =>
  database.rows(`
    SELECT 'table' AS kind, comment FROM duckdb_tables() WHERE table_name = 'data_quality'
    UNION ALL SELECT 'view', comment FROM duckdb_views() WHERE view_name = 'data_quality'`);

test('the findings are a view during writes, and a table again at rest', async () => {
  const readFindings = () => database.rows('FROM marts.data_quality ORDER BY ALL');
  const findings = await readFindings();
  expect(findings.length).toBeGreaterThan(2);
  const comment = expect.stringMatching(/^One row per finding/);
  expect(await readKind()).toEqual([{ kind: 'table', comment }]);
  for (const _ of ['once', 'again']) await openToWrites(database, sqlFolder);
  expect(await readKind()).toEqual([{ kind: 'view', comment }]);
  expect(await readFindings()).toEqual(findings);
  for (const _ of ['once', 'again']) await closeToWrites(database, sqlFolder);
  expect(await readKind()).toEqual([{ kind: 'table', comment }]);
  expect(await readFindings()).toEqual(findings);
});

test('what reports read of contracts are tables during writes, but for what depends on the day of the load', async () => {
  await openToWrites(database, sqlFolder);
  const views = await database.rows<{ name: string }>(
    "SELECT schema_name || '.' || view_name AS name FROM duckdb_views() WHERE schema_name IN ('core', 'marts')",
  );
  await closeToWrites(database, sqlFolder);
  // A statement plans each view as often as it names it: those of what every report of money reads would take seconds.
  expect(COMPARED_CONTRACTS.filter((relation) => views.some(({ name }) => name === relation)).sort()).toEqual([
    'core.lines',
    'core.retainer_calendar',
    'core.retainer_days',
    'core.retainer_periods',
    'marts.phases',
  ]);
});
