import type { Content } from '../package/cell.ts';
import { formatUnits } from '../package/decimal.ts';
import { sumFormula } from '../package/formula.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';

/** A step from the scheduled to the actual amount, or one of the two. */
export interface BridgeStep {
  readonly label: string;
  readonly isTotal: boolean;
  readonly content: Content;
  /** The amount, and the running total before and after it, in ten-thousandths. */
  readonly amount: bigint;
  readonly from: bigint;
  readonly to: bigint;
}

const [FIRST_LABEL, LAST_LABEL] = ['Scheduled to date', 'Actual'];

/** Returns the steps of a bridge; none if one of its amounts is unknown. */
export function bridgeSteps(bridge: WrittenTable): BridgeStep[] {
  const places = bridge.columns.flatMap(({ unit }, place) => (unit === 'money' ? [place] : []));
  if (places.some((place) => (bridge.totals?.[place] ?? null) === null)) return [];
  const tables = bridge.parts.map(({ table }) => table);
  let running = 0n;
  return places.map((place, i) => {
    const amount = bridge.sums[place] ?? 0n;
    const isTotal = i === 0 || i === places.length - 1;
    const from = isTotal ? 0n : running;
    running = from + amount;
    const cached = { number: formatUnits(amount) };
    const content = { formula: sumFormula(tables, bridge.headers[place] ?? ''), cached };
    const label = i === 0 ? FIRST_LABEL : isTotal ? LAST_LABEL : labelOf(bridge.columns[place]?.label ?? '');
    return { label, isTotal, content, amount, from, to: running };
  });
}

/** Returns the name of an effect, which stands before its amount: "Project mix" of "Project mix, effect on profit". */
function labelOf(effect: string): string {
  return effect.split(',')[0] ?? effect;
}
