import { type Database, quoteName, quoteText } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { listMarked } from '../relation/relation-marks.ts';
import { withoutTextCompression } from './compression.ts';
import { createFunctions } from './engine/duckdb.ts';
import { loadModels, type Model, qualifiedName } from './models.ts';

/** Tables copied that are no model: what is told of the data and of syncs. Raw records are never copied. */
const OTHER_TABLES = [
  'core.build',
  'source.generation',
  'source.load_counts',
  'sync.source',
  'sync.runs',
  'sync.changes',
] as const;

/**
 * Fills an empty database with the part of a generation that may be read without access to costs: the marts, the relations
 * whose header says `copied`, and none of the columns that it says `hides`: costs and cost rates. The source of a cost rate
 * reveals that it is known, not its value. Bill rates and fees are public.
 * Relations and columns keep their names, row order and comments.
 * @param database Has the whole generation attached as `generation`.
 * @param directory The folder sql/.
 * @throws AppError definition when a hidden column doesn't exist.
 */
export async function buildWithoutRates(database: Database, directory: string): Promise<void> {
  await createFunctions(database, directory);
  const models = await loadModels(database, directory);
  const marts = models.filter(({ schema }) => schema === 'marts').map(qualifiedName);
  const copied = new Set([...OTHER_TABLES, ...listMarked('copied', directory).keys(), ...marts]);
  const hidden = new Map([...listMarked('hides', directory)].map(([name, columns]) => [name, columns.split(', ')]));
  const views = models.filter((model) => isViewOf(model, copied));
  const tables = [...copied].filter((name) => !views.some((view) => qualifiedName(view) === name));
  const buildCopy = async () => {
    await database.run('CREATE SCHEMA source; CREATE SCHEMA sync; CREATE SCHEMA core; CREATE SCHEMA marts');
    for (const name of tables) await copyTable(database, name, hidden.get(name));
    for (const view of views) await copyView(database, view, hidden.get(qualifiedName(view)));
    await copyComments(database);
  };
  await withoutTextCompression(database, () => database.transaction(buildCopy));
}

/** Returns whether a model can be a view in the copy, because everything it reads is copied. */
function isViewOf(model: Model, copied: ReadonlySet<string>): boolean {
  return model.storage === 'view' && copied.has(qualifiedName(model)) && model.reads.every((name) => copied.has(name));
}

async function copyTable(database: Database, name: string, hidden: readonly string[] = []): Promise<void> {
  const columns = hidden.length === 0 ? '*' : `* EXCLUDE (${hidden.map(quoteName).join(', ')})`;
  await database.run(`CREATE TABLE ${name} AS SELECT ${columns} FROM generation.${name}`);
}

/** The parts of an expression's parse tree that name its column. */
interface Expression {
  readonly alias: string;
  readonly column_names?: readonly string[];
}

/** A SELECT in a parse tree, or several that a set operation joins. */
interface SelectNode {
  select_list?: Expression[];
  readonly left?: SelectNode;
  readonly right?: SelectNode;
}

interface Tree {
  readonly statements: readonly [{ readonly node: SelectNode }];
}

async function copyView(database: Database, view: Model, hidden: readonly string[] = []): Promise<void> {
  const name = qualifiedName(view);
  const [parsed] = await database.rows<{ tree: string }>(
    `SELECT json_serialize_sql(${quoteText(view.select)}) AS tree`,
  );
  const tree = JSON.parse(parsed?.tree ?? '', dropPosition) as Tree;
  for (const select of selectsOf(tree.statements[0].node)) {
    const all = select.select_list ?? [];
    const shown = all.filter((expression) => !hidden.includes(columnName(expression)));
    if (shown.length + hidden.length !== all.length) {
      throw new AppError('definition', `sql/${view.file} must select each hidden column: ${hidden.join(', ')}`);
    }
    select.select_list = shown;
  }
  const [written] = await database.rows<{ select: string }>(
    `SELECT json_deserialize_sql(${quoteText(JSON.stringify(tree))}) AS select`,
  );
  await database.run(`CREATE VIEW ${name} AS ${written?.select}`);
}

function selectsOf(node: SelectNode): SelectNode[] {
  return node.left && node.right ? [...selectsOf(node.left), ...selectsOf(node.right)] : [node];
}

/** Drops positions: an unknown one is 2^64 - 1, which a number can't represent exactly. */
function dropPosition(key: string, value: unknown): unknown {
  return key === 'query_location' ? 0 : value;
}

function columnName({ alias, column_names }: Expression): string {
  return alias || (column_names?.at(-1) ?? '');
}

/** A comment on a relation, or on a column if it has a column's name. */
interface Comment {
  readonly kind: 'TABLE' | 'VIEW';
  readonly schema: string;
  readonly name: string;
  readonly column: string | null;
  readonly comment: string;
}

async function copyComments(database: Database): Promise<void> {
  const comments = await database.rows<Comment>(`
    WITH relations AS (
      SELECT 'TABLE' AS kind, database_name, schema_name, table_name AS name, comment FROM duckdb_tables()
      UNION ALL
      SELECT 'VIEW', database_name, schema_name, view_name, comment FROM duckdb_views() WHERE NOT internal
    ),
    commented AS (
      SELECT database_name, schema_name, name, NULL AS column_name, comment FROM relations
      UNION ALL
      SELECT database_name, schema_name, table_name, column_name, comment FROM duckdb_columns() WHERE NOT internal
    )
    SELECT relations.kind, relations.schema_name AS schema, relations.name, theirs.column_name AS column, theirs.comment
    FROM relations
    JOIN commented AS ours ON ours.database_name = relations.database_name AND ours.schema_name = relations.schema_name AND ours.name = relations.name
    JOIN commented AS theirs
      ON theirs.database_name = 'generation' AND theirs.schema_name = ours.schema_name AND theirs.name = ours.name
      AND theirs.column_name IS NOT DISTINCT FROM ours.column_name
    WHERE relations.database_name = current_database() AND theirs.comment IS NOT NULL`);
  const statements = comments.map(({ kind, schema, name, column, comment }) => {
    const relation = `${schema}.${quoteName(name)}`;
    const subject = column === null ? `${kind} ${relation}` : `COLUMN ${relation}.${quoteName(column)}`;
    return `COMMENT ON ${subject} IS ${quoteText(comment)};`;
  });
  await database.run(statements.join('\n'));
}
