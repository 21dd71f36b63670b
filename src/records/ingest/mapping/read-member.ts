import type { RecordMember } from './record-members.ts';
import { joinCells, type RowValue, type ValueAt } from './row-value.ts';

/** Returns the value of a member, and what is wrong with it: the texts of its columns if they can't be read. */
export function readMember(
  member: RecordMember,
  valueAt: ValueAt,
): { readonly value: RowValue | null; readonly fault?: string } {
  const given = () => joinCells(member.places, valueAt, member.isText);
  const cell = member.make ? null : given();
  // A blank cell may be an empty text, in quotes.
  const isBlank = cell?.text.trim() === '';
  const translate = isBlank ? undefined : cell?.isJson ? member.translateNumber : member.translate;
  const made = member.make ? member.make(valueAt) : cell && translate ? translate(cell.text) : undefined;
  if (made === undefined) return { value: cell };
  if (made === null || typeof made === 'string') return { value: made === null ? null : { text: made, isJson: false } };
  return { value: given(), fault: made.fault };
}
