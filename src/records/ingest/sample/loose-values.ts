import { plainMoney } from '../mapping/decimal-text.ts';
import type { ColumnMeaning } from './column-meanings.ts';
import { areDays, areNumberedDays } from './day-forms.ts';
import type { SampleCell } from './first-rows.ts';

/** The most different texts of a column of yes and no. Unit: texts. */
const MAX_FLAG_TEXTS = 6;

const isAmount = ({ text }: SampleCell) =>
  plainMoney(text.trim(), 'point') !== undefined || plainMoney(text.trim(), 'comma') !== undefined;

const hasLetters = ({ text }: SampleCell) => /\p{L}/u.test(text);

/** Tells whether the values of a column can have a meaning that only one word of its header speaks of. */
export function fitsMeaning(meaning: ColumnMeaning, cells: readonly SampleCell[]): boolean {
  if (cells.length === 0) return false;
  if (meaning === 'bill_rate' || meaning === 'cost_rate' || meaning === 'amount') return cells.every(isAmount);
  if (meaning === 'billable') {
    const texts = new Set(cells.map(({ text }) => text.trim()));
    return texts.size <= MAX_FLAG_TEXTS && [...texts].every((text) => /^[01]$|\p{L}/u.test(text));
  }
  if (meaning === 'date') return areDays(cells) || areNumberedDays(cells);
  if (meaning === 'client' || meaning === 'task' || meaning === 'notes')
    return cells.some(hasLetters) && !areDays(cells);
  return !((meaning === 'person' || meaning === 'project') && areDays(cells));
}
