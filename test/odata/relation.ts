import { type Database, openDatabase, type Value } from '../../src/database/database.ts';
import { propertyOf } from '../../src/odata/edm.ts';
import { planPage } from '../../src/odata/page-plan.ts';
import { parseOptions, parseRowQuery } from '../../src/odata/row-query.ts';
import type { RowSource } from '../../src/odata/row-source.ts';

const TYPES = {
  id: 'BIGINT',
  name: 'VARCHAR',
  kind: "ENUM('z', 'b', 'a')",
  day: 'DATE',
  hours: 'DECIMAL(18,4)',
  billable: 'BOOLEAN',
};

/** Rows of every type, with nulls, for requests. */
export interface TestRelation {
  readonly source: RowSource;
  /** Reads one page. @param options The options of a URL, undecoded. */
  page(
    options: string,
    preferred?: number,
  ): Promise<{ rows: readonly (readonly Value[])[]; count: number | undefined; next: string | undefined }>;
  /** Returns the ids that a filter leaves, in order. */
  filter(text: string): Promise<Value[]>;
  close(): Promise<void>;
}

/** Opens a relation. @param values The rows in SQL: (id, name, kind, day, hours, billable), ... */
export async function openRelation(values: string): Promise<TestRelation> {
  const database: Database = await openDatabase(':memory:');
  const columns = Object.entries(TYPES).map(([name, type]) => `${name} ${type}`);
  await database.run(`CREATE TABLE given (${columns.join(', ')}); INSERT INTO given VALUES ${values}`);
  const properties = Object.entries(TYPES).map(([name, type]) => propertyOf({ name, type, description: '' }));
  const source = { name: 'given', description: '', properties, key: ['id'], order: ['id'], from: 'given' };
  const page: TestRelation['page'] = async (options, preferred) => {
    const query = parseRowQuery(parseOptions(options), source);
    const plan = planPage(source, query, preferred);
    const rows: Value[][] = [];
    for await (const chunk of (await database.read(plan.sql)).chunks) rows.push(...chunk);
    const found = plan.read(rows, 'v1');
    return { ...found, rows: found.rows.map((row) => row.slice(0, query.select.length)) };
  };
  return {
    source,
    page,
    async filter(text) {
      const { rows } = await page(`$select=id&$filter=${encodeURIComponent(text)}`);
      return rows.map(([id]) => id ?? null);
    },
    close: () => database.close(),
  };
}
