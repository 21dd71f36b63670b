import { linkToScreen } from '../data/address.ts';
import { type Row, textOf } from '../data/answer.ts';
import { formatDate, formatMonth, nameOr } from '../data/numbers.ts';
import type { Cells } from './table.tsx';

/** Columns with the name of a place, each with the column of its id. */
const NAMES: Readonly<Record<string, { readonly screen: string; readonly id: string }>> = {
  project: { screen: 'project', id: 'project_id' },
  person: { screen: 'person', id: 'people_id' },
  client: { screen: 'client', id: 'client_id' },
};

/** Cells whose names lead to the screen of their thing. */
export const placeCells: Cells = {
  ...Object.fromEntries(
    Object.entries(NAMES).map(([column, { screen, id }]) => [column, (row: Row) => placeLink(row, column, screen, id)]),
  ),
  month: (row) => formatMonth(textOf(row, 'month') ?? ''),
  week: (row) => formatDate(textOf(row, 'week') ?? ''),
};

/** Cells of a report whose rows are projects, called by `name`. */
export const projectCells: Cells = { ...placeCells, name: (row) => placeLink(row, 'name', 'project', 'project_id') };

/** Returns the name of a thing as the link to its screen; its words alone where it has no id. */
export function placeLink(row: Row, column: string, screen: string, idColumn: string) {
  const [name, id] = [textOf(row, column), textOf(row, idColumn)];
  if (id === null || id === '0') return name ?? '(none)';
  return <a href={linkToScreen(screen, { [idColumn]: id })}>{nameOr(name, id, screen)}</a>;
}
