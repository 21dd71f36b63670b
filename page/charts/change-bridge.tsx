import { type Row, textOf } from '../data/answer.ts';
import type { Column } from '../data/catalogue.ts';
import { BridgeChart } from './bridge-chart.tsx';

interface BridgeProps {
  /** The row of the whole. */
  readonly total: Row;
  /** The columns of the value then, of the causes and of the value now, in this order. */
  readonly columns: readonly Column[];
  readonly measure: Column;
  readonly unit: string;
  readonly linkOf: (column: Column) => string | undefined;
}

/** A bridge from the value then to the value now by cause. Nothing if a value is unknown. */
export function ChangeBridge({ total, columns, measure, unit, linkOf }: BridgeProps) {
  if (textOf(total, 'value_then') === null || textOf(total, 'value_now') === null) return null;
  const steps = columns
    .filter(({ name }) => name !== 'difference')
    .map((column) => ({
      name: column.label,
      title: column.label,
      value: textOf(total, column.name) ?? '0',
      isEnd: column.name.startsWith('value_'),
      better: measure.better,
      href: linkOf(column),
    }));
  return (
    <BridgeChart
      label="A bridge from the value then to the value now. Each cause opens its lines; the numbers are in the table below, too."
      {...{ steps, unit }}
    />
  );
}
