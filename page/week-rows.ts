import { linkToLines } from './address.ts';
import { type Row, textOf } from './api.ts';
import { formatDecimal, toFloat } from './numbers.ts';

/** Hours of a week, which explain its percentage. */
export const WEEK_HOURS = ['scheduled_hours', 'capacity_hours', 'overtime_hours', 'time_off_hours'];

export interface WeekRow {
  readonly name: string;
  /** A second line under the name. */
  readonly note?: string;
  readonly isGroup?: boolean;
  /** The measure of the cells. */
  readonly show: string;
  /** The row of each week in the answer. */
  readonly weeks: readonly (Row | undefined)[];
}

/**
 * Makes the elements of a row, without components: those took 54 to 90 ms for a year of 50 people, and 200 people have
 * 10,600 cells.
 */
export function makeWeekRow({ name, note, isGroup = false, show, weeks }: WeekRow): HTMLTableRowElement {
  const row = make('tr', isGroup ? 'group' : '');
  const header = make('th', '', name);
  header.scope = 'row';
  if (note) header.append(make('small', '', note));
  row.append(header, ...weeks.map((week) => makeCell(week, show)));
  return row;
}

function makeCell(week: Row | undefined, show: string): HTMLTableCellElement {
  if (!week) return make('td', '');
  const [value, lines] = [textOf(week, show), textOf(week, '_lines')];
  const isOff = value === null && toFloat(week['time_off_hours']) > 0;
  const text = value === null ? (isOff ? 'off' : '–') : formatDecimal(value);
  const cell = make('td', isOff ? 'number off' : `number ${show === 'scheduled_hours' ? '' : levelOf(value)}`);
  const [scheduled, capacity, over, off] = WEEK_HOURS.map((name) => week[name]);
  if (capacity !== undefined) {
    cell.title = `scheduled ${scheduled} h of ${capacity} h, overtime ${over} h, time off ${off} h`;
  }
  const figure = lines === null ? text : make('a', 'figure', text);
  if (typeof figure !== 'string') figure.href = linkToLines(lines ?? '', show);
  cell.append(figure);
  if (toFloat(week['overtime_hours']) > 0) {
    const mark = make('abbr', '', 'ot');
    mark.title = 'overtime';
    cell.append(mark);
  }
  return cell;
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  style: string,
  text = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (style !== '') element.className = style;
  if (text !== '') element.textContent = text;
  return element;
}

function levelOf(value: string | null): string {
  const percent = toFloat(value);
  if (percent > 100) return percent > 120 ? 'heat a4' : 'heat a3';
  return percent === 0 ? '' : percent < 40 ? 'u1' : percent < 80 ? 'u2' : 'u3';
}
