import type { Database, Value } from '../../../base/database/index.ts';
import type { Column } from '../catalogue/table.ts';

/** Texts sort as people sort names: by ICU, which the engine has built in, in the order of English and of most languages; equal ones by their bytes. */
const NAME_COLLATION = 'en';

/** Returns the terms of ORDER BY of a column; values that are missing come last. */
export function orderOf({ name, unit }: Pick<Column, 'name' | 'unit'>, isDescending: boolean): string[] {
  const order = `${isDescending ? ' DESC' : ''} NULLS LAST`;
  const byBytes = `"${name}"${order}`;
  return unit === 'text' ? [`"${name}" COLLATE ${NAME_COLLATION}${order}`, byBytes] : [byBytes];
}

/** Returns the place of each of some values in the order of names, for rows that no statement sorts; values that are no texts have none. */
export async function rankNames(database: Database, values: Iterable<Value>): Promise<ReadonlyMap<Value, number>> {
  const texts = [...new Set(values)].filter((value) => typeof value === 'string');
  if (texts.length < 2) return new Map();
  const rows = await database.rows<{ name: string }>(
    `SELECT name FROM (SELECT UNNEST(CAST(CAST($1 AS JSON) AS VARCHAR[])) AS name) AS names
    ORDER BY name COLLATE ${NAME_COLLATION}, name`,
    [JSON.stringify(texts)],
  );
  return new Map(rows.map(({ name }, place) => [name, place]));
}
