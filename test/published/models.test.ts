import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { commentMarts, listMarts, loadMeanings } from '../../src/numbers/report/marts/marts.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { catalogue, loadCompany } from '../sql/company.ts';
import { priced } from './dataset.ts';

const meanings = loadMeanings('reports', catalogue);
let file: string;
let remove: () => void;

beforeAll(async () => {
  ({ file, remove } = await loadCompany(priced));
});

afterAll(() => remove());

describe.each(['the generation', 'the copy without rates'])('%s', (name) => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(name === 'the generation' ? file : fileWithoutRates(file), { readOnly: true });
  });
  afterAll(() => database.close());

  it('has a comment on every mart and every column of it', async () => {
    const silent = await database.rows(`
      SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'marts' AND comment IS NULL
      UNION ALL SELECT table_name, NULL FROM duckdb_tables() WHERE schema_name = 'marts' AND comment IS NULL
      UNION ALL SELECT view_name, NULL FROM duckdb_views() WHERE schema_name = 'marts' AND comment IS NULL`);
    expect(silent).toEqual([]);
  });

  it('lists its marts with their row meaning, row count and columns', async () => {
    const models = await listMarts(database, meanings);
    expect(models.length).toBeGreaterThan(13);
    for (const model of models) {
      expect(model.grain, model.name).toMatch(/^One row per .*\.$/);
      const [row] = await database.rows<{ count: number }>(`SELECT COUNT(*) AS count FROM ${model.name}`);
      expect(model.row_count, model.name).toBe(row?.count);
      const columns = await database.rows<{ column_name: string; column_type: string }>(`DESCRIBE ${model.name}`);
      expect(model.columns.map((column) => [column.name, column.type])).toEqual(
        columns.map(({ column_name, column_type }) => [column_name, column_type]),
      );
    }
    const lines = models.find((model) => model.name === 'marts.lines');
    expect(lines?.columns).toContainEqual({
      name: 'hours',
      type: 'DECIMAL(10,6)',
      unit: 'hours',
      description: "The line's hours; empty for an expense.",
    });
  });
});

it("a column without a description can't be published", async () => {
  const database = await openDatabase(':memory:');
  await database.run('CREATE SCHEMA marts; CREATE TABLE marts.people (person VARCHAR, shoe_size INTEGER)');
  await expect(commentMarts(database, meanings)).rejects.toMatchObject({
    code: 'definition',
    message: 'The column marts.people.shoe_size has no description',
  });
  await database.close();
});
