import type { Cover } from '../../report/workbook.ts';
import type { Content } from './cell.ts';
import { formatChart, formatDrawing } from './chart.ts';
import type { Checks } from './checks.ts';
import { ASPECTS, type Figure, furtherFigures, type Subject, subjectsOf } from './figures.ts';
import { columnRef } from './formula.ts';
import { formatRow, type GridCell } from './grid-sheet.ts';
import { chartsOf } from './month-charts.ts';
import type { Package } from './package.ts';
import { formatHead, formatTail, type SheetTail } from './sheet.ts';
import { COLORS, CONDITIONS, numberFormat, type Style } from './styles.ts';
import type { WrittenTable } from './table-sheet.ts';

export interface SummaryFacts {
  readonly cover: Cover;
  readonly tables: readonly WrittenTable[];
  readonly checks: Checks;
  readonly notes: readonly string[];
  readonly footer: SheetTail['footer'];
}

const ASPECT_LABELS = ['Scheduled', 'Scheduled to date', 'Actual', 'Variance', 'Variance %', 'Forecast'];

/** Columns: a margin, label, unit, and one for each aspect. Unit: characters. */
const WIDTHS = [2, 30, 9, 17, 17, 17, 17, 13, 17];

/** The height of a chart. Unit: rows. */
const CHART_ROWS = 16;

/** Sides of the charts; two share the width of the figures. */
const [LEFT, MIDDLE, RIGHT] = [{ column: 1 }, { column: 4, offset: 12 }, { column: 9 }];

const SEVERITIES = ['Error', 'Warning', 'Notice'];

interface Line {
  readonly cells: readonly GridCell[];
  /** Unit: points. */
  readonly height?: number;
}

export async function writeSummary(book: Package, facts: SummaryFacts): Promise<void> {
  const { tables, footer } = facts;
  const part = book.openSheet('Summary', 0);
  const base = tables.find(({ totals }) => totals);
  const subjects = base ? subjectsOf(base) : [];
  const months = tables.find(({ role }) => role === 'months');
  const charts = months ? chartsOf(months, facts.cover.meta.currency) : [];
  const head = titleLines(facts);
  const figures = base ? figureLines(facts, base, subjects) : [];
  const chartRow = head.length + figures.length;
  const gap = charts.length > 0 ? Array.from({ length: CHART_ROWS + 1 }, (): Line => ({ cells: [] })) : [];
  const lines = [...head, ...figures, ...gap, ...qualityLines(tables), ...sourceLines(facts)];
  await part.entry.write(formatHead({ widths: WIDTHS, isFirst: true }));
  for (const [i, { cells, height }] of lines.entries()) await part.entry.write(formatRow(book, i + 1, cells, height));
  const statusCell = `B${head.length - 1}`;
  const conditions = [
    { range: statusCell, when: { formula: `LEFT(${statusCell},3)="All"` }, style: CONDITIONS.good },
    { range: statusCell, when: { formula: `LEFT(${statusCell},3)<>"All"` }, style: CONDITIONS.bad },
    ...varianceConditions(subjects, head.length + 2),
  ];
  const drawing = charts.length > 0 ? 'rId1' : undefined;
  await part.entry.write(
    formatTail({ conditions, footer, pages: { across: 1, isOneLong: true }, ...(drawing ? { drawing } : {}) }),
  );
  const anchors = charts.map((_, i) => {
    const [from, to] = i === 0 ? [LEFT, charts.length === 1 ? RIGHT : MIDDLE] : [MIDDLE, RIGHT];
    return { from: { ...from, row: chartRow }, to: { ...to, row: chartRow + CHART_ROWS } };
  });
  await part.end(drawing ? { drawing: { drawing: formatDrawing(anchors), charts: charts.map(formatChart) } } : {});
}

function titleLines({ cover, checks }: SummaryFacts): Line[] {
  const { start_date, end_date, cutoff_date } = cover.meta.parameters;
  const cutoff = cutoff_date === undefined ? '' : `, actual to ${cutoff_date}`;
  const broken = 'COUNTIF(tblChecks[Holds],FALSE)';
  const state = `IF(${broken}=0,"All checks hold ("&ROWS(tblChecks[Holds])&")","Checks that do not hold: "&${broken})`;
  const cached = { text: `All checks hold (${checks.checks.length + checks.wholes.length})` };
  return [
    { cells: [undefined, text(cover.company ?? 'Plumbline', { size: 11, color: COLORS.quiet })] },
    { cells: [undefined, text(cover.label, { size: 20, bold: true, color: COLORS.dark })], height: 28 },
    { cells: [undefined, text(`${start_date} to ${end_date}${cutoff}, amounts in ${cover.meta.currency}`, {})] },
    { cells: [undefined, { content: { formula: state, cached }, style: { bold: true } }] },
    { cells: [] },
  ];
}

