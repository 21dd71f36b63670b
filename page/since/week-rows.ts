import { linkToLines } from '../data/address.ts';
import { type Row, textOf } from '../data/answer.ts';
import { formatDecimal, formatRead, roundWhole, toFloat } from '../data/numbers.ts';
import { changeOf } from '../parts/change.tsx';
import type { Difference } from './since-changes.ts';

/** Hours of a week, which explain what is shown of it. */
export const WEEK_HOURS = [
  ...['scheduled_hours', 'capacity_hours', 'overtime_hours', 'time_off_hours', 'tentative_hours'],
];

/** Sums of the window beside the weeks, by the word above them. */
export const SUMS: Readonly<Record<string, string>> = {
  capacity_hours: 'Capacity',
  scheduled_hours: 'Planned',
  tentative_hours: 'Tentative',
  unscheduled_hours: 'Free',
};

export interface WeekRow {
  readonly name: string;
  /** The link of the name, to the screen of a person. */
  readonly href?: string;
  /** A second line under the name. */
  readonly note?: string;
  readonly isGroup?: boolean;
  /** The measure of the cells. */
  readonly show: string;
  /** The row with the sums of the window. */
  readonly sums: Row | undefined;
  /** The difference since a state; absent where changes aren't shown. */
  readonly since?: Difference | undefined;
  /** True for a table that shows changes. */
  readonly hasSince?: boolean;
  /** The row of each week in the answer. */
  readonly weeks: readonly (Row | undefined)[];
}

/**
 * Makes the elements of a row, without components: those took 54 to 90 ms for a year of 50 people, and 200 people have
 * 10,600 cells.
 */
export function makeWeekRow(week: WeekRow): HTMLTableRowElement {
  const { name, href, note, isGroup = false, show, sums, since, hasSince = false, weeks } = week;
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
  row.append(header, ...(hasSince ? makeDifference(since) : []), ...Object.keys(SUMS).map((sum) => makeSum(sums, sum)));
  const before = row.cells.length;
  row.append(...weeks.map((week) => makeCell(week, show)));
  // Titles are a third of the script that draws the cells, and only the one that is pointed at shows.
  const explain = ({ target }: Event) => {
    const cell = target instanceof Element ? target.closest('td') : null;
    const week = cell ? weeks[cell.cellIndex - before] : undefined;
    if (cell && week) cell.title = describeWeek(week, show);
  };
  row.addEventListener('pointerover', explain);
  row.addEventListener('focusin', explain);
  return row;
}

/** Returns the hours of a week in words, with the exact percentage of it that is shown; none for somebody without a record. */
function describeWeek(week: Row, show: string): string {
  if (textOf(week, 'capacity_hours') === null) return '';
  const [scheduled, capacity, over, off, tentative] = WEEK_HOURS.map((name) =>
    formatRead(textOf(week, name) ?? '', 'hours'),
  );
  const value = textOf(week, show);
  const exact = value === null || isHours(show) ? '' : `${formatDecimal(value)} %: `;
  return `${exact}scheduled ${scheduled} h of ${capacity} h, tentative ${tentative} h, overtime ${over} h, time off and holidays ${off} h`;
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

/** Makes the cells of a difference and of its causes, each with the links to their lines. */
function makeDifference(difference: Difference | undefined): HTMLTableCellElement[] {
  const [cell, why] = [make('td', 'number'), make('td', 'causes')];
  if (!difference) return [cell, why];
  const { value, unit, href, causes } = difference;
  cell.append(makeLink(value === null ? 'unknown' : formatRead(value, unit, true), href));
  for (const [index, cause] of causes.entries()) {
    if (index > 0) why.append(', ');
    const number = formatRead(cause.value, unit, true);
    why.append(...(cause.value === value ? [] : [`${cause.word} `]));
    why.append(makeLink(cause.value === value ? cause.word : number, cause.href));
  }
  return [cell, why];
}

function makeLink(text: string, href: string | undefined): HTMLElement | string {
  if (href === undefined) return text;
  const link = make('a', '', text);
  link.href = href;
  return link;
}

function makeSum(sums: Row | undefined, measure: string): HTMLTableCellElement {
  const cell = make('td', 'number sum');
  const text = textOf(sums, measure);
  if (text !== null) cell.append(makeFigure(sums, measure, formatDecimal(text)));
  cell.append(...makeChange(sums, measure));
  return cell;
}

/** Returns whether cells of a measure are hours, which are shown with all digits; percentages are whole. */
function isHours(show: string): boolean {
  return show.endsWith('_hours');
}

/** Returns the text of a week as it is seen. */
export function textOfWeek(week: Row | undefined, show: string): string {
  if (!week) return '';
  const value = textOf(week, show);
  const hasCapacity = show !== 'unscheduled_hours' || toFloat(week['capacity_hours']) > 0;
  if (value === null || !hasCapacity) return toFloat(week['time_off_hours']) > 0 ? 'off' : '–';
  return formatDecimal(isHours(show) && /[1-9]/.test(value) ? value : roundWhole(value));
}

function makeCell(week: Row | undefined, show: string): HTMLTableCellElement {
  if (!week) return make('td', '');
  const text = textOfWeek(week, show);
  const isOff = text === 'off';
  const cell = make('td', isOff ? 'number off' : `number ${levelOf(week, show)}`);
  cell.append(makeFigure(week, show, text), ...makeChange(week, show));
  if (toFloat(week['overtime_hours']) > 0) cell.append(makeMark('ot', 'overtime'));
  if (!isOff && toFloat(week['time_off_hours']) > 0) cell.append(makeMark('off', 'time off or holidays'));
  return cell;
}

/** Makes the link of a number to its lines; its text where it has none. */
function makeFigure(row: Row | undefined, measure: string, text: string): HTMLElement | string {
  const lines = textOf(row, '_lines');
  if (lines === null) return text;
  const figure = make('a', 'figure', text);
  figure.href = linkToLines(lines, measure);
  return figure;
}

/** Makes the change of a number from the compared window, if there is one. */
function makeChange(row: Row | undefined, measure: string): readonly HTMLElement[] {
  const told = changeOf(row, { name: measure, unit: isHours(measure) ? 'hours' : 'percent' });
  if (!told) return [];
  const change = make('a', 'change', formatDecimal(told.difference, true));
  change.title = told.title;
  if (told.href !== undefined) change.href = told.href;
  return [change];
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

/** Returns the color of a cell: by the part of the capacity that is free, or by the percentage that is used. */
function levelOf(week: Row, show: string): string {
  if (show === 'unscheduled_hours') {
    const part = (100 * toFloat(week[show])) / (toFloat(week['capacity_hours']) || 1);
    return part === 0 ? '' : part < 20 ? 'f1' : part < 60 ? 'f2' : 'f3';
  }
  if (isHours(show)) return '';
  const percent = toFloat(week[show]);
  if (percent > 100) return percent > 120 ? 'heat u4' : 'heat u3';
  return percent === 0 ? '' : percent < 40 ? 'w1' : percent < 80 ? 'w2' : 'w3';
}
