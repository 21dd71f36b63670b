import {
  COLORS,
  type Content,
  columnRef,
  criteriaFormula,
  percentToFraction,
  plainContent,
  QUIET,
  quoteSheet,
  type Style,
} from '../../../../../packages/xlsx/index.ts';
import { Exact } from '../../../../base/index.ts';
import type { Column, Meta } from '../../../report/catalogue/table.ts';
import type { ListCell, ListPart } from '../../../report/workbook/workbook.ts';
import { cellContentOf } from '../columns/column-content.ts';
import { budgetConditions, figureStyle } from '../columns/column-styles.ts';
import { ratioFormula } from '../columns/derived-formula.ts';
import { totalFigure } from '../sheets/figures.ts';
import type { GridCell } from '../sheets/grid-sheet.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { BLANK, type Block, COLUMNS, headingLine, type Line, NOTE, placeCells, text } from './summary-block.ts';
import { changeCell } from './summary-comparisons.ts';

/** Returns the block of some lists, of which several may stand side by side. */
export function listBlock(
  parts: readonly ListPart[],
  tables: readonly WrittenTable[],
  meta: Pick<Meta, 'minor_units'>,
  firstRow: number,
): Block {
  const groups: ListPart[][] = [];
  for (const part of parts) {
    if (part.isBeside) groups.at(-1)?.push(part);
    else groups.push([part]);
  }
  const lines: Line[] = [];
  const budgets: string[] = [];
  for (const [i, group] of groups.entries()) {
    const [first] = group;
    // Parts without a title belong to the list before them.
    if (i > 0 && first?.title !== undefined) lines.push(BLANK);
    if (first?.title !== undefined) lines.push(headingOf(first.title, group));
    const top = firstRow + lines.length;
    const count = Math.max(...group.map((part) => part.lines.length));
    for (let row = 0; row < count; row += 1) {
      const cells = group.flatMap((part) => part.lines[row] ?? []);
      const placed = cells.map((cell) => [columnNumber(cell.at), gridCell(cell, cells, tables, meta, top + row)]);
      lines.push(placeCells(Object.fromEntries(placed)));
    }
    budgets.push(...group.flatMap((part) => part.budgets.map((at) => `${at}${top}:${at}${top + count - 1}`)));
  }
  return { lines: [...lines, BLANK], conditions: budgets.flatMap(budgetConditions) };
}

/** Returns the position of a column of Summary, from 0. @param letter A to Z. */
function columnNumber(letter: string): number {
  return letter.charCodeAt(0) - 'A'.charCodeAt(0);
}

/** Returns the heading of lists side by side: the title of the first, and those of the columns. */
function headingOf(title: string, group: readonly ListPart[]): Line {
  const beside = group.slice(1).flatMap((part) => {
    const { at, title: text } = part;
    return at === undefined || text === undefined ? [] : [{ at, text, isOfText: true }];
  });
  const titles = [...beside, ...group.flatMap((part) => part.titles)];
  const left = titles.filter(({ isOfText }) => isOfText).map(({ at }) => columnNumber(at));
  return headingLine(title, Object.fromEntries(titles.map((each) => [columnNumber(each.at), each.text])), left);
}

function gridCell(
  cell: ListCell,
  line: readonly ListCell[],
  tables: readonly WrittenTable[],
  meta: Pick<Meta, 'minor_units'>,
  row: number,
): GridCell {
  const { at, look, text: words, color, row: target, counted } = cell;
  if (words === undefined) return numberCell(cell, line, tables, meta, row);
  if (color) return text(words, { color: COLORS[color], bold: true, align: 'left', indent: 1 });
  const own = tables.find(({ key }) => key === 'own');
  const link = target && own ? linkToRow(own, target.index, target.label) : undefined;
  const quality = counted === undefined ? undefined : tables.find(({ layout }) => layout.tallied);
  const content = quality && counted ? countFindings(quality, counted, words) : { text: words };
  return { content, style: styleOf(look, at), ...(link && { link }) };
}

function styleOf(look: ListCell['look'], at: string): Style {
  const column = columnNumber(at);
  if (look === 'bold') return { bold: true };
  if (look && look !== 'link') return look === 'note' ? NOTE : QUIET;
  const place: Style = column === COLUMNS.label || column === COLUMNS.unit ? {} : { align: 'left', indent: 1 };
  return look === 'link' ? { ...place, color: COLORS.dark } : place;
}

