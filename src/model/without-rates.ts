import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, quoteName, quoteText } from '../database/database.ts';
import { AppError } from '../error.ts';
import { leaveTextsPlain } from './compression.ts';
import { loadModels, type Model, qualifiedName } from './models.ts';

/** The relations of the copy besides the marts: what reports read. No raw record is among them. */
const COPIED = [
  'source.generation',
  'source.load_counts',
  'core.settings',
  'core.ledger',
  'core.expenses',
  'core.budget_months',
  'core.logged_hours',
  'core.work_hours',
  'core.time_off_days',
];

/**
 * The columns that the copy doesn't have, because they are costs, or rates of costs. The source of a cost rate tells whether it is known, not
 * its value; bill rates and fees are public.
 */
const HIDDEN: Readonly<Record<string, readonly string[]>> = {
  'core.ledger': ['cost_rate', 'cost'],
  'core.expenses': ['unrounded_cost', 'cost'],
  'marts.ledger': ['cost_rate', 'cost'],
  'marts.lines': ['cost_rate', 'cost'],
  'marts.data_quality': ['amount_at_risk'],
};

/**
 * Fills an empty database with the part of a generation that readers without the right to see costs may read. Relations and columns have the
 * names, the order of rows and the comments that they have in the generation.
 * @param database Has the whole generation attached as `generation`.
 * @param directory The folder sql/.
 * @throws AppError definition when a hidden column isn't there.
 */
export async function buildWithoutRates(database: Database, directory: string): Promise<void> {
  await database.run(readFileSync(join(directory, 'prelude', 'duckdb.sql'), 'utf8'));
  const models = await loadModels(database, directory);
  const marts = models.filter(({ schema }) => schema === 'marts').map(qualifiedName);
  const copied = new Set([...COPIED, ...marts]);
  const views = models.filter((model) => isViewOf(model, copied));
  const tables = [...copied].filter((name) => !views.some((view) => qualifiedName(view) === name));
  const buildCopy = async () => {
    await database.run('CREATE SCHEMA source; CREATE SCHEMA core; CREATE SCHEMA marts');
    for (const name of tables) await copyTable(database, name);
    for (const view of views) await copyView(database, view);
    await copyComments(database);
  };
  await leaveTextsPlain(database, () => database.transaction(buildCopy));
}

/** Whether a model needs no table of its own in the copy, because all that it reads is there. */
function isViewOf(model: Model, copied: ReadonlySet<string>): boolean {
  return model.storage === 'view' && copied.has(qualifiedName(model)) && model.reads.every((name) => copied.has(name));
}

async function copyTable(database: Database, name: string): Promise<void> {
  const hidden = HIDDEN[name] ?? [];
  const columns = hidden.length === 0 ? '*' : `* EXCLUDE (${hidden.map(quoteName).join(', ')})`;
  await database.run(`CREATE TABLE ${name} AS SELECT ${columns} FROM generation.${name}`);
}

/** The parts of an expression's parse tree that say what its column is called. */
interface Expression {
  readonly alias: string;
  readonly column_names?: readonly string[];
}

/** A SELECT as the engine parses it. */
interface Tree {
  readonly statements: readonly [{ readonly node: { select_list: Expression[] } }];
}

/** Makes a view by its model's SELECT without the hidden columns. */
async function copyView(database: Database, view: Model): Promise<void> {
  const name = qualifiedName(view);
  const hidden = HIDDEN[name] ?? [];
  const [parsed] = await database.rows<{ tree: string }>(
    `SELECT json_serialize_sql(${quoteText(view.select)}) AS tree`,
  );
  const tree = JSON.parse(parsed?.tree ?? '', dropPlace) as Tree;
  const { node } = tree.statements[0];
  const shown = node.select_list.filter((expression) => !hidden.includes(columnName(expression)));
  if (shown.length + hidden.length !== node.select_list.length) {
    throw new AppError('definition', `sql/${view.file} has not each of the columns to hide: ${hidden.join(', ')}`);
  }
  node.select_list = shown;
  const [written] = await database.rows<{ select: string }>(
    `SELECT json_deserialize_sql(${quoteText(JSON.stringify(tree))}) AS select`,
  );
  await database.run(`CREATE VIEW ${name} AS ${written?.select}`);
}

/** Leaves out the places in the text: one that is unknown is 2^64 - 1, which a number doesn't hold exactly. */
function dropPlace(key: string, value: unknown): unknown {
  return key === 'query_location' ? 0 : value;
}

function columnName({ alias, column_names }: Expression): string {
  return alias || (column_names?.at(-1) ?? '');
}

/** A comment of a relation or, with a column's name, of a column. */
interface Comment {
  readonly kind: 'TABLE' | 'VIEW';
  readonly schema: string;
  readonly name: string;
  readonly column: string | null;
  readonly comment: string;
}

/** Gives every relation and column the comment that the generation has at the one of its name. */
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
