import type { Cover } from '../../../report/workbook/workbook.ts';
import { namePlan } from '../../describe-meta.ts';
import { cellContentOf } from '../package/cell.ts';
import type { Chart } from '../package/chart.ts';
import { subjectsOf } from '../sheets/figures.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';

/** Returns charts of scheduled and actual by month. */
export function chartsOf(months: WrittenTable, { meta, figures: { subjects: defined, bars } }: Cover): Chart[] {
  const { currency } = meta;
  if (months.kept.length === 0 || months.parts.length > 1) return [];
  const subjects = subjectsOf(months, defined);
  return bars.flatMap((names): Chart[] => {
    const [subject] = names.flatMap((name) => subjects.find((each) => each.name === name) ?? []);
    if (!subject) return [];
    const series = (['scheduled', 'actual'] as const).flatMap((aspect) => {
      const place = months.columns.findIndex(({ name }) => name === subject.figures.get(aspect)?.column.name);
      return place < 0 ? [] : [{ header: months.headers[place] ?? '', column: place, values: valuesOf(months, place) }];
    });
    return [
      {
        title: `${subject.label} by month${subject.column.unit === 'money' ? `, ${currency}` : ''}: ${namePlan('scheduled', meta)} against actual`,
        sheet: months.parts[0]?.sheet ?? '',
        lastRow: months.parts[0]?.lastRow ?? 2,
        months: valuesOf(months, 0).map((value) => value ?? ''),
        series,
        format: '#,##0',
      },
    ];
  });
}

function valuesOf({ kept, columns }: WrittenTable, place: number): (string | null)[] {
  const column = columns[place];
  return kept.map((row) => {
    const content = column && cellContentOf(column, row[place] ?? null);
    return content && 'number' in content ? content.number : null;
  });
}
