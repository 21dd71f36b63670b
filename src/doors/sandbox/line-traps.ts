import { kindsOf, recordColumns } from '../../numbers/relation/index.ts';
import type { TreeNode } from './admission.ts';
import { firstArgument, hasNode, referencedColumn, visitTree } from './parse-tree.ts';

/** The relations with lines of plan and work side by side. */
const LINES = new Set(['marts.lines', 'marts.ledger', 'core.lines', 'core.named_lines', 'core.ledger']);

/** The relations in which a project or a person has a row for each tag. */
const TAGS = new Set(['marts.project_tags', 'marts.people_tags', 'staging.project_tags', 'staging.people_tags']);

const SUMMED = new Set(['hours', 'cost', 'fee']);

/** The columns of lines that tell kinds apart, beside those of their records. */
const OF_ONE_KIND = ['kind', 'line_id', 'task_id'];

/** The statuses that lines of every kind have. */
const SHARED_STATUSES = ['confirmed', 'completed'];

const TAG_NAMES = ['tag', 'people_tag'];

/** A sum of lines that adds up something else than it seems to. */
export interface LineTrap {
  readonly form: string;
  readonly sentence: string;
  /** The call of the sum. */
  readonly node: TreeNode;
}

/**
 * Finds the sums of lines that add plan to work, or count a line once for each tag.
 * A statement that names anything by which it may tell them apart has none: a missing note is better than a wrong one.
 * @returns at most one trap of a kind for each SELECT.
 */
export function noteOfLines(tree: unknown): LineTrap[] {
  const texts = textsOf(tree);
  const hasKind = [...OF_ONE_KIND, ...recordColumns()].some((name) => texts.has(name)) || hasOwnStatus(texts);
  const hasTag = TAG_NAMES.some((name) => texts.has(name));
  const traps: LineTrap[] = [];
  visitTree(tree, (node) => {
    if (node['type'] !== 'SELECT_NODE') return;
    const joined = joinedRelations(node['from_table'] as TreeNode);
    const lines = joined?.filter((each) => LINES.has(relationOf(each))) ?? [];
    const [relation] = lines;
    if (!joined || !relation || lines.length > 1) return;
    const call = findSum(node, relation);
    if (!call) return;
    const form = `SUM(${referencedColumn(firstArgument(call))})`;
    const name = relationOf(relation);
    const tags = joined.find((each) => TAGS.has(relationOf(each)));
    if (tags && !hasTag) traps.push({ form, node: call, sentence: sentenceOfTags(name, relationOf(tags)) });
    if (!hasKind) traps.push({ form, node: call, sentence: sentenceOfKinds(name) });
  });
  return traps;
}

function sentenceOfKinds(relation: string): string {
  return `sums plan and work alike: ${relation} has lines of both. Write WHERE kind = '${[...kindsOf('work'), ...kindsOf('plan')].join("' or '")}', or GROUP BY kind.`;
}

function sentenceOfTags(relation: string, tags: string): string {
  const key = tags.endsWith('.people_tags') ? 'people_id' : 'project_id';
  return `counts a line of ${relation} once for each tag. Write WHERE ${key} IN (SELECT ${key} FROM ${tags} WHERE ...) in place of the join.`;
}

/** Returns the relations that a FROM joins; undefined if it has anything else, which may choose lines of a kind. */
function joinedRelations(from: TreeNode): TreeNode[] | undefined {
  if (from['type'] === 'BASE_TABLE') return [from];
  const isInner = from['type'] === 'JOIN' && (from['join_type'] === 'INNER' || from['join_type'] === 'LEFT');
  if (!isInner || from['ref_type'] === 'NATURAL') return undefined;
  const [left, right] = [from['left'], from['right']].map((each) => joinedRelations(each as TreeNode));
  return left && right ? [...left, ...right] : undefined;
}

/** Returns the name of a relation in small letters, without its catalog. */
function relationOf({ schema_name: schema, table_name: table }: TreeNode): string {
  return `${schema}.${table}`.toLowerCase();
}

/** Finds a sum of a column of a relation in the list of a SELECT. */
function findSum({ select_list: list }: TreeNode, relation: TreeNode): TreeNode | undefined {
  let found: TreeNode | undefined;
  visitTree(list, (node) => {
    if (found || node['function_name'] !== 'sum') return;
    const column = firstArgument(node);
    if (column && SUMMED.has(referencedColumn(column) ?? '') && isOf(column, relation)) found = node;
  });
  // A subquery in the list has relations of its own.
  return hasNode(list, (node) => node['type'] === 'SELECT_NODE') ? undefined : found;
}

/** Returns whether a column is one of a relation: its name says so, or has no relation. */
function isOf(column: TreeNode, { alias, table_name: table }: TreeNode): boolean {
  const qualifier = (column['column_names'] as string[]).at(-2);
  return qualifier === undefined || qualifier.toLowerCase() === String(alias || table).toLowerCase();
}

/** Returns whether a statement asks a status that logged lines and expenses never have. */
function hasOwnStatus(texts: ReadonlySet<string>): boolean {
  return texts.has('status') && !SHARED_STATUSES.some((status) => texts.has(status));
}

/** Returns every text in a tree in small letters: names of columns, aliases and constants. */
function textsOf(tree: unknown): ReadonlySet<string> {
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value.toLowerCase());
    else if (value !== null && typeof value === 'object') Object.values(value).forEach(collect);
  };
  collect(tree);
  return texts;
}
