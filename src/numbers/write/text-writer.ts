import { isDeepStrictEqual } from 'node:util';
import stringWidth from 'string-width';
import type { Value } from '../../base/database/index.ts';
import { escapeLine, formatReadable, groupThousands, isReadableUnit } from '../../base/index.ts';
import type { Column, Table } from '../report/catalogue/table.ts';
import { describeComparison, describeDays, describeKeptStates } from './describe-meta.ts';
import { nestedFinder } from './nested.ts';
import { endOf, labelSubtotal } from './subtotal-rows.ts';
import { formatValue, isNumeric } from './value-text.ts';

/** The widest column of text. Unit: terminal cells. */
const MAX_WIDTH = 36;

/**
 * Writes a table for a terminal: title, aligned columns, totals under a rule, and the checks.
 * @param shown Names of the shown columns; a note counts the others.
 * @param isWhole Keeps texts wider than MAX_WIDTH.
 */
export async function* writeText(table: Table, shown: readonly string[], isWhole = false): AsyncIterable<string> {
  const shorten = isWhole ? (text: string) => text : cutText;
  const columns = table.columns.filter(({ name }) => shown.includes(name));
  const indexes = columns.map((column) => table.columns.indexOf(column));
  const cells = (row: readonly Value[]) =>
    columns.map((column, i) => formatCell(column, row[indexes[i] ?? 0] ?? null, table, shorten));
  const nested = nestedFinder(table);
  const rows: string[][] = [];
  const { subtotals = [] } = table;
  let [read, placed] = [0, 0];
  for await (const chunk of table.rows) {
    for (const row of chunk) {
      rows.push(cells(row));
      for (const inner of nested(row)) rows.push(nestedCells(table, columns, inner, shorten));
      read += 1;
      for (let next = subtotals[placed]; next && endOf(next) === read; next = subtotals[placed]) {
        rows.push(labelSubtotal(columns, next, cells(next.values)));
        placed += 1;
      }
    }
  }
  const summed = (table.totalRows ?? (table.totals ? [table.totals] : [])).map(cells);
  // Without dimensions, the rows are the totals.
  const totals = isDeepStrictEqual(summed, rows) ? [] : summed;
  for (const total of totals) if (total[0] === '') total[0] = 'Total';
  alignPoints(columns, [...rows, ...totals]);
  const header = columns.map(({ label }) => wrapLabel(escapeLine(label)).map(shorten));
  const height = Math.max(0, ...header.map((lines) => lines.length));
  const headerRows = Array.from({ length: height }, (_, line) =>
    header.map((lines) => lines[line - height + lines.length] ?? ''),
  );
  const widths = columns.map((_, i) =>
    Math.max(...[...headerRows, ...rows, ...totals].map((row) => stringWidth(row[i] ?? ''))),
  );
  const line = (row: readonly string[]) =>
    `${row
      .map((cell, i) => align(cell, widths[i] ?? 0, columns[i]))
      .join('  ')
      .trimEnd()}\n`;
  const rule = `${widths.map((width) => '─'.repeat(width)).join('  ')}\n`;
  yield `${escapeLine(formatTitle(table))}\n\n`;
  yield headerRows.map(line).join('') + rule;
  yield rows.map(line).join('');
  if (totals.length > 0) yield rule + totals.map(line).join('');
  yield formatInsights(table);
  yield formatCauses(table);
  yield `\n${formatFooter(table, columns.length)}\n`;
}

/** Returns the worst sentences about the rows, and how many more there are; empty unless asked for. */
function formatInsights({ meta: { insights } }: Table): string {
  if (!insights) return '';
  const { statuses, worst, count, overall } = insights;
  const counts = `${statuses.over} over, ${statuses.at_risk} at risk, ${statuses.on_plan} on plan, ${statuses.none} without a status.`;
  const more =
    count > worst.length ? [`${count - worst.length} more sentences: take them all with --format json.`] : [];
  const told = worst.map(({ label, text }) => `${label}: ${text}`);
  const lines = [counts, ...told, ...more, ...overall.map(({ text }) => text)];
  return `\n${lines.map(escapeLine).join('\n')}\n`;
}

