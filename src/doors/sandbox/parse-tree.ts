import type { TreeNode } from './admission.ts';

/** Calls a function with every node of a parse tree, outer nodes first. */
export function visitTree(value: unknown, note: (node: TreeNode) => void): void {
  if (value === null || typeof value !== 'object') return;
  if (!Array.isArray(value)) note(value as TreeNode);
  for (const child of Object.values(value)) visitTree(child, note);
}

/** Returns whether a node of a parse tree fulfills a condition. */
export function hasNode(tree: unknown, isFound: (node: TreeNode) => boolean): boolean {
  let found = false;
  visitTree(tree, (node) => {
    found ||= isFound(node);
  });
  return found;
}

/** Returns the first argument of a call. */
export function firstArgument(call: TreeNode): TreeNode | undefined {
  return (call['children'] as TreeNode[])[0];
}

/** Returns the name of a referenced column in small letters, without its relation; undefined for other nodes. */
export function referencedColumn(node: TreeNode | undefined): string | undefined {
  if (node?.['type'] !== 'COLUMN_REF') return undefined;
  return String((node['column_names'] as string[]).at(-1)).toLowerCase();
}