function figureLines({ cover }: SummaryFacts, base: WrittenTable, subjects: readonly Subject[]): Line[] {
  const further = furtherFigures(base, cover.headline, subjects);
  const { minor_units: minorUnits, currency } = cover.meta;
  const titles = ['Key figures', 'Unit', ...ASPECT_LABELS].map((label, i) =>
    text(label, i > 1 ? { ...HEADING, align: 'right' } : HEADING),
  );
  return [
    { cells: [undefined, ...titles], height: 18 },
    ...subjects.map(({ label, column, figures }) => ({
      cells: [
        undefined,
        text(label, {}),
        text(unitOf(column.unit, currency), { color: COLORS.quiet }),
        ...ASPECTS.map((aspect) => figureCell(figures.get(aspect), minorUnits)),
      ],
    })),
    ...(further.length > 0
      ? [
          { cells: [] },
          {
            cells: [
              undefined,
              text('Also', HEADING),
              text('Unit', HEADING),
              text('Total', { ...HEADING, align: 'right' }),
            ],
          },
        ]
      : []),
    ...further.map((figure) => ({
      cells: [
        undefined,
        text(figure.column.label, {}),
        text(unitOf(figure.column.unit, currency), { color: COLORS.quiet }),
        figureCell(figure, minorUnits),
      ],
    })),
    { cells: [] },
  ];
}

function figureCell(figure: Figure | undefined, minorUnits: number): GridCell {
  if (!figure?.content) return undefined;
  const format = numberFormat(figure.column, minorUnits) ?? '';
  // Money formats leave room for a bracket, so numbers beside them must, too.
  return { content: figure.content, style: { format: /[);]/.test(format) ? format : `${format}_)` } };
}

export function unitOf(unit: string, currency: string): string {
  return { money: currency, rate: `${currency} an hour`, percent: '%', budget: `hours or ${currency}` }[unit] ?? unit;
}

function varianceConditions(subjects: readonly Subject[], firstRow: number) {
  return subjects.flatMap(({ figures }, i) => {
    const better = figures.get('variance')?.column.better;
    if (better !== 'more' && better !== 'less') return [];
    const range = `G${firstRow + i}`;
    const [good, bad] =
      better === 'more' ? (['greaterThan', 'lessThan'] as const) : (['lessThan', 'greaterThan'] as const);
    return [
      { range, when: { operator: good }, style: CONDITIONS.good },
      { range, when: { operator: bad }, style: CONDITIONS.bad },
    ];
  });
}

function qualityLines(tables: readonly WrittenTable[]): Line[] {
  const quality = tables.find(({ role }) => role === 'quality');
  const place = quality?.columns.findIndex(({ name }) => name === 'severity') ?? -1;
  if (!quality || place < 0) return [];
  const counts = SEVERITIES.map((severity) => quality.severities.get(severity.toLowerCase()) ?? 0);
  return [
    {
      cells: [
        undefined,
        text('Data quality', HEADING),
        text('', HEADING),
        text('Findings', { ...HEADING, align: 'right' }),
      ],
    },
    ...SEVERITIES.map((severity, i) => {
      const formula = quality.parts
        .map(({ table }) => `COUNTIF(${columnRef(table, quality.headers[place] ?? '')},"${severity.toLowerCase()}")`)
        .join('+');
      const count: Content = { formula, cached: { number: String(counts[i]) } };
      return {
        cells: [undefined, text(`${severity}s`, {}), undefined, { content: count, style: { format: '#,##0' } }],
      };
    }),
    { cells: [] },
  ];
}

const HEADING: Style = { bold: true, fill: COLORS.headerFill, line: 'bottom' };

function sourceLines({ cover, tables, notes }: SummaryFacts): Line[] {
  const { meta } = cover;
  const hasData = tables.some(({ role }) => role === 'data');
  const hasFigures = tables.some(({ totals }) => totals);
  const facts = [
    ['Produced at', meta.generated_at.replace('T', ' ').replace('Z', ' UTC')],
    ['Loaded at', `${meta.loaded_at} UTC`],
    ['Data version', meta.data_version],
    [
      'Source',
      `Plumbline, report ${meta.report}${hasData ? '; every number is a sum of ledger lines, which are in Data' : ''}`,
    ],
    ...(hasFigures ? [['Signs', 'F favourable, A adverse; variance is actual less scheduled to date']] : []),
  ];
  return [
    { cells: [undefined, text('About', HEADING), text('', HEADING), text('', HEADING)] },
    ...facts.map(([label = '', value = '']) => ({ cells: [undefined, text(label, {}), text(value, {})] })),
    ...notes.map((note, i) => ({ cells: [undefined, text(i === 0 ? 'Notes' : '', {}), text(note, {})] })),
  ];
}

function text(value: string, style: Style): GridCell {
  return { content: { text: value }, style };
}
