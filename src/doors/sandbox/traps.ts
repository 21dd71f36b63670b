import type { TreeNode } from './admission.ts';
import { noteOfLines } from './line-traps.ts';
import { firstArgument, hasNode, referencedColumn, visitTree } from './parse-tree.ts';
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
 * a column of a CTE or a subquery that has the difference; SUM(hours) of lines without a kind adds plan and work.
 * @param tree An admitted parse tree.
 * @returns one sentence for each, with its place and the right form.
 */
export function findTraps(tree: unknown, sql: string): string[] {
  const names = findAmountNames(tree);
  const isOfBillable = hasNode(tree, (node) => referencedColumn(node) === 'billable');
  const write = ({ form, sentence, node }: TrapNote & { node: TreeNode }) =>
    `${form}${formatPosition(sql, node['query_location'])} ${sentence}`;
  const notes = noteOfLines(tree).slice(0, MAX_NOTES).map(write);
  visitTree(tree, (node) => {
    if (notes.length === MAX_NOTES) return;
    const note =
      noteOfPair(node, names) ?? noteOfDivision(node, names) ?? (isOfBillable ? undefined : noteOfRate(node));
    if (note) notes.push(write({ ...note, node }));
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
  const pair = called === 'sum' || called === 'avg' ? pairOf(firstArgument(node), names) : undefined;
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
  if (name === undefined || !hours || hours.filter !== null || referencedColumn(hours.argument) !== 'hours')
    return undefined;
  return {
    form: `SUM(${name}) / SUM(hours)`,
    sentence: `divides by hours whose ${name} is unknown, too. Write SUM(${name}) / SUM(hours) FILTER (${name} IS NOT NULL).`,
  };
}

/** Notes fees that are computed from rates, which lines have that nobody is billed for. */
function noteOfRate(node: TreeNode): TrapNote | undefined {
  const product = node['function_name'] === 'sum' ? firstArgument(node) : undefined;
  if (product?.['function_name'] !== '*') return undefined;
  const columns = (product['children'] as TreeNode[]).map(referencedColumn).toSorted();
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
    visitTree(tree, (node) => {
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
  const named = names.pairs.get(referencedColumn(node) ?? '');
  const { is_operator, function_name: sign, children } = node;
  if (named || !is_operator || (sign !== '-' && sign !== '+')) return named;
  const [left, right] = (children as TreeNode[]).map((child) => amountOf(child, names));
  return left === undefined || right === undefined || left === right ? undefined : { left, right, sign };
}

function amountOf(node: TreeNode | undefined, { amounts }: AmountNames): string | undefined {
  return amounts.get(referencedColumn(node) ?? '');
}

function summed(node: TreeNode): { argument: TreeNode | undefined; filter: unknown } | undefined {
  return node['function_name'] === 'sum'
    ? { argument: firstArgument(node), filter: node['filter'] ?? null }
    : undefined;
}
