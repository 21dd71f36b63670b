import { isFailure } from '../../base/database/index.ts';
import { AppError, askNearest } from '../../base/index.ts';
import { FUNCTIONS, TABLE_FUNCTIONS } from './admitted-functions.ts';
import { NODES, TYPE_NAMES, TYPES } from './admitted-nodes.ts';
import { formatPosition } from './position.ts';

/** The names that external SQL may use, in lower case; relations and table macros with their schema. */
export interface ReadableNames {
  readonly relations: ReadonlySet<string>;
  readonly tableMacros: ReadonlySet<string>;
  /** The database's scalar macros, such as `percent`; those outside of `main` with their schema. */
  readonly macros: ReadonlySet<string>;
  /** The marts of attached states, such as `march.marts.lines`. */
  readonly attached: ReadonlySet<string>;
  readonly keywords: ReadonlySet<string>;
}

export type TreeNode = Readonly<Record<string, unknown>>;

/** The context of a tree node: the statement, the readable names, and the visible names of WITH. */
interface AdmissionContext {
  readonly sql: string;
  readonly readable: ReadableNames;
  readonly names: ReadonlySet<string>;
}

/**
 * Checks that SQL is one SELECT over known relations and known functions.
 * @param tree The parsed result of the engine's json_serialize_sql.
 * @param given The names of WITH around it.
 * @throws AppError usage with the refused name, its position, and the way out.
 */
export function assertAdmitted(
  tree: TreeNode,
  sql: string,
  readable: ReadableNames,
  given: readonly string[] = [],
): void {
  if (tree['error']) throw parsingError(tree, sql, readable);
  const statements = tree['statements'] as readonly TreeNode[];
  if (statements.length !== 1) {
    throw new AppError('usage', `The SQL holds ${statements.length} statements, not one`, {
      hint: 'Send one SELECT at a time.',
    });
  }
  try {
    visit(statements[0], { sql, readable, names: new Set(given) });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AppError('usage', 'The SQL is nested too deeply', { hint: 'Define its parts in WITH clauses.' });
  }
}

/** The engine's words for the place at which it stopped reading. */
const NEAR = /^syntax error at or near "(?<word>[A-Za-z_]\w*)"$/;

function parsingError(tree: TreeNode, sql: string, { keywords }: ReadableNames): AppError {
  const message = String(tree['error_message']);
  if (isFailure(message, 'notSelect')) {
    return new AppError('usage', 'The SQL is not a SELECT', {
      hint: 'SQL here reads data and changes nothing. Send one SELECT; SET, COPY, ATTACH, CREATE, INSERT, CALL, EXPLAIN and PIVOT without IN are refused.',
    });
  }
  const word = NEAR.exec(message)?.groups?.['word'];
  const isKeyword = word !== undefined && keywords.has(fold(word));
  return new AppError('usage', `The SQL can't be read: ${message}${formatPosition(sql, tree['position'])}`, {
    hint: `${isKeyword ? `${word} is a word of SQL. If you mean a name, put it in double quotes: "${word}". ` : ''}Send one SELECT in the dialect of DuckDB.`,
  });
}

/** Checks a value of the tree and everything below it; unknown parts are refused. */
function visit(value: unknown, context: AdmissionContext): void {
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) {
    for (const item of value) visit(item, context);
    return;
  }
  const node = value as TreeNode;
  if (typeof node['type'] === 'string') assertKind(node, node['type'], context);
  if (typeof node['id'] === 'string' && 'type_info' in node) assertType(node, context);
  visitChildren(node, 'cte_map' in node ? visitNames(node, context) : context);
}

function visitChildren(node: TreeNode, context: AdmissionContext): void {
  for (const [key, child] of Object.entries(node)) {
    if (key === 'cte_map') continue;
    const isRecursion = node['type'] === 'RECURSIVE_CTE_NODE' && key === 'right';
    // The call was checked as a table function; its arguments are checked like other nodes.
    const isTableFunction = node['type'] === 'TABLE_FUNCTION' && key === 'function';
    const value = isTableFunction ? { ...(child as TreeNode), type: null } : child;
    visit(value, isRecursion ? withName(context, node['cte_name']) : context);
  }
}

/**
 * Checks the queries of a WITH, each with the names before it in scope.
 * @returns The context of the query after them.
 */
function visitNames(node: TreeNode, context: AdmissionContext): AdmissionContext {
  const { map } = node['cte_map'] as { map: readonly { key: string; value: TreeNode }[] };
  let inner = context;
  for (const { key, value } of map) {
    visit(value, inner);
    inner = withName(inner, key);
  }
  return inner;
}

function withName(context: AdmissionContext, name: unknown): AdmissionContext {
  return { ...context, names: new Set([...context.names, fold(name)]) };
}

function assertKind(node: TreeNode, kind: string, context: AdmissionContext): void {
  if (!NODES.has(kind))
    throw refusal(`${kind} is not allowed in SQL here`, node, context, 'Rewrite the query without it.');
  if (kind === 'BASE_TABLE') assertRelation(node, context);
  else if (kind === 'TABLE_FUNCTION') assertTableFunction(node, context);
  else if (kind === 'SHOW_REF') assertDescription(node, context);
  else if (kind === 'VALUE_PARAMETER') assertParameter(node, context);
  else if ('function_name' in node) assertFunction(node, context);
}

