import type { ClientProfit, Cover } from '../../../report/workbook/workbook.ts';
import type { Content } from '../package/cell.ts';
import { figureStyle } from '../package/column-styles.ts';
import { percentToFraction, trimDecimal } from '../package/decimal.ts';
import { criteriaFormula, ratioFormula } from '../package/formula.ts';
import { columnLetters } from '../package/sheet-xml.ts';
import type { GridCell } from '../sheets/grid-sheet.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { BLANK, type Block, COLUMNS, headingLine, placeCells, text } from './summary-block.ts';
import { staffLines } from './summary-staff.ts';

/** The columns of a list: the client, revenue, profit and margin. */
interface Places {
  readonly client: number;
  readonly revenue: number;
  readonly profit: number;
  readonly margin: number;
}

const LEFT: Places = {
  client: COLUMNS.label,
  revenue: COLUMNS.scheduled,
  profit: COLUMNS.scheduledToDate,
  margin: COLUMNS.actual,
};

const RIGHT: Places = {
  client: COLUMNS.variance,
  revenue: COLUMNS.forecast,
  profit: COLUMNS.prior,
  margin: COLUMNS.priorChange,
};

/** The column of what is told of people. */
const PEOPLE = COLUMNS.lastYear;

/** Returns the block of the clients with the most and with the least profit, and of people, side by side. */
export function clientsBlock(cover: Cover, base: WrittenTable, firstRow: number): Block {
  const { clients, meta } = cover;
  const { most, least } = clients;
  if (most.length === 0) return { lines: [] };
  const people = staffLines(cover);
  const rows = Math.max(most.length, least.length, people.length);
  const titles = ({ revenue, profit, margin }: Places) => ({
    [revenue]: 'Revenue',
    [profit]: 'Profit',
    [margin]: 'Margin',
  });
  const further = {
    ...(least.length > 0 ? { [RIGHT.client]: 'Clients with the least', ...titles(RIGHT) } : {}),
    ...(people.length > 0 ? { [PEOPLE]: 'People' } : {}),
  };
  const heading = { ...titles(LEFT), ...further };
  return {
    lines: [
      headingLine('Clients with the most profit, to date', heading, [RIGHT.client, PEOPLE]),
      ...Array.from({ length: rows }, (_, i) =>
        placeCells({
          ...clientCells(most[i], LEFT, base, meta.minor_units, firstRow + 1 + i),
          ...clientCells(least[i], RIGHT, base, meta.minor_units, firstRow + 1 + i),
          ...(people[i] ? { [PEOPLE]: text(people[i], { align: 'left', indent: 1 }) } : {}),
        }),
      ),
      BLANK,
    ],
  };
}

function clientCells(
  client: ClientProfit | undefined,
  places: Places,
  base: WrittenTable,
  minorUnits: number,
  row: number,
): Record<number, GridCell> {
  if (!client) return {};
  const amount = (name: string, value: string): GridCell => {
    const column = { name, label: '', unit: 'money', description: '', needsRates: false, better: undefined } as const;
    return { content: sumContent(base, client, name, value), style: figureStyle(column, minorUnits) };
  };
  const place = (column: number) => `${columnLetters(column)}${row}`;
  const ratio = { formula: ratioFormula(place(places.profit), place(places.revenue)) };
  const margin: GridCell =
    client.margin === null
      ? undefined
      : { content: { ...ratio, cached: { number: percentToFraction(client.margin) } }, style: { format: '0.0%_)' } };
  return {
    [places.client]: text(client.label, places === RIGHT ? { align: 'left', indent: 1 } : {}),
    [places.revenue]: amount('actual_revenue', client.revenue),
    [places.profit]: amount('actual_profit', client.profit),
    [places.margin]: margin,
  };
}

/** Returns the sum over the rows of a client, where the table of the report has its id; else the value. */
function sumContent(base: WrittenTable, { clientId }: ClientProfit, name: string, value: string): Content {
  const cached = { number: trimDecimal(value) };
  const place = (column: string) => base.columns.findIndex((each) => each.name === column);
  if (clientId === null || place('client_id') < 0 || base.sums[place(name)] === undefined) return cached;
  const headerOf = (column: string) => base.headers[place(column)] ?? '';
  const tables = base.parts.map(({ table }) => table);
  const formula = criteriaFormula(tables, name, [{ column: 'client_id', operator: '=', value: clientId }], headerOf);
  return { formula, cached };
}
