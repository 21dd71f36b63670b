import { type Package, type SheetTail, trimDecimal } from '../../../../packages/xlsx/index.ts';
import type { Cause, Cover } from '../../report/workbook/workbook.ts';
import { cellContentOf } from './columns/column-content.ts';
import { numberFormat } from './columns/column-formats.ts';
import { type GridCell, writeGrid } from './sheets/grid-sheet.ts';

export const CAUSES = 'Causes';

const AT_RISK = 'Amount at risk';

const HEADERS = ['Severity', 'Cause', 'Person', 'Findings', 'From', 'Hours', AT_RISK, 'Estimate', 'What to do'];

/** Writes all findings by their cause and person, which a print has instead of the records. */
export async function writeCauses(
  book: Package,
  { causes, meta, pages }: Cover,
  footer: SheetTail['footer'],
): Promise<void> {
  // The amounts reveal costs to a reader without rates.
  const seesAmounts = (meta.hidden_columns ?? []).length === 0;
  const money = numberFormat(columnOf('money'), meta.minor_units) ?? '';
  await writeGrid(book, {
    name: CAUSES,
    place: pages.causes,
    headers: HEADERS.filter((header) => header !== AT_RISK || seesAmounts),
    widths: [10, 50, 34, 10, 12, 12, ...(seesAmounts ? [16] : []), 16, 78],
    frozenColumns: 2,
    rows: causes.map((cause) => causeCells(cause, money, seesAmounts)),
    footer,
  });
}

function causeCells(cause: Cause, money: string, seesAmounts: boolean): GridCell[] {
  const plain = (value: string | null, indent = 0): GridCell =>
    value === null
      ? undefined
      : { content: { text: value }, style: { wrap: true, ...(indent ? { align: 'left', indent } : {}) } };
  const number = (value: string | null, format: string): GridCell =>
    value === null ? undefined : { content: { number: trimDecimal(value) }, style: { format, wrap: true } };
  const from = cause.first_date === null ? undefined : cellContentOf(columnOf('date'), cause.first_date);
  return [
    plain(cause.severity),
    plain(cause.cause),
    plain(cause.person),
    number(String(cause.findings), '#,##0'),
    from && { content: from, style: { format: 'yyyy-mm-dd', wrap: true } },
    number(cause.hours, '#,##0.00'),
    ...(seesAmounts ? [number(cause.amount_at_risk, money)] : []),
    number(cause.estimate, money),
    plain(cause.remedy, 1),
  ];
}

function columnOf(unit: 'money' | 'date') {
  return { name: '', label: '', unit, description: '', needsRates: false, better: undefined } as const;
}
