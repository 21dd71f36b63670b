import { type Database, openDatabase, type Value } from '../../src/base/database/database.ts';
import { parseFilter } from '../../src/numbers/condition/expression.ts';
import { propertyOf, type RowProperty } from '../../src/numbers/condition/row-property.ts';
import type { Literal } from '../../src/numbers/condition/tokenize.ts';

const TYPES = {
  id: 'BIGINT',
  name: 'VARCHAR',
  kind: "ENUM('z', 'b', 'a')",
  day: 'DATE',
  hours: 'DECIMAL(18,4)',
  billable: 'BOOLEAN',
};

/** Rows of every type, with nulls. */
export interface TestRelation {
  readonly database: Database;
  readonly name: string;
  readonly properties: readonly RowProperty[];
  /** Returns the ids that a condition leaves, in order. @param aliases The values of its @names. */
  filter(text: string, aliases?: Readonly<Record<string, Literal>>): Promise<Value[]>;
  close(): Promise<void>;
}

/** Opens a relation. @param values The rows in SQL: (id, name, kind, day, hours, billable), ... */
export async function openRelation(values: string): Promise<TestRelation> {
  const database = await openDatabase(':memory:');
  const columns = Object.entries(TYPES).map(([name, type]) => `${name} ${type}`);
  await database.run(`CREATE TABLE given (${columns.join(', ')}); INSERT INTO given VALUES ${values}`);
  const properties = Object.entries(TYPES).map(([name, type]) => propertyOf({ name, type, description: '' }));
  const byName = new Map(properties.map((each) => [each.name, each]));
  return {
    database,
    name: 'given',
    properties,
    async filter(text, aliases = {}) {
      const condition = parseFilter(text, { properties: byName, aliases: new Map(Object.entries(aliases)) });
      const rows = await database.rows<{ id: Value }>(`SELECT id FROM given WHERE ${condition} ORDER BY id`);
      return rows.map(({ id }) => id);
    },
    close: () => database.close(),
  };
}
