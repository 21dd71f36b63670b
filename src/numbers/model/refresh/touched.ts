import { type Database, quoteText } from '../../../base/database/index.ts';

export interface RecordChange {
  /** Its table in the schema `source`, such as "tasks". */
  readonly resource: string;
  /** Its tables in the schema `source`, with those of its lists. */
  readonly tables: readonly string[];
  readonly record_id: string;
  /** People referenced before or after, including in lists and teams; a person's own id. */
  readonly people_ids: readonly (number | bigint)[];
  /** Projects referenced before or after; a project's own id. */
  readonly project_ids: readonly (number | bigint)[];
}

/** The resource whose records have a way of their own: see parts.ts. */
const LOGGED_TIME = 'logged_time';

/** Writes the changed records, and the people, projects and logged time that they touch, to temporary tables. */
export async function listTouched(
  session: Database,
  changes: readonly RecordChange[],
  touched: ReadonlyMap<string, string>,
): Promise<void> {
  const logged = changes.filter(({ resource }) => resource === LOGGED_TIME);
  const others = changes.filter(({ resource }) => resource !== LOGGED_TIME);
  const records = others.map(
    ({ resource, record_id }) => `${quoteText(resource)}, TRY_CAST(${quoteText(record_id)} AS BIGINT)`,
  );
  const named = [
    ...logged.flatMap(({ people_ids, record_id }) => people_ids.map((id) => `${id}, NULL, ${quoteText(record_id)}`)),
    ...others.flatMap(({ people_ids, project_ids }) => [
      ...people_ids.map((id) => `${id}, NULL, NULL`),
      ...project_ids.map((id) => `NULL, ${id}, NULL`),
    ]),
  ];
  const statements = [
    ...createTable('changed_records', 'resource VARCHAR, id BIGINT', records),
    ...createTable('touched', 'people_id BIGINT, project_id BIGINT, logged_time_id VARCHAR', named),
    ...[...new Set(changes.map(({ resource }) => resource))].flatMap((resource) => {
      const select = touched.get(resource);
      return select === undefined ? [] : [`INSERT INTO touched BY NAME ${select}`];
    }),
  ];
  await session.run(statements.join('; '));
}

/** @param rows SQL of the values of each. */
function createTable(name: string, columns: string, rows: readonly string[]): string[] {
  const values = [...new Set(rows)].join('), (');
  const insert = values === '' ? [] : [`INSERT INTO ${name} VALUES (${values})`];
  return [`CREATE OR REPLACE TEMP TABLE ${name} (${columns})`, ...insert];
}
