import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import type { DataScope } from '../../src/numbers/report/request/query.ts';
import { attachBaseline, attachEarlier, type ReportContext, runReport } from '../../src/numbers/report/run/run.ts';
import { readCompany } from '../../src/numbers/report/source/read-company.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { readQuery } from '../../test/read-query.ts';
import { parseSize, sizes } from '../company.ts';
import { ensureCompany } from '../generate.ts';
import { compare, timeWork } from '../measure.ts';
import { buildStep, loadStep } from '../steps.ts';

/*
 * The report changes between two states, of which the later has other hours, rates and days in a hundredth of its records:
 * a quarter by project against the pivot of the same lines, and all days against a build of the models. And the report projects of the
 * quarter with the earlier state as its baseline, against the same without. By processor time:
 * `node dist/bench/interfaces/changes.js --size M`.
 */

const NOW = new Date('2026-01-10T08:00:00Z');

const MEASURES = 'actual_cost,actual_fees,scheduled_hours';

/** The changes since the earlier state. */
const CHANGES = `
  UPDATE source.logged_time SET hours = hours + 0.25 WHERE hash(logged_time_id) % 100 = 0;
  UPDATE source.logged_time SET date = date + 1 WHERE hash(logged_time_id) % 100 = 1;
  DELETE FROM source.logged_time WHERE hash(logged_time_id) % 200 = 2;
  UPDATE source.tasks SET people_id = people_id + 1 WHERE hash(task_id) % 100 = 0;
  UPDATE source.people SET cost_rate = cost_rate * 1.05 WHERE hash(people_id) % 100 = 0`;

async function makeStates(size: ReturnType<typeof parseSize>): Promise<{ then: string; now: string; build: number }> {
  const work = resolve('bench', 'data', 'work', 'changes');
  await rm(work, { recursive: true, force: true });
  await mkdir(work, { recursive: true });
  const [then, now] = [join(work, 'then.duckdb'), join(work, 'now.duckdb')];
  await loadStep(await ensureCompany(size), now);
  await buildStep(now);
  await copyFile(now, then);
  const database = await openDatabase(now);
  await database.run(CHANGES).finally(() => database.close());
  return { then, now, build: await timeWork(() => buildStep(now)) };
}

/** Returns the processor time of a report. Unit: s. */
function timeReport(
  database: Database,
  earlier: ReportContext['earlier'],
  name: string,
  sent: Readonly<Record<string, string>>,
  baseline?: DataScope['baseline'],
): Promise<number> {
  return timeWork(async () => {
    const asked = {
      ...(name !== 'projects' && { measures: MEASURES }),
      ...sent,
      ...(name === 'changes' && { from: 'then' }),
      ...(baseline && { baseline: 'then' }),
    };
    const options = { now: NOW, earlier, baseline };
    const { context, query } = await readQuery(database, readCatalogues(), name, asked, options);
    const table = await runReport(context, query);
    for await (const _ of table.rows);
  });
}

const { values } = parseArgs({ options: { size: { type: 'string', default: 'M' } } });
const size = parseSize(values.size);
const { then, now, build } = await makeStates(size);
const database = await openDatabase(now, { readOnly: true });
const asOf = {
  state: 'then',
  number: 1,
  kind: 'kept',
  keptAt: '2026-01-05T08:00:00Z',
  day: '2026-01-05',
  measures: {},
};
const read = async () => ({ file: then, asOf, cutoffDate: undefined });
const { baseline, close: detach } = await attachBaseline(
  database,
  { file: then, asOf },
  { ...(await readCompany(database)), asOf: undefined },
);
const { earlier, close } = attachEarlier(database, [{ days: undefined, read }]);
try {
  const [start_date, end_date] = sizes[size].quarter;
  const quarter = { start_date, end_date, group_by: 'project' };
  const allDays = { start_date: '2015-01-01', end_date: '2030-12-31' };
  await compare(
    'changes of a quarter by project | the pivot of its lines',
    4,
    () => timeReport(database, earlier, 'changes', quarter),
    // Sums of months have no people, so a filter of them makes the pivot read lines, as changes does.
    () => timeReport(database, undefined, 'pivot', { ...quarter, people_type_id: '1,2,3' }),
  );
  await compare(
    'changes of all days | a build',
    0.3,
    () => timeReport(database, earlier, 'changes', allDays),
    async () => build,
  );
  await compare(
    'projects of a quarter with a baseline | without',
    2,
    () => timeReport(database, undefined, 'projects', { start_date, end_date }, baseline),
    () => timeReport(database, undefined, 'projects', { start_date, end_date }),
  );
} finally {
  await close();
  await detach();
  await database.close();
}