function numberCell(
  cell: ListCell,
  line: readonly ListCell[],
  tables: readonly WrittenTable[],
  { minor_units: minorUnits }: Pick<Meta, 'minor_units'>,
  row: number,
): GridCell {
  const { number, unit = 'money', ratio, change, isPlain } = cell;
  if (ratio) {
    const [part, whole = '0'] = ratio.map((at) => line.find((each) => each.at === at)?.number ?? '0');
    if (number === undefined && new Exact(whole).isZero()) return undefined;
    const cached = number === undefined ? divide(part, whole) : { number: percentToFraction(number) };
    const formula = ratioFormula(...(ratio.map((at) => `${at}${row}`) as [string, string]));
    return { content: { formula, cached }, style: { format: '0.0%_)' } };
  }
  if (change) return changeOf(change, line, row);
  const cached = plainNumber(cell);
  if (!cached) return undefined;
  const column = columnOf(cell);
  const content = liveContent(cell, tables) ?? cached;
  const digits = unit === 'hours' ? 2 : minorUnits;
  const plain = { format: `#,##0${digits > 0 ? `.${'0'.repeat(digits)}` : ''}_)` };
  return { content, style: isPlain ? plain : figureStyle(column, minorUnits) };
}

/** Returns a number as the formula of a sheet; undefined if it is that of none. */
function liveContent(cell: ListCell, tables: readonly WrittenTable[]): Content | undefined {
  const { by, totalOf = [], name = '' } = cell;
  const cached = plainNumber(cell);
  const hasColumns = ({ columns }: WrittenTable, ...wanted: readonly string[]) =>
    wanted.every((each) => columns.some((column) => column.name === each));
  const table = tables.find((each) =>
    by ? each.key === by.sheet : totalOf.includes(each.key) && hasColumns(each, name),
  );
  if (!table || !cached) return undefined;
  if (by) return hasColumns(table, name, by.column) ? { formula: sumOf(table, name, by), cached } : undefined;
  const content = totalFigure(table, name)?.content;
  const total = content && plainContent(content);
  return total && 'number' in total && 'number' in cached && total.number === cached.number ? content : undefined;
}

/** Returns the change between the numbers of two columns. */
function changeOf(change: readonly [string, string], line: readonly ListCell[], row: number): GridCell {
  const [now, then] = change.map((at) => line.find((cell) => cell.at === at));
  const [new_, old] = [now, then].map((cell) => cell && plainNumber(cell));
  const [newPlace, oldPlace] = change.map((at) => `${at}${row}`) as [string, string];
  return now && new_ && old ? changeCell(columnOf(now).unit, new_, old, [newPlace, oldPlace]) : undefined;
}

function plainNumber(cell: ListCell) {
  const content = cell.number === undefined ? undefined : cellContentOf(columnOf(cell), cell.number);
  return content && plainContent(content);
}

function columnOf({ name = '', unit = 'money', better }: ListCell): Column {
  return { name, label: '', unit, description: '', needsRates: false, better };
}

function sumOf({ parts, headers, columns }: WrittenTable, name: string, by: NonNullable<ListCell['by']>): string {
  const headerOf = (column: string) => headers[columns.findIndex((each) => each.name === column)] ?? '';
  const tables = parts.map(({ table }) => table);
  return criteriaFormula(tables, name, [{ column: by.column, operator: '=', value: by.value }], headerOf);
}

function divide(part = '0', whole = '0'): Exclude<Content, { readonly formula: string }> {
  const divisor = new Exact(whole);
  if (divisor.isZero()) return { text: '' };
  return { number: new Exact(part).div(divisor).toDecimalPlaces(4, Exact.ROUND_HALF_UP).toFixed() };
}

/** Returns the place of a row, which may be on a further sheet of the table. */
function linkToRow({ parts }: WrittenTable, index: number, label: string) {
  let rest = index;
  for (const { sheet, lastRow } of parts) {
    const rows = lastRow - 1;
    if (rest < rows) return { to: `${quoteSheet(sheet)}!A${rest + 2}`, tip: `The row of ${label}` };
    rest -= rows;
  }
  return undefined;
}

/** Returns words that end with the number of findings of a severity, as a live formula: "17 causes in 589 findings". */
export function countFindings(quality: WrittenTable, severity: string, words: string): Content {
  const { parts, headers, columns, layout, counts } = quality;
  const header = headers[columns.findIndex(({ name }) => name === layout.tallied)] ?? '';
  const formula = parts.map(({ table }) => `COUNTIF(${columnRef(table, header)},"${severity}")`).join('+');
  const count = counts.get(severity) ?? 0;
  return {
    formula: `"${words}"&(${formula})&IF((${formula})=1," finding"," findings")`,
    cached: { text: `${words}${count} ${count === 1 ? 'finding' : 'findings'}` },
  };
}
