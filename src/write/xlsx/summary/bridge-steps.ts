import type { Content } from '../package/cell.ts';
import { formatUnits } from '../package/decimal.ts';
import { sumFormula } from '../package/formula.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';

/** A step from scheduled to actual profit, or one of the two. */
export interface BridgeStep {
  readonly label: string;
  readonly isTotal: boolean;
  readonly content: Content;
  /** The amount, and the running total before and after it, in ten-thousandths. */
  readonly amount: bigint;
  readonly from: bigint;
  readonly to: bigint;
}

const LABELS = ['Scheduled to date', 'Effect of hours', 'Effect of rates', 'Unpriced work', 'Actual'];

/** Returns the steps of a bridge; none if a profit at one of the ends is unknown. */
export function bridgeSteps(bridge: WrittenTable): BridgeStep[] {
  const places = bridge.columns.flatMap(({ unit }, place) => (unit === 'money' ? [place] : []));
  if (places.length !== LABELS.length || places.some((place) => (bridge.totals?.[place] ?? null) === null)) return [];
  const tables = bridge.parts.map(({ table }) => table);
  let running = 0n;
  return places.map((place, i) => {
    const amount = bridge.sums[place] ?? 0n;
    const isTotal = i === 0 || i === LABELS.length - 1;
    const from = isTotal ? 0n : running;
    running = from + amount;
    const cached = { number: formatUnits(amount) };
    const content = { formula: sumFormula(tables, bridge.headers[place] ?? ''), cached };
    return { label: LABELS[i] ?? '', isTotal, content, amount, from, to: running };
  });
}
