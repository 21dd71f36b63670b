import type { Column } from '../../../report/catalogue/table.ts';
import type { Content } from '../package/cell.ts';
import { formatUnits } from '../package/decimal.ts';

/** The way from one amount to another, as Summary draws it and lists it. */
export interface SummaryBridge extends Pick<Column, 'unit' | 'better'> {
  /** The heading of its table. */
  readonly heading: string;
  /** The title of its chart, without the mark of a cut axis. */
  readonly title: string;
  /** The first amount, the steps to the last one, and that one; empty if one of them is unknown. */
  readonly steps: readonly BridgeStep[];
}

/** A step from the first to the last amount, or one of the two. */
export interface BridgeStep {
  readonly label: string;
  readonly note: string;
  readonly isTotal: boolean;
  readonly content: Content;
  /** The amount, and the running total before and after it, in ten-thousandths. */
  readonly amount: bigint;
  readonly from: bigint;
  readonly to: bigint;
}

/** An amount of a bridge. */
export interface BridgeAmount extends Pick<BridgeStep, 'label' | 'note' | 'amount'> {
  /** Its live formula; without one, the cell has the number. */
  readonly formula: string | undefined;
}

/** Returns the steps of a bridge, of which the first and the last amount are no steps. */
export function stepsBetween(amounts: readonly BridgeAmount[]): BridgeStep[] {
  let running = 0n;
  return amounts.map(({ formula, ...named }, place) => {
    const isTotal = place === 0 || place === amounts.length - 1;
    const from = isTotal ? 0n : running;
    running = from + named.amount;
    const cached = { number: formatUnits(named.amount) };
    return { ...named, isTotal, content: formula === undefined ? cached : { formula, cached }, from, to: running };
  });
}
