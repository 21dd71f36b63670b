import {
  formatDrawing,
  formatHead,
  formatTail,
  type Package,
  type SheetTail,
} from '../../../../../packages/xlsx/index.ts';
import type { Cover } from '../../../report/workbook/workbook.ts';
import { describeComparison, describeKeptStates } from '../../describe-meta.ts';
import type { Checks } from '../sheets/checks.ts';
import { formatRow } from '../sheets/grid-sheet.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { HIDDEN_COLUMNS } from './bridge-chart.ts';
import { summaryBridge } from './bridge-steps.ts';
import { BLANK, type Block, type BlockMaker, COLUMNS, headingLine, placeCells, text, WIDTHS } from './summary-block.ts';
import { bridgeBlock } from './summary-bridge.ts';
import { chartsBlock } from './summary-charts.ts';
import { commentaryBlock } from './summary-comment.ts';
import { figuresBlock, furtherBlock } from './summary-figures.ts';
import { listBlock } from './summary-lists.ts';
import { type Pages, pagePoints, placeBlocks } from './summary-pages.ts';
import { titleBlock } from './summary-title.ts';
import { fitWidths } from './summary-widths.ts';

export interface SummaryFacts {
  readonly cover: Cover;
  readonly tables: readonly WrittenTable[];
  readonly checks: Checks;
  readonly notes: readonly string[];
  readonly footer: SheetTail['footer'];
}

export async function writeSummary(book: Package, facts: SummaryFacts): Promise<void> {
  const part = book.openSheet('Summary', facts.cover.pages.summary.rank);
  const { blocks, ends, widths } = layOut(facts);
  await part.entry.write(formatHead({ widths, helperColumns: HIDDEN_COLUMNS, isFirst: true }));
  const lines = blocks.flatMap((block) => block.lines);
  for (const [i, { cells, height }] of lines.entries()) await part.entry.write(formatRow(part, i + 1, cells, height));
  const charts = blocks.flatMap((block) => block.charts ?? []);
  const drawing = charts.length > 0 ? 'rId1' : undefined;
  await part.entry.write(
    formatTail({
      merged: blocks.flatMap(({ merged }) => merged ?? []),
      conditions: blocks.flatMap((block) => block.conditions ?? []),
      links: part.links,
      footer: facts.footer,
      pages: { across: 1 },
      pageEnds: ends,
      ...(drawing ? { drawing } : {}),
    }),
  );
  const anchors = charts.map(({ anchor }) => anchor);
  await part.end(drawing ? { drawing: { drawing: formatDrawing(anchors), charts: charts.map(({ xml }) => xml) } } : {});
}

/** Places the blocks: on the first page what a board reads, in order of importance, and room for a commentary. */
function layOut(facts: SummaryFacts): Pages & { readonly widths: readonly number[] } {
  const { cover, tables } = facts;
  const base = tables.find(({ totals }) => totals);
  const find = (key: string) => tables.find((table) => table.key === key);
  const isEmpty = find('data')?.rowCount === 0;
  // Charts without lines would be blank.
  const bridge = isEmpty || !cover.effects ? undefined : summaryBridge(cover.effects, tables);
  const changes = cover.changes.map((change) => summaryBridge(change, tables));
  const makers: Readonly<Record<string, readonly BlockMaker[]>> = {
    title: [(row) => titleBlock(cover, facts.checks, find('quality'), row)],
    empty: isEmpty ? [emptyBlock] : [],
    figures: base ? [(row) => figuresBlock(cover, base, tables, row)] : [],
    charts: [(row) => chartsBlock(cover, isEmpty ? [] : tables, changes[0] ?? bridge, row)],
    differences: changes.map((change) => (row: number) => bridgeBlock(change, cover.meta, row)),
    further: base ? [(row) => furtherBlock(cover, base, tables, row)] : [],
    bridge: bridge ? [(row) => bridgeBlock(bridge, cover.meta, row)] : [],
    about: [() => aboutBlock(facts)],
  };
  const makersOf = (name: string): readonly BlockMaker[] => {
    const list = cover.lists[name];
    return makers[name] ?? (list ? [(row) => listBlock(list, tables, cover.meta, row)] : []);
  };
  const placed = cover.summary.first.flatMap((each) => {
    const { block, unless } = typeof each === 'string' ? { block: each, unless: undefined } : each;
    return unless !== undefined && makersOf(unless).length > 0 ? [] : [block];
  });
  const first = placed.flatMap(makersOf);
  const last = cover.summary.last.filter((name) => !placed.includes(name)).flatMap(makersOf);
  // A list of changed lines is no page to comment on.
  const isList = cover.meta.from !== undefined && cover.changes.length === 0;
  const filler = isList ? undefined : (row: number, room: number) => commentaryBlock(cover, row, room);
  const widths = fitWidths(
    [...first, ...last].flatMap((make) => make(1).lines),
    WIDTHS,
  );
  return { ...placeBlocks(first, filler, last, pagePoints(widths)), widths };
}

function emptyBlock(): Block {
  const sentence = 'Nothing is scheduled, logged or spent in this window, with these filters.';
  return { lines: [placeCells({ [COLUMNS.label]: text(sentence) }), BLANK] };
}

/** Returns the block of words that the numbers need; when the data and the book were made is on the sheet Parameters. */
function aboutBlock({ cover, tables, notes }: SummaryFacts): Block {
  const { meta } = cover;
  const hasData = tables.some(({ layout }) => layout.hasLines);
  const hasFigures = tables.some(({ totals }) => totals);
  const states = describeComparison(meta);
  const facts = [
    ...describeKeptStates(meta),
    ...(states === undefined ? [] : [['Then and now', states]]),
    [
      'Source',
      `Plumbline, report ${meta.report}${hasData ? '; every number is a sum of ledger lines, which are in Data' : ''}`,
    ],
    ...(hasFigures ? [['Signs', 'F favorable, U unfavorable; variance is actual less scheduled to date']] : []),
    ...[...notes, ...(cover.figures.apart?.notes ?? [])].map((note, i) => [i === 0 ? 'Notes' : '', note]),
  ];
  const lines = facts.flatMap(([label = '', value = '']) =>
    linesOf(value).map((line, i) =>
      placeCells({ [COLUMNS.label]: text(i === 0 ? label : ''), [COLUMNS.unit]: text(line) }),
    ),
  );
  return { lines: [headingLine('About'), ...lines] };
}

/** The longest text of a line, beyond which the sheet would be wider. Unit: characters. */
const MAX_LINE_CHARACTERS = 170;

/** Breaks a text into lines between its words. */
function linesOf(value: string): string[] {
  const lines: string[] = [''];
  for (const word of value.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + word.length >= MAX_LINE_CHARACTERS) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
