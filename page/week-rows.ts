import { linkToLines } from './address.ts';
import { type Row, textOf } from './api.ts';
import { formatDecimal, roundWhole, toFloat } from './numbers.ts';

/** Hours of a week, which explain its percentage. */
export const WEEK_HOURS = ['scheduled_hours', 'capacity_hours', 'overtime_hours', 'time_off_hours'];

export interface WeekRow {
  readonly name: string;
  /** The link of the name, to the screen of a person. */
  readonly href?: string;
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
export function makeWeekRow({ name, href, note, isGroup = false, show, weeks }: WeekRow): HTMLTableRowElement {
  const row = make('tr', isGroup ? 'group' : '');
  const header = make('th', '', href === undefined && !isGroup ? name : '');
  header.scope = 'row';
  if (isGroup) header.append(makeFold(row, name));
  if (href !== undefined) {
    const link = make('a', '', name);
    link.href = href;
    header.append(link);
  }
  if (note) header.append(make('small', '', note));
  row.append(header, ...weeks.map((week) => makeCell(week, show)));
  return row;
}

/** Makes the button that hides the rows of a group, and shows them again. */
function makeFold(group: HTMLTableRowElement, name: string): HTMLButtonElement {
  const button = make('button', 'sort fold', name);
  button.type = 'button';
  button.setAttribute('aria-expanded', 'true');
  button.addEventListener('click', () => {
    const isOpen = button.getAttribute('aria-expanded') !== 'true';
    button.setAttribute('aria-expanded', String(isOpen));
    // A group may go on in the rows of the next page, which are another part of the table.
    const rows = [...(group.closest('table')?.tBodies ?? [])].flatMap((body) => [...body.rows]);
    for (const row of rows.slice(rows.indexOf(group) + 1)) {
      if (row.classList.contains('group')) break;
      row.toggleAttribute('hidden', !isOpen);
    }
  });
  return button;
}

function makeCell(week: Row | undefined, show: string): HTMLTableCellElement {
  if (!week) return make('td', '');
  const [value, lines] = [textOf(week, show), textOf(week, '_lines')];
  const isOff = value === null && toFloat(week['time_off_hours']) > 0;
  const text =
    value === null
      ? isOff
        ? 'off'
        : '–'
      : formatDecimal(show === 'scheduled_hours' && /[1-9]/.test(value) ? value : roundWhole(value));
  const cell = make('td', isOff ? 'number off' : `number ${show === 'scheduled_hours' ? '' : levelOf(value)}`);
  const [scheduled, capacity, over, off] = WEEK_HOURS.map((name) => week[name]);
  if (capacity !== undefined) {
    const exact = value === null || show === 'scheduled_hours' ? '' : `${formatDecimal(value)} %: `;
    cell.title = `${exact}scheduled ${scheduled} h of ${capacity} h, overtime ${over} h, time off and holidays ${off} h`;
  }
  const figure = lines === null ? text : make('a', 'figure', text);
  if (typeof figure !== 'string') figure.href = linkToLines(lines ?? '', show);
  cell.append(figure);
  if (toFloat(week['overtime_hours']) > 0) cell.append(makeMark('ot', 'overtime'));
  if (!isOff && toFloat(off) > 0) cell.append(makeMark('off', 'time off or holidays'));
  return cell;
}

function makeMark(text: string, meaning: string): HTMLElement {
  const mark = make('abbr', '', text);
  mark.title = meaning;
  return mark;
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
  if (percent > 100) return percent > 120 ? 'heat u4' : 'heat u3';
  return percent === 0 ? '' : percent < 40 ? 'w1' : percent < 80 ? 'w2' : 'w3';
}