function assertRelation(node: TreeNode, context: AdmissionContext): void {
  const { schema_name: schema, table_name: table, catalog_name: catalog, at_clause: at } = node;
  const name = [catalog, schema, table].filter((part) => part !== '').join('.');
  const { relations } = context.readable;
  const isNamed = schema === '' && context.names.has(fold(table));
  if (catalog === '' && !at && (isNamed || relations.has(fold(name)))) return;
  if (catalog !== '' && !at && context.readable.attached.has(fold(name))) return;
  const same = ['marts', 'core', 'source'].map((each) => `${each}.${fold(table)}`).find((each) => relations.has(each));
  const hint = same ? `Write ${same}.` : `${listRelations(name, relations)}${hintOfStates(context.readable)}`;
  throw refusal(`There is no relation ${name} that SQL may read`, node, context, hint);
}

const REPORTS_OF_STATE = 'An attached state shows its marts alone. Read these, or run the statement as of that state.';

/** Returns a sentence with the marts, the relation that a wrong name is near to, and the schemas of the other relations. */
function listRelations(wrong: string, relations: ReadonlySet<string>): string {
  const marts = [...relations].filter((each) => each.startsWith('marts.')).sort();
  const schemas = [...new Set([...relations].map((each) => each.slice(0, each.indexOf('.'))))].sort();
  const others = schemas.filter((each) => each !== 'marts');
  const more = others.length === 0 ? '' : ` Other relations are in ${others.join(', ')}.`;
  return `The marts are ${marts.join(', ')}${askNearest(wrong, [...relations])}; SHOW TABLES says what they are.${more}`;
}

/** Returns a sentence about the states that are attached, if any. */
function hintOfStates({ attached }: ReadableNames): string {
  const [first] = attached;
  return first === undefined ? '' : ` An attached state shows its marts alone, such as ${first}.`;
}

function assertTableFunction(node: TreeNode, context: AdmissionContext): void {
  const call = node['function'] as TreeNode;
  const name = [call['catalog'], call['schema'], call['function_name']].filter((part) => part !== '').join('.');
  const isKnown = TABLE_FUNCTIONS.has(fold(name)) || context.readable.tableMacros.has(fold(name));
  if (isKnown && call['type'] === 'FUNCTION') return;
  const known = [...TABLE_FUNCTIONS, ...context.readable.tableMacros].sort();
  if (call['catalog'] !== '' && context.readable.attached.size > 0) {
    throw refusal(
      `${name} would read the tables of the open data, not those of its state`,
      node,
      context,
      REPORTS_OF_STATE,
    );
  }
  const hint = `FROM takes relations, and ${known.join(', ')}${askNearest(name, known)}.`;
  throw refusal(`The table function ${name} is not allowed`, node, context, hint);
}

/** Admits DESCRIBE and SUMMARIZE of a query; SHOW TABLES in a query reveals the whole catalog. */
function assertDescription(node: TreeNode, context: AdmissionContext): void {
  const { show_type: type, query, table_name: table } = node;
  if ((type === 'DESCRIBE' || type === 'SUMMARY') && query && table === '') return;
  const hint = 'SHOW TABLES alone lists the relations, and DESCRIBE marts.ledger the columns of one.';
  throw refusal('SHOW is not allowed', node, context, hint);
}

function assertParameter(node: TreeNode, context: AdmissionContext): void {
  if (/^[a-z_]\w*$/i.test(String(node['identifier']))) return;
  const name = `$${node['identifier']}`;
  throw refusal(`The parameter ${name} has no name`, node, context, 'Write $name, and give a value of that name.');
}

function assertFunction(node: TreeNode, context: AdmissionContext): void {
  const { function_name: name, schema, catalog } = node;
  const { macros } = context.readable;
  const isPlain = schema === '' || schema === 'main';
  const isKnown = isPlain ? FUNCTIONS.has(fold(name)) || macros.has(fold(name)) : macros.has(fold(`${schema}.${name}`));
  if (isKnown && catalog === '' && !node['export_state']) return;
  const qualified = [catalog, schema, name].filter((part) => part !== '').join('.');
  const near = askNearest(qualified, [...FUNCTIONS, ...macros]);
  const hint = `Only functions that compute a value from their arguments are allowed${near}: docs/sql.md lists them.`;
  throw refusal(`The function ${qualified} is not allowed`, node, context, hint);
}

function assertType(node: TreeNode, context: AdmissionContext): void {
  if (TYPES.has(String(node['id']))) return;
  const { name, schema, catalog } = (node['type_info'] ?? {}) as TreeNode;
  const isNamed = node['id'] === 'UNBOUND' && schema === '' && catalog === '';
  if (isNamed && TYPE_NAMES.has(fold(name))) return;
  const hint = `The types are ${[...TYPES, ...TYPE_NAMES].join(', ')}.`;
  throw refusal(`The type ${name ?? node['id']} is not allowed`, node, context, hint);
}

function refusal(message: string, node: TreeNode, { sql }: AdmissionContext, hint: string): AppError {
  return new AppError('usage', message + formatPosition(sql, node['query_location']), { hint });
}

/** Folds a name like the engine, which ignores case in ASCII letters only. */
export function fold(name: unknown): string {
  return String(name).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