/** Returns the findings by their cause, each with the way out; empty unless asked for. */
function formatCauses({ meta: { causes = [], currency, minor_units: minorUnits } }: Table): string {
  if (causes.length === 0) return '';
  const lines = causes.map(({ severity, cause, person, findings, hours, amount_at_risk: amount, remedy }) => {
    const sums = [
      `${findings} ${findings === 1 ? 'finding' : 'findings'}`,
      ...(hours === null ? [] : [`${formatReadable(hours, 'hours', minorUnits)} h`]),
      ...(amount === null ? [] : [`${formatReadable(amount, 'money', minorUnits)} ${currency} at risk`]),
    ];
    return `${severity}: ${person === null ? '' : `${person}: `}${cause}: ${sums.join(', ')}. ${remedy}`;
  });
  return `\n${lines.map(escapeLine).join('\n')}\n`;
}

function formatTitle({ label, meta }: Table): string {
  const window = meta.parameters['start_date'] === undefined ? '' : `, ${describeDays(meta)}`;
  return `${label}${window}, ${meta.currency}`;
}

function formatFooter({ columns, meta }: Table, shown: number): string {
  const more = columns.length - shown;
  const passed = meta.checks.filter(({ ok }) => ok).length;
  const states = describeComparison(meta);
  return [
    ...meta.notes,
    ...(states === undefined ? [] : [`Then and now: ${states}.`]),
    ...(meta.checks.length > 0 ? [`${passed} of ${meta.checks.length} checks hold.`] : []),
    ...(more > 0
      ? [
          `${more} more ${more === 1 ? 'column' : 'columns'}: choose with --fields, or take them all with --format csv or json.`,
        ]
      : []),
    ...(meta.next_cursor ? [`More lines: --cursor ${meta.next_cursor}`] : []),
    ...describeKeptStates(meta).map(([role, state]) => `${role} ${state}.`),
    meta.synced_at
      ? `Data version ${meta.data_version}, synced ${meta.synced_at} from ${meta.source}.`
      : `Data version ${meta.data_version}, loaded ${meta.loaded_at}.`,
  ]
    .map(escapeLine)
    .join('\n');
}

function nestedCells(
  table: Table,
  columns: readonly Column[],
  row: readonly Value[],
  shorten: (text: string) => string,
): string[] {
  return columns.map((column) => {
    const index = table.nested?.columns.findIndex(({ name }) => name === column.name) ?? -1;
    if (index < 0 || table.nested?.by.includes(column.name)) return '';
    const text = formatCell(column, row[index] ?? null, table, shorten);
    return column.name === 'name' ? `  ${text}` : text;
  });
}

function formatCell(column: Column, value: Value, table: Table, shorten: (text: string) => string): string {
  const { unit } = column;
  if (value !== null && isReadableUnit(unit)) return formatReadable(String(value), unit, table.meta.minor_units);
  const text = formatValue(column, value, table.meta);
  if (text === null) return '';
  if (!isNumeric(column.unit)) return shorten(escapeLine(text.replaceAll(/[\t\n\r]+/g, ' ')));
  if (column.unit === 'number') return text;
  return text.replace(/^(-?)(\d+)/, (_, sign, digits) => sign + groupThousands(digits));
}

function alignPoints(columns: readonly Column[], rows: readonly string[][]): void {
  for (const [i, { unit }] of columns.entries()) {
    if (!isNumeric(unit)) continue;
    const decimals = (row: readonly string[]) => row[i]?.split('.')[1]?.length ?? -1;
    const most = Math.max(-1, ...rows.map(decimals));
    for (const row of rows) if (row[i]) row[i] += ' '.repeat(most - decimals(row));
  }
}

function cutText(text: string): string {
  if (stringWidth(text) <= MAX_WIDTH) return text;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(kept + segment) >= MAX_WIDTH) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Splits a label of several words in two lines, so that numbers determine the column's width. */
function wrapLabel(label: string): string[] {
  const words = label.split(' ');
  if (words.length < 2) return [label];
  const half = Math.ceil(words.length / 2);
  return [words.slice(0, half).join(' '), words.slice(half).join(' ')];
}

function align(cell: string, width: number, column: Column | undefined): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(cell)));
  return column && isNumeric(column.unit) ? space + cell : cell + space;
}
