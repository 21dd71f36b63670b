import { linkTo, linkToQuery } from '../data/address.ts';
import { type Row, textOf } from '../data/answer.ts';
import type { Column } from '../data/catalogue.ts';
import { formatDate } from '../data/numbers.ts';

/** Returns the id of a line that can be explained. */
export function idOf(row: Row): string | undefined {
  const id = textOf(row, 'line_id');
  return id !== null && /^[saeiw]:/.test(id) ? id : undefined;
}

/** Returns the link to the explanation of a line; undefined for a day of a person and a budget, which are records. */
export function linkToLine(row: Row): string | undefined {
  const id = idOf(row);
  return id === undefined ? undefined : linkTo({ line: id });
}

/** The day of a line as a link to its explanation. */
export function LineLink({ row }: { row: Row }) {
  const href = linkToLine(row);
  const day = textOf(row, 'date');
  const text = day === null ? '(no date)' : formatDate(day);
  return href === undefined ? text : <a href={href}>{text}</a>;
}

/** Returns the link that a number of a line opens: its explanation, or the lines of the hours of a day or a cell. */
export function linkOfNumber(row: Row, { name }: Column, path: string): string | undefined {
  if (name !== 'scheduled_hours' && name !== 'actual_hours') return linkToLine(row);
  const query = new URLSearchParams(path.slice(path.indexOf('?') + 1));
  for (const shown of ['decimals', 'limit']) query.delete(shown);
  const keys = row['kind'] === 'cell' ? keysOfCell(row, name, query) : keysOfDay(row, name);
  if (keys === undefined) return undefined;
  for (const [own, value] of Object.entries(keys)) query.set(own, value);
  return linkToQuery(`?${query}`);
}

/** Returns the parameters of the hours of a person's day; none for a week. */
function keysOfDay(row: Row, measure: string): Readonly<Record<string, string>> | undefined {
  const [day, person] = [textOf(row, 'date'), textOf(row, 'people_id')];
  if (day === null || person === null || row['kind'] !== 'day') return undefined;
  return { measure, people_id: person, period_start: day, period_end: day };
}

/** Returns the parameters of the hours of a cell of a bridge: the keys of its row, project, role and person. */
function keysOfCell(row: Row, name: string, query: URLSearchParams): Readonly<Record<string, string>> {
  const keys = new URLSearchParams(query.get('row') ?? '');
  for (const key of ['project_id', 'role_id', 'people_id']) keys.set(key, textOf(row, key) ?? 'none');
  return { measure: name === 'actual_hours' ? name : 'scheduled_to_date_hours', row: String(keys) };
}
