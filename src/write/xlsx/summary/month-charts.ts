import type { Cover, MeasureBars } from '../../../report/workbook/workbook.ts';
import { namePlan } from '../../describe-meta.ts';
import { cellContentOf } from '../package/cell.ts';
import type { Chart } from '../package/chart.ts';
import { subjectsOf } from '../sheets/figures.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';

/** The months that bars compare: one alone says no more than the figures. */
const LEAST_MONTHS = 2;

/** Returns charts of scheduled and actual by month. */
export function chartsOf(months: WrittenTable, { meta, figures: { subjects: defined, bars } }: Cover): Chart[] {
  const { currency } = meta;
  if (months.kept.length < LEAST_MONTHS || months.parts.length > 1) return [];
  const subjects = subjectsOf(months, defined);
  return bars.flatMap((names): Chart[] => {
    if ('measures' in names) return measureChart(months, names, currency);
    const [subject] = names.flatMap((name) => subjects.find((each) => each.name === name) ?? []);
    if (!subject) return [];
    const measures = (['scheduled', 'actual'] as const).map((aspect) => subject.figures.get(aspect)?.column.name ?? '');
    const unit = subject.column.unit === 'money' ? `, ${currency}` : '';
    const title = `${subject.label} by month${unit}: ${namePlan('scheduled', meta)} against actual`;
    return measureChart(months, { title, measures }, currency);
  });
}

/** Returns the chart of some measures; none if the months don't have them. */
function measureChart(months: WrittenTable, { title, measures }: MeasureBars, currency: string): Chart[] {
  const series = measures.flatMap((measure) => {
    const place = months.columns.findIndex(({ name }) => name === measure);
    return place < 0 ? [] : [{ header: months.headers[place] ?? '', column: place, values: valuesOf(months, place) }];
  });
  if (series.length === 0) return [];
  const [part] = months.parts;
  return [
    {
      title: title.replace('{currency}', currency),
      sheet: part?.sheet ?? '',
      lastRow: part?.lastRow ?? 2,
      months: valuesOf(months, 0).map((value) => value ?? ''),
      series,
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
