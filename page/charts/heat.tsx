import { type Row, textOf } from '../data/answer.ts';
import type { Column } from '../data/catalogue.ts';
import { judgeIn } from '../data/judgment.ts';
import { formatDecimal, stepOf, toFloat } from '../data/numbers.ts';
import { Figure } from '../parts/figure.tsx';

interface HeatProps {
  readonly row: Row | null | undefined;
  readonly column: Column;
  /** The row of its project, for a part of it. */
  readonly whole?: Row | undefined;
}

/** A cell whose color, sign and letter tell the direction and the size of a variance in whole percent. */
export function Heat({ row, column, whole }: HeatProps) {
  const text = textOf(row, column.name);
  if (!row) return <td class="number" />;
  if (text === null)
    return (
      <td class="number">
        <Figure row={row} column={column} />
      </td>
    );
  const { letter, because } = judgeIn(row, column, whole);
  const title = `${formatDecimal(text, true)} %${because === undefined ? '' : `: ${because}`}`;
  return (
    <td class={`number heat ${letter?.toLowerCase() ?? 'n'}${stepOf(text)}`} title={title}>
      <Figure row={row} column={column} whole={whole} isWhole />
    </td>
  );
}

/** A hatched cell of the months after the cutoff: all of them are plan. */
export function PlanCell() {
  return (
    <td class="number plan" title="After the cutoff: all of it is plan">
      <span class="unseen">plan</span>
    </td>
  );
}

/** The meaning of the colors of a measure. */
export function Legend({ column: { better } }: { column: Column }) {
  if (better === undefined || better === 'none')
    return <p class="legend">Darker is a larger difference: from 2.5, 5, 10, 20, 50 %.</p>;
  return (
    <p class="legend">
      <span class="heat f3">F favorable</span> <span class="heat u3">U unfavorable</span> Darker is a larger difference:
      from 2.5, 5, 10, 20, 50 %.
    </p>
  );
}

/** A percentage with a bar up to 100 %, and a mark beyond it. */
export function Bar({ row, column }: { row: Row; column: Column }) {
  const percent = toFloat(row[column.name]);
  const forecast = column.name === 'budget_used_percent' ? textOf(row, 'budget_forecast_percent') : null;
  return (
    <span class={percent > 100 ? 'bar over' : 'bar'}>
      <Figure row={row} column={column} decimals={2} />
      <span class="track" title={forecast === null ? undefined : `Forecast ${formatDecimal(forecast)} %`}>
        <span style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
        {forecast !== null && <i style={{ left: `${Math.min(100, Math.max(0, toFloat(forecast)))}%` }} />}
      </span>
    </span>
  );
}
