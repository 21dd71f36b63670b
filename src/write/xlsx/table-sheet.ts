import type { Value } from '../../database/database.ts';
import type { LineSum } from '../../report/line-sums.ts';
import type { Meta } from '../../report/table.ts';
import type { Content } from './cell.ts';
import { cellFormatter } from './column-cells.ts';
import { styleOf } from './column-looks.ts';
import { formatUnits, openSum } from './decimal.ts';
import { formatTable, type TableColumn, tableName, uniqueHeaders } from './native-table.ts';
import type { Package, SheetPart } from './package.ts';
import { columnLetters } from './sheet-xml.ts';
import { formatTableHead, formatTableTail, formatTotalsRow, type SheetWidths, type TableLayout } from './table-part.ts';
import { openTally, type Tally } from './tally.ts';
import { totalsOf } from './totals-row.ts';
import { columnWidths, frozenColumns } from './widths.ts';
import type { TableFacts } from './worker-messages.ts';

/** The context that all sheets of a workbook share. */
export interface WorkbookContext {
  readonly meta: Meta;
  readonly footer: { readonly left: string; readonly right: string };
  readonly rowLimit: number;
  readonly lineSums: readonly LineSum[];
}

export interface WrittenTable extends TableFacts {
  readonly headers: readonly string[];
  /** Its sheets and native tables, each with its last row of data. */
  readonly parts: readonly { readonly sheet: string; readonly table: string; readonly lastRow: number }[];
  readonly rowCount: number;
  /** The exact sums of the columns whose rows add up, by column. */
  readonly sums: readonly (bigint | undefined)[];
  readonly tallied: ReturnType<Tally['read']>;
  /** Numbers of truncated texts by column header. */
  readonly cut: ReadonlyMap<string, number>;
  readonly severities: ReadonlyMap<string, number>;
  /** The rows, kept for the months only. */
  readonly kept: readonly (readonly Value[])[];
}

export interface TableSheet {
  add(rows: readonly (readonly Value[])[]): Promise<void>;
  end(): Promise<WrittenTable>;
}

const RANKS = { report: 2, months: 3, data: 4, quality: 6 } as const;

/** The size at which a table moves to another sheet, below the limit of an archive. Unit: bytes. */
const MAX_SHEET_BYTES = 3_000_000_000;

/** Formats rows, and sums the columns whose rows add up. */
function openRows(layout: TableLayout, { derivations, totals }: TableFacts, cut: Map<string, number>) {
  const { book, columns, headers, letters, looks } = layout;
  const formatters = columns.map((column, i) =>
    cellFormatter(column, letters[i] ?? '', book.styles.id(looks[i] ?? {}), () => countOne(cut, headers[i] ?? '')),
  );
  const sums = derivations.map(({ total }) => (totals && (total === 'sum' || total === 'own') ? openSum() : undefined));
  return {
    format(values: readonly Value[], row: number): string {
      let cells = '';
      for (let i = 0; i < columns.length; i += 1) {
        const value = values[i] ?? null;
        if (value === null) continue;
        if (typeof value === 'string') sums[i]?.add(value);
        cells += formatters[i]?.(value, row);
      }
      return `<row r="${row}">${cells}</row>`;
    },
    sums: () => sums.map((sum) => sum?.units()),
  };
}

function layoutOf(book: Package, { columns }: TableFacts, { meta }: WorkbookContext): TableLayout {
  return {
    book,
    columns,
    headers: uniqueHeaders(columns.map(({ label }) => label)),
    letters: columns.map((_, index) => columnLetters(index)),
    looks: columns.map((column, i) => styleOf(column, columns[i - 1], meta.minor_units)),
  };
}

/** Opens the sheet of a table, which continues on further sheets when full: Data, Data 2, Data 3. */
export function openTableSheet(book: Package, facts: TableFacts, setting: WorkbookContext): TableSheet {
  const { columns, totals, role } = facts;
  const layout = layoutOf(book, facts, setting);
  const { headers } = layout;
  const cut = new Map<string, number>();
  const lines = openRows(layout, facts, cut);
  const tally = openTally(columns, role === 'data' ? setting.lineSums : []);
  const severities = new Map<string, number>();
  const severity = role === 'quality' ? columns.findIndex(({ name }) => name === 'severity') : -1;
  const kept: (readonly Value[])[] = [];
  const parts: { sheet: string; table: string; lastRow: number }[] = [];
  const rowLimit = setting.rowLimit - (totals ? 1 : 0);
  let part: SheetPart | undefined;
  let widths: SheetWidths | undefined;
  let row = 1;
  let rowCount = 0;

  const openPart = async (sample: readonly (readonly Value[])[]) => {
    widths ??= widthsOf(columns, headers, totals ? [...sample, totals] : sample);
    const name = parts.length === 0 ? facts.sheet : `${facts.sheet} ${parts.length + 1}`;
    part = book.openSheet(name, RANKS[role], widths.frozen);
    parts.push({ sheet: part.name, table: tableName(part.name), lastRow: 1 });
    row = 1;
    await part.entry.write(formatTableHead(layout, widths));
  };
  const closePart = async (isLast: boolean) => {
    const current = parts.at(-1);
    if (!part || !current || !widths) return;
    // A native table needs at least one row below its header.
    if (row === 1) await part.entry.write(`<row r="${++row}"/>`);
    current.lastRow = row;
    const tables = parts.map(({ table }) => table);
    const totalCells = isLast && totals ? totalsOf(facts, headers, tables, lines.sums()) : [];
    const hasTotals = totalCells.length > 0;
    if (hasTotals) await part.entry.write(formatTotalsRow(layout, totalCells, ++row));
    const lastRow = row;
    await part.entry.write(formatTableTail(layout, widths, setting.footer, lastRow));
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
        tally.add(values);
        if (role === 'months') kept.push(values);
        if (severity >= 0) countOne(severities, String(values[severity]));
        row += 1;
        text += lines.format(values, row);
        rowCount += 1;
      }
      await part?.entry.write(text);
    },
    async end() {
      if (!part) await openPart([]);
      await closePart(true);
      return {
        ...facts,
        headers,
        parts,
        rowCount,
        sums: lines.sums(),
        tallied: tally.read(),
        cut,
        severities,
        kept,
      };
    },
  };
}

function widthsOf(
  columns: TableFacts['columns'],
  headers: readonly string[],
  sample: readonly (readonly Value[])[],
): SheetWidths {
  const widths = columnWidths(columns, headers, sample);
  return { widths, frozen: frozenColumns(columns, widths) };
}

function countOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

export function unitsContent(units: bigint): Content {
  return { number: formatUnits(units) };
}
