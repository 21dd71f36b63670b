import { type Chart, type Corner, formatChart } from '../../../../../packages/xlsx/index.ts';
import type { Cover, MeasureBars } from '../../../report/workbook/workbook.ts';
import { namePlan } from '../../describe-meta.ts';
import { cellContentOf } from '../columns/column-content.ts';
import { subjectsOf } from '../sheets/figures.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { bridgeChart } from './bridge-chart.ts';
import type { SummaryBridge } from './bridge-steps.ts';
import { BLANK, type Block, COLUMNS, type Line, WIDTHS } from './summary-block.ts';

/** The height of the charts. Unit: rows. */
const CHART_ROWS = 10;

/** The edges of two and of three charts side by side, in the width of the sheet. */
const EDGES: Readonly<Record<number, readonly Omit<Corner, 'row'>[]>> = {
  1: [{ column: 1 }, { column: COLUMNS.note + 1 }],
  2: [{ column: 1 }, { column: COLUMNS.variancePercent }, { column: COLUMNS.note + 1 }],
  3: [{ column: 1 }, { column: COLUMNS.actual }, { column: COLUMNS.prior, offset: 8 }, { column: COLUMNS.note + 1 }],
};

/** Returns the block of charts side by side: hours and fees by month, and the bridge. */
export function chartsBlock(
  cover: Cover,
  tables: readonly WrittenTable[],
  bridge: SummaryBridge | undefined,
  firstRow: number,
): Block {
  const drawn = bridge && bridge.steps.length > 0 ? bridgeChart(bridge, firstRow) : undefined;
  const bars = chartsOf(tables, cover);
  const charts = [
    ...bars.map((chart) => ({
      xml: formatChart(chart),
      altText: `${chart.title}. Its numbers are in the sheet ${chart.sheet}.`,
    })),
    ...(drawn ? [{ xml: drawn.xml, altText: `${drawn.title}. Its numbers are in the table ${bridge?.heading}.` }] : []),
  ];
  const edges = EDGES[charts.length];
  if (!edges) return { lines: [] };
  const row = firstRow - 1;
  const lines = Array.from({ length: CHART_ROWS + 1 }, (_, i): Line => {
    const hidden = drawn?.rows[i];
    // The cells that the bridge is drawn from, in hidden columns.
    return hidden ? { cells: [...Array.from({ length: WIDTHS.length }, () => undefined), ...hidden] } : BLANK;
  });
  return {
    lines,
    charts: charts.map(({ xml, altText }, i) => {
      const [from, to] = [edges[i], edges[i + 1]] as [Omit<Corner, 'row'>, Omit<Corner, 'row'>];
      return { anchor: { from: { ...from, row }, to: { ...to, row: row + CHART_ROWS }, altText }, xml };
    }),
  };
}

/** The months that bars compare: one alone says no more than the figures. */
const LEAST_MONTHS = 2;

/** The row of a table's first month, after the headers. */
const FIRST_ROW = 2;

function isDrawn({ kept, parts }: WrittenTable): boolean {
  return kept.length >= LEAST_MONTHS && parts.length === 1;
}

/** Returns charts of scheduled and actual by month. */
function chartsOf(tables: readonly WrittenTable[], { meta, figures: { subjects: defined, bars } }: Cover): Chart[] {
  const find = (key: string) => tables.find((table) => table.key === key && isDrawn(table));
  const months = find('months');
  const { currency } = meta;
  const subjects = months ? subjectsOf(months, defined) : [];
  return bars.flatMap((names): Chart[] => {
    if ('measures' in names) {
      const shown = names.sheet === undefined ? months : find(names.sheet);
      return shown ? measureChart(shown, names, currency) : [];
    }
    const [subject] = names.flatMap((name) => subjects.find((each) => each.name === name) ?? []);
    if (!months || !subject) return [];
    const measures = (['scheduled', 'actual'] as const).map((aspect) => subject.figures.get(aspect)?.column.name ?? '');
    const unit = subject.column.unit === 'money' ? `, ${currency}` : '';
    const title = `${subject.label} by month${unit}: ${namePlan('scheduled', meta)} against actual`;
    return measureChart(months, { title, measures }, currency);
  });
}

/** Returns the chart of some measures, from the first month with a number to the last; none if the months don't have them. */
function measureChart(months: WrittenTable, { title, measures }: MeasureBars, currency: string): Chart[] {
  const series = measures.flatMap((measure) => {
    const place = months.columns.findIndex(({ name }) => name === measure);
    return place < 0 ? [] : [{ header: months.headers[place] ?? '', column: place, values: valuesOf(months, place) }];
  });
  const isDrawnAt = (row: number) => series.some(({ values }) => /[1-9]/.test(values[row] ?? ''));
  const rows = months.kept.map((_, row) => row).filter(isDrawnAt);
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined || last - first + 1 < LEAST_MONTHS) return [];
  const drawn = <Item>(items: readonly Item[]) => items.slice(first, last + 1);
  return [
    {
      title: title.replace('{currency}', currency),
      sheet: months.parts[0]?.sheet ?? '',
      firstRow: first + FIRST_ROW,
      lastRow: last + FIRST_ROW,
      months: drawn(valuesOf(months, 0)).map((value) => value ?? ''),
      series: series.map((each) => ({ ...each, values: drawn(each.values) })),
      format: '#,##0',
    },
  ];
}

function valuesOf({ kept, columns }: WrittenTable, place: number): (string | null)[] {
  const column = columns[place];
  return kept.map((row) => {
    const content = column && cellContentOf(column, row[place] ?? null);
    return content && 'number' in content ? content.number : null;
  });
}
