import type { Cover } from '../../../report/workbook/workbook.ts';
import { describeAsOfState } from '../../describe-meta.ts';
import { formatChart, formatDrawing } from '../package/chart.ts';
import { formatHead, formatTail, type SheetTail } from '../package/sheet.ts';
import { LINE_POINTS } from '../package/widths.ts';
import type { Package } from '../package/workbook-package.ts';
import type { Checks } from '../sheets/checks.ts';
import { formatRow } from '../sheets/grid-sheet.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { chartsOf } from './month-charts.ts';
import { BLANK, type Block, type BlockMaker, COLUMNS, headingLine, placeCells, text, WIDTHS } from './summary-block.ts';
import { bridgeBlock, HIDDEN_COLUMNS } from './summary-bridge.ts';
import { budgetsBlock } from './summary-budgets.ts';
import { figuresBlock } from './summary-figures.ts';
import { titleBlock } from './summary-title.ts';
import { causesBlock, overrunsBlock } from './summary-words.ts';

export interface SummaryFacts {
  readonly cover: Cover;
  readonly tables: readonly WrittenTable[];
  readonly checks: Checks;
  readonly notes: readonly string[];
  readonly footer: SheetTail['footer'];
}

/** The height of the charts by month. Unit: rows. */
const CHART_ROWS = 14;

/** The height of a page of A4 or Letter at the size that fits the sheet's width. Unit: points. */
const PAGE_POINTS = 840;

export async function writeSummary(book: Package, facts: SummaryFacts): Promise<void> {
  const part = book.openSheet('Summary', 0);
  const blocks = stack(blocksOf(facts));
  await part.entry.write(formatHead({ widths: WIDTHS, helperColumns: HIDDEN_COLUMNS, isFirst: true }));
  const lines = blocks.flatMap((block) => block.lines);
  for (const [i, { cells, height }] of lines.entries()) await part.entry.write(formatRow(part, i + 1, cells, height));
  const charts = blocks.flatMap((block) => block.charts ?? []);
  const drawing = charts.length > 0 ? 'rId1' : undefined;
  await part.entry.write(
    formatTail({
      conditions: blocks.flatMap((block) => block.conditions ?? []),
      links: part.links,
      footer: facts.footer,
      pages: { across: 1 },
      pageEnds: pageEndsOf(blocks),
      ...(drawing ? { drawing } : {}),
    }),
  );
  const anchors = charts.map(({ anchor }) => anchor);
  await part.end(drawing ? { drawing: { drawing: formatDrawing(anchors), charts: charts.map(({ xml }) => xml) } } : {});
}

/** Returns the rows after which a page ends, so that no block is on two pages if it fits on one. */
function pageEndsOf(blocks: readonly Block[]): number[] {
  const ends: number[] = [];
  let [rows, used] = [0, 0];
  for (const { lines } of blocks) {
    const height = lines.reduce((sum, line) => sum + (line.height ?? LINE_POINTS), 0);
    if (used > 0 && used + height > PAGE_POINTS) {
      ends.push(rows);
      used = 0;
    }
    used += height;
    rows += lines.length;
  }
  return ends;
}

/** Places blocks below each other. */
function stack(makers: readonly BlockMaker[]): Block[] {
  let row = 1;
  return makers.map((make) => {
    const block = make(row);
    row += block.lines.length;
    return block;
  });
}

function blocksOf(facts: SummaryFacts): BlockMaker[] {
  const { cover, tables } = facts;
  const base = tables.find(({ totals }) => totals);
  const find = (role: WrittenTable['role']) => tables.find((table) => table.role === role);
  const isEmpty = find('data')?.rowCount === 0;
  // Charts without lines would be blank.
  const [months, bridge] = isEmpty ? [] : [find('months'), find('bridge')];
  const quality = find('quality');
  return [
    (row) => titleBlock(cover, facts.checks, quality, row),
    ...(isEmpty ? [emptyBlock] : []),
    ...(base ? [(row: number) => figuresBlock(cover, base, row)] : []),
    ...(months ? [(row: number) => monthsBlock(months, cover, row)] : []),
    ...(bridge ? [(row: number) => bridgeBlock(bridge, cover.meta, row)] : []),
    ...(base ? [() => overrunsBlock(cover, base), (row: number) => budgetsBlock(cover, base, row)] : []),
    ...(quality ? [() => causesBlock(cover, quality)] : []),
    () => aboutBlock(facts),
  ];
}

function emptyBlock(): Block {
  const sentence = 'Nothing is scheduled, logged or spent in this window, with these filters.';
  return { lines: [placeCells({ [COLUMNS.label]: text(sentence) }), BLANK] };
}

/** Returns the block of charts by month, of which two share the width of the figures. */
function monthsBlock(months: WrittenTable, cover: Cover, firstRow: number): Block {
  const charts = chartsOf(months, cover.meta.currency);
  const [left, middle, right] = [{ column: 1 }, { column: COLUMNS.variancePercent }, { column: COLUMNS.note + 1 }];
  return {
    lines: charts.length === 0 ? [] : Array.from({ length: CHART_ROWS + 1 }, () => BLANK),
    charts: charts.map((chart, i) => {
      const [from, to] = i === 0 ? [left, charts.length === 1 ? right : middle] : [middle, right];
      const row = firstRow - 1;
      const altText = `${chart.title}. Its numbers are in the sheet ${chart.sheet}.`;
      const anchor = { from: { ...from, row }, to: { ...to, row: row + CHART_ROWS }, altText };
      return { anchor, xml: formatChart(chart) };
    }),
  };
}

function aboutBlock({ cover, tables, notes }: SummaryFacts): Block {
  const { meta } = cover;
  const hasData = tables.some(({ role }) => role === 'data');
  const hasFigures = tables.some(({ totals }) => totals);
  const facts = [
    ['Produced at', meta.generated_at],
    meta.synced_at ? ['Synced at', `${meta.synced_at} from ${meta.source}`] : ['Loaded at', meta.loaded_at],
    ['Data version', meta.data_version],
    ...(meta.as_of ? [['As of', describeAsOfState(meta.as_of)]] : []),
    [
      'Source',
      `Plumbline, report ${meta.report}${hasData ? '; every number is a sum of ledger lines, which are in Data' : ''}`,
    ],
    ...(hasFigures
      ? [
          ['Signs', 'F favorable, A adverse; variance is actual less scheduled to date'],
          ['Comparisons', 'The cutoff moves with the window, so each window is equally far along.'],
        ]
      : []),
    ...notes.map((note, i) => [i === 0 ? 'Notes' : '', note]),
  ];
  const lines = facts.map(([label = '', value = '']) =>
    placeCells({ [COLUMNS.label]: text(label), [COLUMNS.unit]: text(value) }),
  );
  return { lines: [headingLine('About'), ...lines] };
}
