import { quoteText } from '../../base/database/index.ts';
import type { RelationDescription } from '../registry/listed-relation.ts';

/** Writes what answers SHOW TABLES: the marts, the macros of `reports`, and what the parent lists, each with its meaning. */
export function writeShowTables(relations: readonly RelationDescription[]): string {
  return `
  SELECT relation AS name, relation_description AS description
  FROM marts.catalog
  ${relations.map(({ name, meaning }) => `UNION SELECT ${quoteText(name)}, ${quoteText(meaning)}`).join('\n  ')}
  ORDER BY name`;
}

/** The engine's names for all tables, in SHOW TABLES and in SHOW ALL TABLES. */
const ALL_TABLES: readonly unknown[] = ['"tables"', '__show_tables_expanded'];

interface ShowTree {
  readonly statements?: readonly { readonly node?: { readonly from_table?: Readonly<Record<string, unknown>> } }[];
}

/** Returns whether a parsed text is SHOW TABLES alone, which the engine would answer with its whole catalog. */
export function isShowTables(tree: object): boolean {
  const { statements = [] } = tree as ShowTree;
  const from = statements[0]?.node?.from_table;
  return statements.length === 1 && from?.['type'] === 'SHOW_REF' && ALL_TABLES.includes(from['table_name']);
}
