import {
  type Content,
  formatCell,
  formatTable,
  type Package,
  type SheetPart,
  type Style,
  type TableColumn,
  tableName,
} from '../../../../../packages/xlsx/index.ts';
import type { Value } from '../../../../base/database/index.ts';
import type { LineSum } from '../../../report/catalogue/definitions.ts';
import type { Meta } from '../../../report/catalogue/table.ts';
import { cellContentOf } from '../columns/column-content.ts';
import { styleOf } from '../columns/column-styles.ts';
import { decimalsOfUnit, fillFormula } from '../columns/derived-formula.ts';
import { formatUnits, openSum } from '../columns/exact-sum.ts';
import { BACK } from './back-link.ts';
import { cellFormatter } from './column-cells.ts';
import { rowLinker } from './row-links.ts';
import { countOne, openRowRecords, type Records } from './row-records.ts';
import { layoutOf, printSetupOf, type SheetWidths, type TableLayout, widthsOf } from './table-layout.ts';
import { formatTableHead, formatTableTail, formatTotalsRow } from './table-part.ts';
import { totalsOf } from './totals-row.ts';
import type { TableFacts } from './worker-messages.ts';

export interface WorkbookContext {
  readonly meta: Meta;
  readonly footer: { readonly left: string; readonly right: string };
  readonly rowLimit: number;
  readonly lineSums: readonly LineSum[];
}

/** A table as its sheets have it. */
export interface WrittenTable extends TableFacts, Records {
  readonly headers: readonly string[];
  /** Its sheets and native tables, each with its last row of data. */
  readonly parts: readonly { readonly sheet: string; readonly table: string; readonly lastRow: number }[];
  /** The exact sums of the columns whose rows add up, by column. */
  readonly sums: readonly (bigint | undefined)[];
  /** Numbers of truncated texts by column header. */
  readonly cut: ReadonlyMap<string, number>;
  /** The cells of its totals by column, as references from other sheets; a native table has none. */
  readonly totalCells?: ReadonlyMap<string, string>;
  /** The number of rows whose links the sheet has no room for. */
  readonly unlinked: number;
}

export interface TableSheet {
  add(rows: readonly (readonly Value[])[]): Promise<void>;
  end(): Promise<WrittenTable>;
}

/** The size at which a table moves to another sheet, below the limit of an archive. Unit: bytes. */
const MAX_SHEET_BYTES = 3_000_000_000;

/** Formats rows, and sums the columns whose rows add up. */
function openRows(
  layout: TableLayout,
  { derivations, totals, layout: { hasLiveRows } }: TableFacts,
  cut: Map<string, number>,
) {
  const { book, columns, headers, letters, minorUnits } = layout;
  const formattersOf = (looks: readonly Style[]) =>
    columns.map((column, i) =>
      cellFormatter(column, letters[i] ?? '', book.styles.id(looks[i] ?? {}), () => countOne(cut, headers[i] ?? '')),
    );
  const formulas = derivations.map(({ inRow }) => (hasLiveRows ? inRow : undefined));
  const formulaOf = (i: number, values: readonly Value[], row: number): string => {
    const column = columns[i];
    const cached = column && cellContentOf(column, values[i] ?? null);
    const formula = formulas[i];
    const place = (name: string) => `${letters[columns.findIndex((each) => each.name === name)]}${row}`;
    const filled = column && formula && fillFormula(formula, place, decimalsOfUnit(column.unit, minorUnits));
    if (!cached || filled === undefined) return '';
    return formatCell(`${letters[i]}${row}`, book.styles.id(layout.looks[i] ?? {}), { formula: filled, cached });
  };
  const [linked, plain] = [formattersOf(layout.looks), formattersOf(layout.plainLooks)];
  const inPercent = percentFormatters(layout);
  const sums = derivations.map(({ total }) => (totals && (total === 'sum' || total === 'own') ? openSum() : undefined));
  return {
    format(values: readonly Value[], row: number, isLinked = true): string {
      const formatters = inPercent.isOf(values) ? inPercent.formatters : isLinked ? linked : plain;
      let cells = '';
      for (let i = 0; i < columns.length; i += 1) {
        const value = values[i] ?? null;
        if (value === null) continue;
        if (typeof value === 'string') sums[i]?.add(value);
        cells += formulas[i] ? formulaOf(i, values, row) : formatters[i]?.(value, row);
      }
      return `<row r="${row}">${cells}</row>`;
    },
    sums: () => sums.map((sum) => sum?.units()),
  };
}

