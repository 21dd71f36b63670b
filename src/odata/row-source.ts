import type { Database } from '../database/database.ts';
import { propertyOf, type RowProperty } from './edm.ts';

/** Rows of one type that requests read: the rows of a mart, or the result of a report. */
export interface RowSource {
  /** The name of the entity set or the function. */
  readonly name: string;
  readonly description: string;
  readonly properties: readonly RowProperty[];
  /** The properties that identify a row; empty for results of functions. */
  readonly key: readonly string[];
  /** Columns that put the rows into an order without ties. */
  readonly order: readonly string[];
  /** The relation in SQL. */
  readonly from: string;
}

/** The property that numbers the rows of a mart without a key, while the data stay the same. */
const ROW_NUMBER = {
  name: 'row_number',
  type: 'BIGINT',
  description: 'The number of the row in this data version: the mart has no key.',
};

interface MartKey {
  readonly key: readonly string[];
  /** The order of pages; begins with the column by which the mart is stored. Default: the key. */
  readonly order?: readonly string[];
}

/** The keys of the marts, which test/odata/mart-sets.test.ts proves. A mart without one gets a row number. */
const MART_KEYS: ReadonlyMap<string, MartKey> = new Map([
  ['accounts', { key: ['project_manager'] }],
  ['budgets', { key: ['level', 'project_id', 'phase_id', 'task_meta_id'] }],
  ['calendar', { key: ['date'] }],
  ['capacity', { key: ['date', 'people_id'] }],
  ['catalog', { key: ['relation', 'position'] }],
  ['clients', { key: ['client_id'] }],
  ['department_ancestors', { key: ['department_id', 'ancestor_id'] }],
  ['departments', { key: ['department_id'] }],
  ['ledger', { key: ['line_id'], order: ['date', 'line_id'] }],
  ['lines', { key: ['line_id'], order: ['date', 'line_id'] }],
  ['people', { key: ['people_id'] }],
  ['people_tags', { key: ['people_id', 'people_tag'] }],
  ['people_types', { key: ['people_type_id'] }],
  ['person_roles', { key: ['person_role_id'] }],
  ['phases', { key: ['phase_id'] }],
  ['project_tags', { key: ['project_id', 'tag'] }],
  ['project_tasks', { key: ['task_meta_id'] }],
  ['projects', { key: ['project_id'] }],
  ['rates', { key: ['people_id', 'project_id', 'phase_id', 'first_date'] }],
  ['roles', { key: ['role_id'] }],
  ['time_off', { key: ['date', 'people_id'] }],
]);

interface CatalogRow {
  readonly relation: string;
  readonly relation_description: string;
  readonly name: string;
  readonly type: string;
  readonly description: string;
}

/** Reads the entity sets of a generation, or of its copy without rates, from its catalog: one for each mart. */
export async function readMartSets(database: Database): Promise<Map<string, RowSource>> {
  const columns = await database.rows<CatalogRow>(`
    SELECT relation, relation_description, name, type, description
    FROM marts.catalog WHERE kind = 'column' ORDER BY relation, position`);
  const marts = new Map<string, CatalogRow[]>();
  for (const column of columns) marts.set(column.relation, [...(marts.get(column.relation) ?? []), column]);
  return new Map([...marts].map(([relation, own]) => [nameOf(relation), makeMartSet(relation, own)]));
}

function makeMartSet(relation: string, columns: readonly CatalogRow[]): RowSource {
  const name = nameOf(relation);
  const properties = columns.map(propertyOf);
  const description = columns[0]?.relation_description ?? '';
  const known = MART_KEYS.get(name);
  if (known) return { name, description, properties, key: known.key, order: known.order ?? known.key, from: relation };
  const numbered = `(SELECT ROW_NUMBER() OVER (ORDER BY ${properties.map(({ sql }) => sql).join(', ')}) AS ${ROW_NUMBER.name}, * FROM ${relation})`;
  return {
    name,
    description,
    properties: [propertyOf(ROW_NUMBER), ...properties],
    key: [ROW_NUMBER.name],
    order: [ROW_NUMBER.name],
    from: `${numbered} AS numbered`,
  };
}

function nameOf(relation: string): string {
  return relation.slice(relation.indexOf('.') + 1);
}
