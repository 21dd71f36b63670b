import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { ingestDirectory } from '../../src/records/ingest/ingest.ts';
import { buildRelation } from '../../src/records/ingest/reading/relation.ts';
import { buildRecordQuery } from '../../src/records/ingest/records/record-query.ts';
import { resources } from '../../src/records/resource/resources.ts';
import { withDirectory } from './dataset.ts';

// Positions depend on row order, and so does the choice between records with one id.
describe('rows stay in the order of the file', () => {
  test.each(resources.map((resource) => [resource.name, resource] as const))(
    '%s: the plan keeps it',
    async (_name, resource) => {
      await withDirectory({ 'a.ndjson': '{"a":1}\n', 'b.ndjson': '{"a":1}\n', 'c.json': '[]' }, async (directory) => {
        const database = await openDatabase(':memory:');
        const file = (name: string, number: number) => ({ number, path: `${directory}/${name}` });
        const files = [
          { ...file('a.ndjson', 1), layout: 'lines' as const },
          { ...file('b.ndjson', 2), layout: 'lines' as const },
          { ...file('c.json', 3), layout: 'array' as const },
        ];
        const usualKeys = Array.from({ length: 8 }, (_, index) => [`key_${index}`]);
        const query = buildRecordQuery(resource, await buildRelation(database, files, []), { usualKeys });
        const [plan] = await database.rows<Record<string, string>>(`EXPLAIN CREATE TABLE t AS ${query}`);
        expect(plan?.['explain_value']).toMatch(/BATCH_CREATE_TABLE_AS/);
        expect(plan?.['explain_value']).not.toMatch(/JOIN/);
        await database.close();
      });
    },
  );

  test('in a file of several hundred thousand records, from each kind of source', { tags: ['slow'] }, async () => {
    await withDirectory({}, async (directory) => {
      const database = await openDatabase(`${directory}/x.duckdb`);
      const columns =
        "1 AS project_id, [1] AS people_ids, '2026-01-05' AS start_date, '2026-01-05' AS end_date, repeat('x', 200) AS name";
      const tasks = (from: number, step: number) =>
        `SELECT ${from} + i AS task_id, ${columns}, CASE WHEN i % 50000 = 7 THEN 25 ELSE 8 END AS hours FROM range(${step}) AS t(i)`;
      await database.run(`
        COPY (${tasks(1, 200_000)}) TO '${directory}/tasks.1.ndjson' (FORMAT json);
        COPY (${tasks(200_001, 100_000)}) TO '${directory}/tasks.2.json' (FORMAT json, ARRAY true);
        COPY (${tasks(300_001, 100_000)}) TO '${directory}/tasks.3.parquet';`);
      await ingestDirectory(database, directory);
      const falling =
        'SELECT count(*) AS n FROM (SELECT task_id, lag(task_id) OVER (ORDER BY rowid) AS before FROM source.tasks) WHERE task_id < before';
      expect(await database.rows(falling)).toEqual([{ n: 0 }]);
      expect(await database.rows('SELECT file, position, record_id FROM source.rejected')).toEqual([
        ...[8, 50_008, 100_008, 150_008].map((id) => ({ file: 'tasks.1.ndjson', position: id, record_id: `${id}` })),
        ...[8, 50_008].map((position) => ({ file: 'tasks.2.json', position, record_id: `${200_000 + position}` })),
        ...[8, 50_008].map((position) => ({ file: 'tasks.3.parquet', position, record_id: `${300_000 + position}` })),
      ]);
      await database.close();
    });
  });
});
