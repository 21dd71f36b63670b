import type { TreeNode } from './admission.ts';
import { formatPosition } from './position.ts';
import { MAX_NOTES } from './sandbox-limits.ts';

/** Columns that are empty where a rate is unknown: a difference of two is empty if either is. */
const AMOUNTS = ['fee', 'cost'];

/**
 * Finds sums that drop lines in silence: SUM(fee - cost) leaves out every line whose fee or cost is unknown.
 * @param tree An admitted parse tree.
 * @returns one sentence for each, with its place and the right form.
 */
export function findTraps(tree: unknown, sql: string): string[] {
  const notes: string[] = [];
  visit(tree, (node) => {
    const [argument] = node['function_name'] === 'sum' ? (node['children'] as TreeNode[]) : [];
    const names = argument && namesOfAmounts(argument);
    if (!names || notes.length === MAX_NOTES) return;
    const [left, right] = names;
    const sign = argument['function_name'];
    notes.push(
      `SUM(${left} ${sign} ${right})${formatPosition(sql, node['query_location'])} leaves out each line whose ${left} or ${right} is unknown. Write SUM(${left}) ${sign} SUM(${right}).`,
    );
  });
  return notes;
}

/** Returns the names of the two amounts that an expression adds or subtracts. */
function namesOfAmounts({ is_operator, function_name, children }: TreeNode): [string, string] | undefined {
  if (!is_operator || (function_name !== '-' && function_name !== '+')) return undefined;
  const [left, right] = (children as TreeNode[]).map(nameOfAmount);
  return left === undefined || right === undefined || left === right ? undefined : [left, right];
}

function nameOfAmount({ type, column_names }: TreeNode): string | undefined {
  if (type !== 'COLUMN_REF') return undefined;
  const name = String((column_names as string[]).at(-1)).toLowerCase();
  return AMOUNTS.find((amount) => amount === name);
}

function visit(value: unknown, note: (node: TreeNode) => void): void {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) note(value as TreeNode);
  for (const child of Object.values(value)) visit(child, note);
}
