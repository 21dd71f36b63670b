import {
  COLORS,
  type Content,
  formatCell,
  formatTail,
  type Package,
  pagesAcross,
  quoteSheet,
  type SheetPart,
} from '../../../../../packages/xlsx/index.ts';
import type { Value } from '../../../../base/database/index.ts';
import { AppError, parseUnits } from '../../../../base/index.ts';
import type { Subtotal } from '../../../report/catalogue/table.ts';
import { endOf, labelSubtotal } from '../../subtotal-rows.ts';
import { cellContentOf } from '../columns/column-content.ts';
import { conditionsOf } from '../columns/column-styles.ts';
import { decimalsOfUnit, derivedFormula } from '../columns/derived-formula.ts';
import { type ExactSum, openSum } from '../columns/exact-sum.ts';
import { BACK } from './back-link.ts';
import { cellFormatter } from './column-cells.ts';
import { countOne, type Records } from './row-records.ts';
import { layoutOf, printSetupOf, type SheetWidths, type TableLayout, widthsOf } from './table-layout.ts';
import { formatTableHead } from './table-part.ts';
import type { TableSheet, WorkbookContext } from './table-sheet.ts';
import type { TableFacts } from './worker-messages.ts';

/** The deepest outline of a sheet in Excel. Unit: levels. */
const MAX_OUTLINE = 7;

/** The facts about rows that the sheet of the report itself has. */
const NO_RECORDS: Records = {
  rowCount: 0,
  tallied: [],
  ranges: new Map(),
  pivot: undefined,
  counts: new Map(),
  kept: [],
};

/**
 * Opens the sheet of rows in groups, each followed by its subtotal, and the total at the end.
 * It is no native table, whose readers would add up rows and subtotals. A subtotal is
 * SUBTOTAL(9) over its rows, which leaves out other subtotals and, unlike 109, counts the rows of a folded group.
 * @throws AppError limit for more rows than a sheet holds.
 */
export function openSubtotalSheet(book: Package, facts: TableFacts, setting: WorkbookContext): TableSheet {
  const { columns, totals = [], subtotals = [], sheet } = facts;
  const whole: Subtotal = { level: 0, by: [], first: 0, count: Math.max(0, ...subtotals.map(endOf)), values: totals };
  assertFits(sheet, whole.count + subtotals.length + 1, setting.rowLimit);
  const layout = layoutOf(book, facts, setting.meta.minor_units);
  const depth = Math.max(0, ...subtotals.map(({ level }) => level));
  const outline = (level: number) => (level === 0 ? '' : ` outlineLevel="${Math.min(level, MAX_OUTLINE)}"`);
  const cut = new Map<string, number>();
  const formatters = columns.map((column, i) => {
    const style = book.styles.id(layout.looks[i] ?? {});
    return cellFormatter(column, layout.letters[i] ?? '', style, () => countOne(cut, layout.headers[i] ?? ''));
  });
  const groups = Array.from({ length: depth + 1 }, () => openGroup(facts, 2));
  const totalCells = new Map<string, string>();
  let part: SheetPart | undefined;
  let widths: SheetWidths | undefined;
  let [row, read, placed] = [1, 0, 0];

  const open = async (sample: readonly (readonly Value[])[]): Promise<SheetPart> => {
    widths = widthsOf(layout, [...sample, totals]);
    const opened = book.openSheet(sheet, facts.layout.rank, printSetupOf(layout, widths));
    opened.link({ cell: 'A1', ...BACK });
    await opened.entry.write(formatTableHead(layout, widths, Math.min(depth, MAX_OUTLINE)));
    return opened;
  };
  const writeSum = (subtotal: Subtotal): string => {
    const { level } = subtotal;
    row += 1;
    const cells = sumCells(layout, facts, subtotal, groups[level] ?? openGroup(facts, row), row);
    // The groups within it begin below it, too.
    for (let inner = level; inner <= depth; inner += 1) groups[inner] = openGroup(facts, row + 1);
    const fill = level === 1 ? { fill: COLORS.headerFill } : {};
    const text = cells.map((content, i) => {
      const style = book.styles.id({ ...layout.looks[i], bold: true, line: 'top', ...fill });
      const place = `${layout.letters[i]}${row}`;
      if (level === 0 && content && 'formula' in content) totalCells.set(columns[i]?.name ?? '', place);
      return content ? formatCell(place, style, content) : `<c r="${place}" s="${style}"/>`;
    });
    return `<row r="${row}"${outline(Math.max(0, level - 1))}>${text.join('')}</row>`;
  };
  return {
    async add(rows) {
      part ??= await open(rows);
      let text = '';
      for (const values of rows) {
        row += 1;
        read += 1;
        for (const group of groups) group.add(values);
        const cells = formatters.map((format, i) => (values[i] == null ? '' : format(values[i] ?? null, row)));
        text += `<row r="${row}"${outline(depth)}>${cells.join('')}</row>`;
        for (let next = subtotals[placed]; next && endOf(next) === read; next = subtotals[placed]) {
          text += writeSum(next);
          placed += 1;
        }
      }
      await part.entry.write(text);
    },
    async end() {
      part ??= await open([]);
      await part.entry.write(writeSum(whole));
      const { shown, frozen } = widths ?? { shown: [], frozen: 0 };
      const tail = formatTail({
        conditions: conditionsOf(layout, row, book.styles),
        links: part.links,
        pages: { across: pagesAcross(shown, frozen) },
        footer: setting.footer,
        textRange: `A1:${layout.letters.at(-1)}${row}`,
      });
      await part.entry.write(tail);
      await part.end();
      const name = part.name;
      return {
        ...facts,
        headers: layout.headers,
        parts: [{ sheet: name, table: '', lastRow: row }],
        sums: [],
        cut,
        unlinked: 0,
        totalCells: new Map([...totalCells].map(([column, place]) => [column, `${quoteSheet(name)}!${place}`])),
        ...NO_RECORDS,
        rowCount: read,
      };
    },
  };
}

