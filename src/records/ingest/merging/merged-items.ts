import type { Fields } from '../../resource/field.ts';
import { isSameValue, type JsonRecord, listTexts } from './merged-values.ts';

/** The field by which items follow one another in time. */
const SINCE = 'effective_date';

/**
 * Joins the items of a list: equal ones are one, and of items that follow one another in time those that change something are kept.
 * Items that differ in a rate alone are a conflict, in which no rate counts.
 * @returns a sentence for each conflict.
 */
export function mergeItems(record: JsonRecord, list: string, fields: Fields, who: string): string[] {
  const rates = Object.keys(fields).filter((field) => fields[field]?.type === 'rate');
  const sentences: string[] = [];
  const joined = new Map<string, JsonRecord>();
  for (const item of record[list] as JsonRecord[]) {
    const key = JSON.stringify(Object.entries(item).filter(([field]) => !rates.includes(field)));
    const known = joined.get(key);
    if (known === undefined) joined.set(key, { ...item });
    else
      for (const rate of rates) {
        const [one, other] = [known[rate], item[rate]];
        if (isBlank(other) || (!isBlank(one) && isSameValue(one, other, 'rate'))) continue;
        if (!isBlank(one)) {
          const since = isBlank(item[SINCE]) ? '' : ` on ${String(item[SINCE])}`;
          sentences.push(
            `${who} has ${list} with ${rate} ${listTexts([String(one), String(other)])}${since}: none counts`,
          );
        }
        known[rate] = isBlank(one) ? other : null;
      }
  }
  const items = [...joined.values()];
  record[list] = SINCE in fields ? withoutRepeats(items) : items;
  return sentences;
}

/** Leaves out items that change nothing since the one before. */
function withoutRepeats(items: readonly JsonRecord[]): JsonRecord[] {
  const sorted = items.toSorted((a, b) => String(a[SINCE] ?? '').localeCompare(String(b[SINCE] ?? ''), 'en'));
  const restOf = ({ [SINCE]: _, ...rest }: JsonRecord) => JSON.stringify(rest);
  return sorted.filter((item, index) => {
    const before = sorted[index - 1];
    return before === undefined || restOf(before) !== restOf(item);
  });
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
