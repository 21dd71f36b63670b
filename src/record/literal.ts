import { quoteText, type Value } from '../database/database.ts';
import type { Field, FieldType } from '../resource/field.ts';

/** Formats a value as an SQL literal; decimals keep all their digits. */
export function formatLiteral(field: Field, value: Value): string {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return `[${value.map(String).join(', ')}]`;
  if (typeof value !== 'string') return String(value);
  if (field.type === 'date') return `DATE ${quoteText(value)}`;
  if (field.type === 'timestamp') return `TIMESTAMP ${quoteText(value)}`;
  return DECIMALS.has(field.type) ? value : quoteText(value);
}

const DECIMALS: ReadonlySet<FieldType> = new Set(['hours', 'week', 'rate', 'amount']);
