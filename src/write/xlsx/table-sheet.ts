import type { Value } from '../../database/database.ts';
import type { LineSum } from '../../report/line-sums.ts';
import type { Meta } from '../../report/table.ts';
import { type Content, formatCell } from './cell.ts';
import { cellFormatter } from './column-cells.ts';
import { conditionsOf, styleOf } from './column-looks.ts';
import { formatUnits, openSum } from './decimal.ts';
import { formatTable, type TableColumn, tableName, uniqueHeaders } from './native-table.ts';
import type { Package, SheetPart } from './package.ts';
import { formatHead, formatTail, pagesAcross } from './sheet.ts';
import { columnLetters } from './sheet-xml.ts';
import { HEADER } from './styles.ts';
import { openTally, type Tally } from './tally.ts';
import { totalsOf } from './totals-row.ts';
import { columnWidths, frozenColumns, wrappedHeight } from './widths.ts';
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

/** The extra height of headers for the filter buttons. Unit: points. */
const BUTTON_POINTS = 15;

/** Opens the sheet of a table, which continues on further sheets when full: Data, Data 2, Data 3. */
export function openTableSheet(book: Package, facts: TableFacts, setting: WorkbookContext): TableSheet {
  const { columns, totals, role } = facts;
  const { minor_units: minorUnits } = setting.meta;
  const headers = uniqueHeaders(columns.map(({ label }) => label));
  const letters = columns.map((_, index) => columnLetters(index));
  const looks = columns.map((column, i) => styleOf(column, columns[i - 1], minorUnits));
  const formatters = columns.map((column, i) =>
    cellFormatter(column, letters[i] ?? '', book.styles.id(looks[i] ?? {}), () => countOne(cut, headers[i] ?? '')),
  );
  const sums = facts.derivations.map(({ total }) =>
    totals && (total === 'sum' || total === 'own') ? openSum() : undefined,
  );
  const tally = openTally(columns, role === 'data' ? setting.lineSums : []);
  const cut = new Map<string, number>();
  const severities = new Map<string, number>();
  const severity = role === 'quality' ? columns.findIndex(({ name }) => name === 'severity') : -1;
  const kept: (readonly Value[])[] = [];
  const parts: { sheet: string; table: string; lastRow: number }[] = [];
  const rowLimit = setting.rowLimit - (totals ? 1 : 0);
  let part: SheetPart | undefined;
  let widths: number[] = [];
  let frozen = 0;
  let row = 1;
  let rowCount = 0;

  const openPart = async (sample: readonly (readonly Value[])[]) => {
    widths = widths.length > 0 ? widths : columnWidths(columns, headers, totals ? [...sample, totals] : sample);
    const name = parts.length === 0 ? facts.sheet : `${facts.sheet} ${parts.length + 1}`;
    frozen = frozenColumns(columns, widths);
    part = book.openSheet(name, RANKS[role], frozen);
    parts.push({ sheet: part.name, table: tableName(part.name), lastRow: 1 });
    row = 1;
    const cells = headers.map((text, i) => {
      const { align, indent } = looks[i] ?? {};
      const style = book.styles.id({ ...HEADER, align: align ?? 'right', ...(indent ? { indent } : {}) });
      return formatCell(`${letters[i]}1`, style, { text });
    });
    const height = wrappedHeight(headers, widths, 1) + BUTTON_POINTS;
    await part.entry.write(
      `${formatHead({ widths, frozen: { columns: frozen, rows: 1 } })}<row r="1" ht="${height}" customHeight="1">${cells.join('')}</row>`,
    );
  };
  const formatRow = (values: readonly Value[]): string => {
    row += 1;
    let cells = '';
    for (let i = 0; i < columns.length; i += 1) {
      const value = values[i] ?? null;
      if (value === null) continue;
      if (typeof value === 'string') sums[i]?.add(value);
      cells += formatters[i]?.(value, row);
    }
    return `<row r="${row}">${cells}</row>`;
  };
  const closePart = async (isLast: boolean) => {
    const current = parts.at(-1);
    if (!part || !current) return;
    // A native table needs at least one row below its header.
    if (row === 1) {
      row += 1;
      await part.entry.write('<row r="2"/>');
    }
    current.lastRow = row;
    const totalCells =
      isLast && totals
        ? totalsOf(
            facts,
            headers,
            parts.map(({ table }) => table),
            sums.map((sum) => sum?.units()),
          )
        : [];
    if (totalCells.length > 0) {
      row += 1;
      const cells = totalCells.map(({ content }, i) => {
        const style = book.styles.id({ ...looks[i], bold: true, line: 'top' });
        return content
          ? formatCell(`${letters[i]}${row}`, style, content)
          : `<c r="${letters[i]}${row}" s="${style}"/>`;
      });
      await part.entry.write(`<row r="${row}">${cells.join('')}</row>`);
    }
    const last = row;
    const textRange = `A1:${letters.at(-1)}${last}`;
    await part.entry.write(
      formatTail({
        conditions: conditionsOf(columns, letters, last),
        pages: { across: pagesAcross(widths, frozen) },
        footer: setting.footer,
        textRange,
        table: 'rId1',
      }),
    );
    const tableColumns = headers.map((header, i): TableColumn => ({ header, total: totalCells[i]?.total }));
    await part.end({
      table: (id) =>
        formatTable(
          { name: current.table, columns: tableColumns, lastRow: last, hasTotals: totalCells.length > 0 },
          id,
        ),
    });
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
        text += formatRow(values);
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
        sums: sums.map((sum) => sum?.units()),
        tallied: tally.read(),
        cut,
        severities,
        kept,
      };
    },
  };
}

function countOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

export function unitsContent(units: bigint): Content {
  return { number: formatUnits(units) };
}