/** Returns the formatters of rows whose values are percentages, which a row says in its column `unit`. */
function percentFormatters({ book, columns, letters, minorUnits }: TableLayout) {
  const unitAt = columns.findIndex(({ name }) => name === 'unit');
  return {
    isOf: (values: readonly Value[]) => unitAt >= 0 && values[unitAt] === 'percent',
    formatters: columns.map((column, i) => {
      const own = column.unit === 'budget' ? { ...column, unit: 'percent' as const } : column;
      const look = book.styles.id(styleOf(own, columns[i - 1], minorUnits));
      return cellFormatter(own, letters[i] ?? '', look, () => undefined);
    }),
  };
}

/**
 * Opens the sheet of a table, which continues on further sheets when full: Data, Data 2, Data 3.
 * @param tables The tables written before, to which it may link.
 */
export function openTableSheet(
  book: Package,
  facts: TableFacts,
  setting: WorkbookContext,
  tables: readonly WrittenTable[],
): TableSheet {
  const { totals } = facts;
  const layout = layoutOf(book, facts, setting.meta.minor_units);
  const { headers } = layout;
  const cut = new Map<string, number>();
  const lines = openRows(layout, facts, cut);
  const records = openRowRecords(facts, setting.lineSums);
  const fill = rowLinker(facts, tables);
  const parts: { sheet: string; table: string; lastRow: number }[] = [];
  const rowLimit = setting.rowLimit - (totals ? 1 : 0);
  let part: SheetPart | undefined;
  let widths: SheetWidths | undefined;
  let row = 1;
  let unlinked = 0;

  const openPart = async (sample: readonly (readonly Value[])[]) => {
    widths ??= widthsOf(layout, totals ? [...sample, totals] : sample);
    const name = parts.length === 0 ? facts.sheet : `${facts.sheet} ${parts.length + 1}`;
    part = book.openSheet(name, facts.layout.rank, printSetupOf(layout, widths));
    part.link({ cell: 'A1', ...BACK });
    parts.push({ sheet: part.name, table: tableName(part.name), lastRow: 1 });
    row = 1;
    await part.entry.write(formatTableHead(layout, widths));
  };
  const closePart = async (isLast: boolean) => {
    const current = parts.at(-1);
    if (!part || !current || !widths) return;
    // A header, and one row.
    const isOfOneRow = parts.length === 1 && row === 2;
    // A native table needs at least one row below its header.
    if (row === 1) await part.entry.write(`<row r="${++row}"/>`);
    current.lastRow = row;
    const tables = parts.map(({ table }) => table);
    const totalCells =
      isLast && totals ? totalsOf(facts, isOfOneRow, headers, tables, lines.sums(), setting.meta.minor_units) : [];
    const hasTotals = totalCells.length > 0;
    if (hasTotals) await part.entry.write(formatTotalsRow(layout, totalCells, ++row));
    const lastRow = row;
    await part.entry.write(formatTableTail(layout, widths, setting.footer, lastRow, part.links));
    const tableColumns = headers.map((header, i): TableColumn => ({ header, total: totalCells[i]?.total }));
    const table = { name: current.table, columns: tableColumns, lastRow, hasTotals };
    await part.end({ table: (id) => formatTable(table, id) });
    part = undefined;
  };
  return {
    async add(rows) {
      if (rows.length === 0) return;
      if (!part) await openPart(rows);
      let text = '';
      for (const values of rows) {
        if (row > rowLimit || (part?.entry.size() ?? 0) > MAX_SHEET_BYTES) {
          await part?.entry.write(text);
          text = '';
          await closePart(false);
          await openPart([]);
        }
        row += 1;
        records.add(values, parts.at(-1)?.sheet ?? '', row);
        const linked = fill && part ? fill(part, values, row) : { values, isLinked: true };
        if (!linked.isLinked) unlinked += 1;
        text += lines.format(linked.values, row, linked.isLinked);
      }
      await part?.entry.write(text);
    },
    async end() {
      if (!part) await openPart([]);
      await closePart(true);
      return { ...facts, headers, parts, sums: lines.sums(), cut, unlinked, ...records.read() };
    },
  };
}

export function unitsContent(units: bigint): Content {
  return { number: formatUnits(units) };
}
