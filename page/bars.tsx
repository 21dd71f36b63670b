import { barX, barY, plot, ruleX, ruleY } from '@observablehq/plot';
import { type Answer, type Row, rowsOf } from './api.ts';
import { type Column, unitOf } from './catalogue.ts';
import { Chart } from './chart.tsx';
import { toFloat } from './numbers.ts';

/** The most bars of a chart; the table has all rows. */
const MAX_BARS = 40;

/** The number of bars from which their labels are turned. */
const MANY_BARS = 16;

/** Width of a character of a label. Unit: px. */
const CHARACTER_PX = 8;

/** Bars of one measure by row: upright by time, lying otherwise. */
export function Bars(props: { answer: Answer; nameOf: (row: Row) => string; measure: Column; isTime: boolean }) {
  const { answer, nameOf, measure, isTime } = props;
  const all = rowsOf(answer);
  const rows = all.slice(0, MAX_BARS);
  const draw = isTime ? drawUpright : drawLying;
  return (
    <section>
      <h2>
        {measure.label} <span class="unit">{unitOf(measure, answer.meta.currency)}</span>
      </h2>
      {rows.length < all.length && <p class="hint">The first {MAX_BARS} rows; the table has all of them.</p>}
      <Chart
        label={`Bars of ${measure.label}. The numbers are in the table below.`}
        draw={(width) =>
          draw(
            width,
            rows.map((row, index) => ({ index, value: toFloat(row[measure.name]) })),
            (index) => (rows[index] ? nameOf(rows[index]) : ''),
          )
        }
        of={answer}
      />
    </section>
  );
}

/** A bar. The index keeps equal labels apart. */
interface Bar {
  readonly index: number;
  readonly value: number;
}

const VALUES = { label: null, grid: true, tickFormat: 's', ticks: 5 };

function drawUpright(width: number, bars: readonly Bar[], labelOf: (index: number) => string): Element {
  const isTurned = bars.length > MANY_BARS;
  return plot({
    className: 'plot',
    width,
    height: 240,
    marginLeft: 56,
    marginBottom: isTurned ? 64 : 32,
    x: { type: 'band', label: null, tickFormat: labelOf, tickRotate: isTurned ? -45 : 0 },
    y: VALUES,
    marks: [barY(bars, { x: 'index', y: 'value', fill: 'var(--actual)' }), ruleY([0])],
  });
}

function drawLying(width: number, bars: readonly Bar[], labelOf: (index: number) => string): Element {
  const marginLeft = Math.min(240, width / 3);
  return plot({
    className: 'plot',
    width,
    height: 40 + bars.length * 22,
    marginLeft,
    x: VALUES,
    y: {
      type: 'band',
      label: null,
      tickFormat: (index: number) => shorten(labelOf(index), Math.floor(marginLeft / CHARACTER_PX)),
    },
    marks: [barX(bars, { x: 'value', y: 'index', fill: 'var(--actual)' }), ruleX([0])],
  });
}

/** Returns a text of at most so many characters, the last one a mark if it was longer. */
function shorten(text: string, characters: number): string {
  const all = [...text];
  return all.length <= characters
    ? text
    : `${all
        .slice(0, characters - 1)
        .join('')
        .trimEnd()}…`;
}
