import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { moveDay } from '../../src/base/calendar/day.ts';
import { runPreview } from '../../src/numbers/report/preview/preview.ts';
import { runReport } from '../../src/numbers/report/run/run.ts';
import { COMPARED_RELATIONS } from '../../src/numbers/report/source/relations.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { openLive } from '../../src/store/live/live.ts';
import { LIVE_LIMITS } from '../../src/store/live/live-limits.ts';
import { openLiveSource } from '../../src/store/live/live-source.ts';
import { readPlannedChanges } from '../../src/store/record/planned/planned-change.ts';
import { updateRecord } from '../../src/store/record/records.ts';
import { servedResources } from '../../src/store/record/served-resources.ts';
import { readQuery } from '../../test/read-query.ts';
import { compare, timeWork } from '../measure.ts';

/*
 * A preview of ten changes against one write and its line in the next report, by processor time: `node dist/bench/interfaces/preview.js FILE`.
 * FILE is a loaded database; the report is projects of the quarter around the last day with logged time. The changes are of
 * allocations, in turn of their hours and of their days.
 */

const CHANGES = 10;

const [loaded = ''] = process.argv.slice(2);
const NOW = new Date();
const folder = await mkdtemp(`${loaded}.preview-`);
const file = join(folder, 'company.duckdb');
const writer = { id: '', label: 'bench', seesRates: true };
const signal = new AbortController().signal;
const catalogues = readCatalogues();

async function measure(): Promise<void> {
  const none = () => undefined;
  const listener = { refreshed: none, refreshFailed: none, published: none, publishFailed: none, dayFailed: none };
  const source = await openLiveSource({ database: file, memoryLimitMib: 2048 }, NOW);
  const options = { limits: LIVE_LIMITS, publishEveryMs: 3_600_000, now: () => NOW, listener };
  const live = await openLive(source, options);
  const tasks = servedResources.get('tasks');
  const last = live.generations.current().company.loggedDays[0]?.date;
  if (!tasks || last === undefined) throw new Error('there is no logged time');
  const parameters = { start_date: moveDay(last, 'month', -1), end_date: moveDay(last, 'month', 2) };
  const found = await live.store.reader.rows<{ id: number; start: string; end: string }>(`
    SELECT task_id AS id, CAST(start_date AS VARCHAR) AS start, CAST(end_date AS VARCHAR) AS "end" FROM source.tasks
    WHERE start_date BETWEEN DATE '${parameters.start_date}' AND DATE '${parameters.end_date}' AND people_id IS NOT NULL
    ORDER BY hash(task_id) LIMIT 200`);
  const bodyOf = (index: number) => {
    const { id = 0, start = '', end = '' } = found[index % found.length] ?? {};
    const days = { start_date: moveDay(start, 'day', 1), end_date: moveDay(end, 'day', 1) };
    return { id, body: index % 2 === 0 ? { hours: 1 + (index % 7) } : days };
  };
  const writeOne = (index: number) =>
    timeWork(async () => {
      const { id, body } = bodyOf(index);
      await live.store.write(writer, (transaction) => updateRecord(transaction, tasks, String(id), body));
      const lease = live.generations.lease(live.generations.current());
      try {
        const database = (await lease.open(signal)).database(true);
        const { context, query } = await readQuery(database, catalogues, 'projects', parameters, { now: NOW });
        await runReport(context, query);
      } finally {
        lease.release();
      }
    });
  const previewTen = async (index: number) => {
    await live.generations.settle();
    const changes = Array.from({ length: CHANGES }, (_, place) => {
      const { id, body } = bodyOf(index * CHANGES + place);
      return { method: 'PATCH', path: `/v3/tasks/${id}`, body };
    });
    const request = { report: 'projects', parameters, measures: undefined };
    return timeWork(() =>
      live.preview(
        { writer, changes: readPlannedChanges(changes), relations: COMPARED_RELATIONS, signal },
        (states) => {
          const { before: database, after, catalog, generation } = states;
          const { company } = generation;
          const context = { database, after, catalog, company, today: generation.today(NOW), now: NOW };
          return runPreview(context, catalogues, request, {});
        },
      ),
    );
  };
  await compare(`a preview of ${CHANGES} changes | a write and the next report`, 5, previewTen, (index) =>
    writeOne(150 + index),
  );
  await live.close();
}

try {
  await copyFile(loaded, file);
  await copyFile(fileWithoutRates(loaded), fileWithoutRates(file));
  await measure();
} finally {
  await rm(folder, { recursive: true, force: true });
}
