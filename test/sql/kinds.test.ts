import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { buildModels } from '../../src/numbers/model/build.ts';
import { readLineKinds } from '../../src/numbers/relation/line-kinds.ts';
import { sqlDirectory } from '../../src/numbers/relation/sql-file.ts';
import { buildCompany } from './company.ts';

/** A kind of lines that nothing but its file knows: a voucher of 30 for each project, on its first day. */
const VOUCHER = `-- One row per voucher: one of each project.
-- rank: 4
-- record: projects voucher_id BIGINT
-- line_id: v: voucher_id
-- sorted: date
-- changes_with: project_id
-- closes: start_date
-- says: a voucher
SELECT
  DATE '2026-02-02' AS date,
  CAST(NULL AS BIGINT) AS people_id,
  CAST(NULL AS BIGINT) AS role_id,
  project_id,
  0 AS phase_id,
  CAST(NULL AS BIGINT) AS task_meta_id,
  CAST(NULL AS BIGINT) AS task_id,
  project_id AS voucher_id,
  pl_line_status('confirmed') AS status,
  TRUE AS billable,
  CAST(NULL AS DECIMAL(10, 6)) AS hours,
  CAST(NULL AS DECIMAL(18, 4)) AS cost_rate,
  pl_cost_rate_source(NULL) AS cost_rate_source,
  CAST(0 AS DECIMAL(18, 4)) AS cost,
  CAST(NULL AS DECIMAL(18, 4)) AS bill_rate,
  pl_bill_rate_source(NULL) AS bill_rate_source,
  CAST(NULL AS DATE) AS bill_rate_from,
  CAST(30 AS DECIMAL(18, 4)) AS fee
FROM staging.projects
`;

const RECORDS = {
  people: [{ people_id: 1, name: 'Ada' }],
  projects: [{ project_id: 7, name: 'Bridge', default_hourly_rate: 100 }],
  tasks: [{ task_id: 3, project_id: 7, people_id: 1, start_date: '2026-02-03', end_date: '2026-02-03', hours: 4 }],
  logged_time: [{ logged_time_id: 'x:1', project_id: 7, people_id: 1, date: '2026-02-03', hours: 2 }],
  project_expenses: [{ project_expense_id: 9, project_id: 7, name: 'Fair', date: '2026-02-04', cost: 5 }],
};

let folder = '';
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-kinds-'));
  cpSync(sqlDirectory, join(folder, 'sql'), { recursive: true });
  writeFileSync(join(folder, 'sql', 'kinds', 'voucher.sql'), VOUCHER);
  const build: typeof buildModels = (built, _, ...rest) => buildModels(built, join(folder, 'sql'), ...rest);
  database = await buildCompany(RECORDS, undefined, build);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

it('the ids of lines are made of their records', async () => {
  const rows = await database.rows('SELECT kind, line_id FROM marts.lines ORDER BY line_id');
  expect(rows.map(({ kind, line_id: id }) => [kind, id])).toEqual([
    ['actual', 'a:x:1'],
    ['expense', 'e:9'],
    ['scheduled', 's:3:1:2026-02-03'],
    ['voucher', 'v:7'],
  ]);
});

it('a further kind is in the ledger, in months, and in each mart of lines, with its record, by its file alone', async () => {
  for (const relation of ['core.ledger', 'core.lines', 'marts.ledger', 'marts.lines']) {
    const [row] = await database.rows(`SELECT voucher_id, fee, logged_time_id FROM ${relation} WHERE kind = 'voucher'`);
    expect([relation, row]).toEqual([relation, { voucher_id: 7, fee: '30.0000', logged_time_id: null }]);
  }
  const [months] = await database.rows("SELECT SUM(fee) AS fee FROM core.ledger_months WHERE kind = 'voucher'");
  expect(months).toEqual({ fee: '30.0000' });
  const [other] = await database.rows("SELECT voucher_id FROM marts.lines WHERE kind = 'expense'");
  expect(other).toEqual({ voucher_id: null });
});

it('the kinds stand in their order', () =>
  expect(readLineKinds(join(folder, 'sql')).map(({ name }) => name)).toEqual([
    ...['scheduled', 'actual', 'expense', 'voucher'],
  ]));
