import { existsSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageDirectory } from '../../src/base/config/package.ts';
import { openDatabase } from '../../src/base/database/database.ts';
import { buildModels } from '../../src/numbers/model/build.ts';
import { openRefresher, type Refresher } from '../../src/numbers/model/refresh/refresh.ts';
import type { RecordChange } from '../../src/numbers/model/refresh/touched.ts';
import { closeToWrites, openToWrites } from '../../src/numbers/model/working.ts';
import { median } from '../measure.ts';

/*
 * One logged-time record, durable, and its ledger line, against a build of all models, on a copy of FILE:
 * `node dist/bench/interfaces/refresh.js --database bench/data/m.duckdb --runs 5`.
 */

/** The highest share of a build's time for one record. */
const LIMIT = 0.02;

const RECORDS = 6;

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'bench/data/m.duckdb' },
    runs: { type: 'string', default: '3' },
  },
});
if (!existsSync(values.database)) throw new Error(`there is no database ${values.database}: load one first`);
const file = `${values.database}.work`;
const directory = join(packageDirectory, 'sql');
await copyFile(values.database, file);
const database = await openDatabase(file);

/** Wall-clock and processor time. Unit: ms. */
interface Duration {
  readonly wall: number;
  readonly cpu: number;
}

async function time(work: () => Promise<void>): Promise<Duration> {
  const [startedAt, used] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { wall: performance.now() - startedAt, cpu: (user + system) / 1000 };
}

/** Writes and refreshes a record of a person, on a known project and phase or on a project new to the person. */
async function measureRecord(number: number, isNew: boolean): Promise<Duration> {
  const id = `refresh-${number}`;
  const wanted = isNew
    ? `SELECT people_id, project_id, 0 AS phase_id FROM core.people, core.projects
      WHERE people.is_known AND projects.is_known AND (people_id, project_id) NOT IN (SELECT (people_id, project_id) FROM core.assignments)`
    : 'SELECT people_id, project_id, phase_id FROM core.assignments WHERE project_id > 0';
  const [like] = await database.rows<{ people_id: number; project_id: number; phase_id: number }>(
    `${wanted} ORDER BY hash(people_id * 1000 + project_id + ${number}) LIMIT 1`,
  );
  if (!like) throw new Error(`${values.database} has no assignments`);
  const { people_id, project_id, phase_id } = like;
  const change: RecordChange = {
    resource: 'logged_time',
    tables: ['logged_time'],
    record_id: id,
    people_ids: [people_id],
    project_ids: [project_id],
  };
  return time(async () => {
    await database.run(`INSERT INTO source.logged_time (logged_time_id, people_id, date, hours, project_id, phase_id)
      VALUES ('${id}', ${people_id}, '2025-03-04', 1.5, ${project_id}, ${phase_id})`);
    await refresher.refresh({ readChanges: async () => [change], finish: async () => undefined });
    const lines = await database.rows(
      `SELECT hours FROM core.ledger WHERE people_id = ${people_id} AND logged_time_id = '${id}'`,
    );
    if (lines.length !== 1) throw new Error(`${id} has ${lines.length} lines`);
  });
}

const durations: Record<'rebuild' | 'known' | 'new', Duration[]> = { rebuild: [], known: [], new: [] };
let refresher: Refresher;
let number = 0;
try {
  for (let run = 0; run < Number(values.runs); run += 1) {
    durations.rebuild.push(await time(() => buildModels(database, directory)));
    await openToWrites(database, directory);
    refresher = await openRefresher(database, directory);
    // The first record warms up.
    for (let record = 0; record <= RECORDS; record += 1) {
      const [known, other] = [await measureRecord(++number, false), await measureRecord(++number, true)];
      if (record === 0) continue;
      durations.known.push(known);
      durations.new.push(other);
    }
    await refresher.close();
    await closeToWrites(database, directory);
  }
} finally {
  await database.close();
  await rm(file, { force: true });
}
const middle = (list: readonly Duration[], clock: keyof Duration) => median(list.map((duration) => duration[clock]));
const whole = { wall: middle(durations.rebuild, 'wall'), cpu: middle(durations.rebuild, 'cpu') };
process.stdout.write(`all models: ${whole.wall.toFixed(0)} ms, ${whole.cpu.toFixed(0)} ms of processor time\n`);
for (const [name, list] of [
  ['on what the person works on', durations.known],
  ['on a project that is new to the person', durations.new],
] as const) {
  const [wall, cpu] = [middle(list, 'wall'), middle(list, 'cpu')];
  const ratio = wall / whole.wall;
  process.stdout.write(
    `logged time ${name}: ${wall.toFixed(0)} ms (${(ratio * 100).toFixed(2)} %), ${cpu.toFixed(0)} ms of processor time (${((cpu / whole.cpu) * 100).toFixed(2)} %), must be at most ${LIMIT * 100} %: ${ratio <= LIMIT ? 'ok' : 'OVER'}\n`,
  );
  if (ratio > LIMIT) process.exitCode = 1;
}
