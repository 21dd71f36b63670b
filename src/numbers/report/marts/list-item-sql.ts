import { quoteText } from '../../../base/database/index.ts';
import { MISSING } from '../catalogue/list-item.ts';

/*
 * The functions of list-item.ts in SQL, for macros. A test compares them on random texts.
 */

export function isListSql(value: string): string {
  return `typeof(${value}) LIKE '%]'`;
}

/** Returns the items of a value: those of its text, or of a list, whose items keep their commas. */
export function splitItemsSql(value: string): string {
  // Each item follows a comma; a backslash takes the next character along.
  const item = String.raw`',((?:\\.|[^,\\])*\\?)'`;
  const split = `regexp_extract_all(',' || CAST(${value} AS VARCHAR), ${item}, 1, 's')`;
  return `CASE WHEN ${isListSql(value)} THEN CAST(${value} AS VARCHAR[]) ELSE ${split} END`;
}

/** Returns the text that an item stands for; NULL if it matches a missing value. */
export function readItemSql(item: string): string {
  const text = String.raw`regexp_replace(${item}, '\\([\\,])', '\1', 'g')`;
  return `CASE ${item} WHEN '${MISSING}' THEN NULL WHEN ${quoteText(`\\${MISSING}`)} THEN '${MISSING}' ELSE ${text} END`;
}
