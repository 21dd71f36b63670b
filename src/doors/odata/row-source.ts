import { type Database, quoteName } from '../../base/database/index.ts';
import { propertyOf, type RowProperty } from '../../numbers/condition/index.ts';
import { readStar } from '../../numbers/report/marts/index.ts';

/** Rows of one type that requests read: the rows of a mart, or the result of a report. */
export interface RowSource {
  readonly name: string;
  readonly description: string;
  readonly properties: readonly RowProperty[];
  /** The properties that identify a row; empty for results of functions. */
  readonly key: readonly string[];
  /** Columns that put the rows into an order without ties. */
  readonly order: readonly string[];
  readonly from: string;
}

/** The property that numbers the rows of a mart without a key, while the data stay the same. */
const ROW_NUMBER = {
  name: 'row_number',
  type: 'BIGINT',
  description: 'The number of the row in this data version: the mart has no key.',
};

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
  const known = readStar().get(name);
  if (known) {
    const from = withMoments(relation, columns);
    return { name, description, properties, key: known.key, order: known.order ?? known.key, from };
  }
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

/** Returns SQL of a relation with its moments as texts of OData. */
function withMoments(relation: string, columns: readonly CatalogRow[]): string {
  const moments = columns.filter(({ type }) => type === 'TIMESTAMP').map(({ name }) => quoteName(name));
  if (moments.length === 0) return relation;
  const texts = moments.map((name) => `strftime(${name}, '%Y-%m-%dT%H:%M:%SZ') AS ${name}`);
  return `(SELECT * REPLACE (${texts.join(', ')}) FROM ${relation}) AS dated`;
}

function nameOf(relation: string): string {
  return relation.slice(relation.indexOf('.') + 1);
}
