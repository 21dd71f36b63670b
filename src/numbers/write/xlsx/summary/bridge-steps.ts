import { type Content, criteriaFormula, sumFormula } from '../../../../../packages/xlsx/index.ts';
import { parseUnits } from '../../../../base/index.ts';
import type { BridgeFacts } from '../../../report/workbook/workbook.ts';
import { formatUnits } from '../columns/exact-sum.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';

export interface SummaryBridge extends Pick<BridgeFacts, 'heading' | 'title' | 'unit' | 'better'> {
  /** The first amount, the steps to the last one, and that one; empty if one of them is unknown. */
  readonly steps: readonly BridgeStep[];
}

/** A step from the first to the last amount, or one of the two. */
export interface BridgeStep {
  readonly label: string;
  readonly note: string;
  readonly isTotal: boolean;
  readonly content: Content;
  /** The amount, and the running total before and after it, in millionths. */
  readonly amount: bigint;
  readonly from: bigint;
  readonly to: bigint;
}

/** Returns a bridge with live amounts: the sums of its rows, where these add up. */
export function summaryBridge(bridge: BridgeFacts, tables: readonly WrittenTable[]): SummaryBridge {
  const table = bridge.addsUp ? tables.find(({ key }) => key === bridge.sheet) : undefined;
  let running = 0n;
  const steps = bridge.steps.map(({ column, label, note, amount: text, rest }, place): BridgeStep => {
    const isTotal = place === 0 || place === bridge.steps.length - 1;
    const amount = parseUnits(text);
    const from = isTotal ? 0n : running;
    running = from + amount;
    const cached = { number: formatUnits(amount) };
    const formula = table && `${sumOf(table, bridge, column)}${rest === undefined ? '' : `+${rest}`}`;
    return { label, note, isTotal, content: formula ? { formula, cached } : cached, amount, from, to: running };
  });
  return { ...bridge, steps };
}

/** Returns the live sum of a column over the rows of a bridge. */
function sumOf({ columns, headers, parts }: WrittenTable, { by }: BridgeFacts, column: string): string {
  const headerOf = (wanted: string) => headers[columns.findIndex(({ name }) => name === wanted)] ?? '';
  const tables = parts.map(({ table }) => table);
  if (!by) return sumFormula(tables, headerOf(column));
  return criteriaFormula(tables, column, [{ column: by.column, operator: '=', value: by.value }], headerOf);
}