function assertFits(sheet: string, rows: number, rowLimit: number): void {
  if (rows <= rowLimit) return;
  throw new AppError('limit', `subtotals: ${sheet} would have ${rows} rows, and a sheet holds ${rowLimit}`, {
    hint: 'Leave out subtotals, or ask for fewer dimensions or a filter.',
  });
}

/** The rows of a group so far: the first on the sheet, and the exact sums of their columns. */
interface OpenGroup {
  readonly firstRow: number;
  /** Undefined for columns whose rows don't add up. */
  readonly sums: readonly (ExactSum | undefined)[];
  add(values: readonly Value[]): void;
}

function openGroup({ derivations }: TableFacts, firstRow: number): OpenGroup {
  const sums = derivations.map(({ total }) => (total === 'sum' || total === 'own' ? openSum() : undefined));
  return {
    firstRow,
    sums,
    add(values) {
      for (const [i, value] of values.entries()) if (typeof value === 'string') sums[i]?.add(value);
    },
  };
}

/** Returns the contents of a sum's cells: formulas where its rows add up or its own cells decide, else values. */
function sumCells(
  { letters, minorUnits }: TableLayout,
  { columns, derivations }: TableFacts,
  { by, values }: Subtotal,
  { firstRow, sums }: OpenGroup,
  row: number,
): (Content | undefined)[] {
  const contents = columns.map((column, i) => cellContentOf(column, values[i] ?? null));
  const texts = contents.map((content) => (content && 'text' in content ? content.text : ''));
  const labels = labelSubtotal(columns, { by }, texts);
  const cellOf = (name: string) => {
    const place = columns.findIndex((column) => column.name === name);
    return contents[place] ? `${letters[place]}${row}` : undefined;
  };
  return columns.map(({ unit }, i): Content | undefined => {
    const cached = contents[i];
    if (labels[i] !== texts[i]) return { text: labels[i] ?? '' };
    const total = derivations[i]?.total;
    if (!cached || total === undefined) return cached;
    if (typeof total === 'object') {
      const formula = derivedFormula(total, cellOf, decimalsOfUnit(unit, minorUnits));
      return formula ? { formula, cached } : cached;
    }
    const addsUp = sums[i] && sums[i].units() === parseUnits(String(values[i]));
    return addsUp && row > firstRow
      ? { formula: `SUBTOTAL(9,${letters[i]}${firstRow}:${letters[i]}${row - 1})`, cached }
      : cached;
  });
}
