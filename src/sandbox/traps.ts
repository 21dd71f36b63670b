import type { TreeNode } from './admission.ts';
import { formatPosition } from './position.ts';
import { MAX_NOTES } from './sandbox-limits.ts';

/** Columns that are empty where a rate is unknown: a difference of two is empty if either is. */
const AMOUNTS = ['fee', 'cost'];

/** A sum or difference of two amounts of a line. */
interface TwoAmounts {
  readonly left: string;
  readonly right: string;
  readonly sign: string;
}

/** The columns of a statement that stand for amounts of a line, by their name in small letters. */
interface AmountNames {
  readonly amounts: ReadonlyMap<string, string>;
  readonly pairs: ReadonlyMap<string, TwoAmounts>;
}

/**
 * Finds sums that drop or add lines in silence: SUM(fee - cost) leaves out every line whose fee or cost is unknown, also over
 * a column of a CTE or a subquery that has the difference.
 * @param tree An admitted parse tree.
 * @returns one sentence for each, with its place and the right form.
 */
export function findTraps(tree: unknown, sql: string): string[] {
  const names = findAmountNames(tree);
  const isOfBillable = findNode(tree, (node) => columnOf(node) === 'billable');
  const notes: string[] = [];
  visit(tree, (node) => {
    if (notes.length === MAX_NOTES) return;
    const note =
      noteOfPair(node, names) ?? noteOfDivision(node, names) ?? (isOfBillable ? undefined : noteOfRate(node));
    if (note) notes.push(`${note.form}${formatPosition(sql, node['query_location'])} ${note.sentence}`);
  });
  return notes;
}

interface TrapNote {
  readonly form: string;
  readonly sentence: string;
}

/** Notes an aggregate of two amounts. */
function noteOfPair(node: TreeNode, names: AmountNames): TrapNote | undefined {
  const called = String(node['function_name']);
  const pair = called === 'sum' || called === 'avg' ? pairOf(argumentOf(node), names) : undefined;
  if (!pair) return undefined;
  const { left, right, sign } = pair;
  const sums = `SUM(${left}) ${sign} SUM(${right})`;
  const rightForm = called === 'sum' ? sums : `(${sums}) / COUNT(*)`;
  return {
    form: `${called.toUpperCase()}(${left} ${sign} ${right})`,
    sentence: `leaves out each line whose ${left} or ${right} is unknown. Write ${rightForm}.`,
  };
}

/** Notes an amount by hour that divides by all hours. */
function noteOfDivision({ function_name, children }: TreeNode, names: AmountNames): TrapNote | undefined {
  if (function_name !== '/') return undefined;
  const [amount, hours] = (children as TreeNode[]).map(summed);
  const name = amount?.filter === null ? amountOf(amount.argument, names) : undefined;
  if (name === undefined || !hours || hours.filter !== null || columnOf(hours.argument) !== 'hours') return undefined;
  return {
    form: `SUM(${name}) / SUM(hours)`,
    sentence: `divides by hours whose ${name} is unknown, too. Write SUM(${name}) / SUM(hours) FILTER (${name} IS NOT NULL).`,
  };
}

/** Notes fees that are computed from rates, which lines have that nobody is billed for. */
function noteOfRate(node: TreeNode): TrapNote | undefined {
  const product = node['function_name'] === 'sum' ? argumentOf(node) : undefined;
  if (product?.['function_name'] !== '*') return undefined;
  const columns = (product['children'] as TreeNode[]).map(columnOf).toSorted();
  if (columns.join() !== 'bill_rate,hours') return undefined;
  return { form: 'SUM(hours * bill_rate)', sentence: "adds lines that aren't billable, too. Write SUM(fee)." };
}

/** Returns the columns of a SELECT list that stand for an amount, or for two, under another name. */
function findAmountNames(tree: unknown): AmountNames {
  const amounts = new Map(AMOUNTS.map((name) => [name, name]));
  const pairs = new Map<string, TwoAmounts>();
  // A renamed column may be renamed again, in a statement around it, which comes first in the tree.
  for (let found = -1; found < amounts.size + pairs.size; ) {
    found = amounts.size + pairs.size;
    visit(tree, (node) => {
      const alias = String(node['alias'] ?? '').toLowerCase();
      if (alias === '' || amounts.has(alias) || pairs.has(alias)) return;
      const names = { amounts, pairs };
      const amount = amountOf(node, names);
      const pair = pairOf(node, names);
      if (amount !== undefined) amounts.set(alias, amount);
      if (pair) pairs.set(alias, pair);
    });
  }
  return { amounts, pairs };
}

/** Returns the two amounts that an expression adds or subtracts, or that its column stands for. */
function pairOf(node: TreeNode | undefined, names: AmountNames): TwoAmounts | undefined {
  if (!node) return undefined;
  const named = names.pairs.get(columnOf(node) ?? '');
  const { is_operator, function_name: sign, children } = node;
  if (named || !is_operator || (sign !== '-' && sign !== '+')) return named;
  const [left, right] = (children as TreeNode[]).map((child) => amountOf(child, names));
  return left === undefined || right === undefined || left === right ? undefined : { left, right, sign };
}

function amountOf(node: TreeNode | undefined, { amounts }: AmountNames): string | undefined {
  return amounts.get(columnOf(node) ?? '');
}

function summed(node: TreeNode): { argument: TreeNode | undefined; filter: unknown } | undefined {
  return node['function_name'] === 'sum' ? { argument: argumentOf(node), filter: node['filter'] ?? null } : undefined;
}

function argumentOf(node: TreeNode): TreeNode | undefined {
  return (node['children'] as TreeNode[])[0];
}

function columnOf(node: TreeNode | undefined): string | undefined {
  if (node?.['type'] !== 'COLUMN_REF') return undefined;
  return String((node['column_names'] as string[]).at(-1)).toLowerCase();
}

function findNode(tree: unknown, isFound: (node: TreeNode) => boolean): boolean {
  let found = false;
  visit(tree, (node) => {
    found ||= isFound(node);
  });
  return found;
}

function visit(value: unknown, note: (node: TreeNode) => void): void {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) note(value as TreeNode);
  for (const child of Object.values(value)) visit(child, note);
}
