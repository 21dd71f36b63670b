import { CONDITIONS, type Condition, columnLetters, plainContent, QUIET } from '../../../../../packages/xlsx/index.ts';
import { Exact } from '../../../../base/index.ts';
import type { Cover } from '../../../report/workbook/workbook.ts';
import { namePlan } from '../../describe-meta.ts';
import { cellName } from '../columns/cell-name.ts';
import { isVariance } from '../columns/column-formats.ts';
import { figureStyle } from '../columns/column-styles.ts';
import { type Figure, furtherFigures, partSubjects, type Subject, subjectsOf } from '../sheets/figures.ts';
import type { GridCell } from '../sheets/grid-sheet.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { aspectColumns, numberRows, statementOf } from './statement.ts';
import { BLANK, type Block, COLUMNS, headingLine, type Line, NOTE, placeCells, text } from './summary-block.ts';
import { actualOf, comparedCells, comparedRates, comparisonLine, comparisonTitles } from './summary-comparisons.ts';

const TITLES = {
  [COLUMNS.unit]: 'Unit',
  [COLUMNS.scheduled]: 'Scheduled',
  [COLUMNS.actual]: 'Actual',
  [COLUMNS.variance]: 'Variance',
  [COLUMNS.variancePercent]: 'Variance %',
};

/** The titles of a window with days to come. */
const TITLES_AHEAD = { ...TITLES, [COLUMNS.scheduledToDate]: 'To date', [COLUMNS.forecast]: 'Forecast' };

/** Tests whether all of a window is actual: its figures to date are those of the plan, and its forecasts what was done. */
function isOver({ meta: { parameters } }: Cover): boolean {
  const { cutoff_date: cutoff, end_date: end } = parameters;
  return typeof cutoff === 'string' && typeof end === 'string' && cutoff >= end;
}

/** Returns the block of key figures, which add up on paper: totals beside the plan, the prior period and last year. */
export function figuresBlock(
  cover: Cover,
  base: WrittenTable,
  tables: readonly WrittenTable[],
  firstRow: number,
): Block {
  const { subjects } = cover.figures;
  const places = aspectColumns(isOver(cover));
  const rows = statementOf(foundSubjects(cover, base), subjects, firstRow + 1, places);
  if (rows.length === 0) return { lines: [] };
  const titles = {
    ...(isOver(cover) ? TITLES : TITLES_AHEAD),
    ...comparisonTitles(cover),
    [COLUMNS.note]: 'Note',
  };
  const numbers = numberRows(rows, firstRow + 1);
  const placed = rows.map((subject, i) => ({ subject, row: numbers[i] ?? firstRow }));
  return {
    lines: [
      headingOf(cover, 'Key figures', titles),
      ...placed.flatMap(({ subject, row }, i) => [
        ...(subject.heading !== undefined && i > 0 ? [headingLine(subject.heading)] : []),
        subjectLine(cover, tables, subject, row),
      ]),
      ...tentativeLines(cover, base),
      ...comparisonLine(cover),
      ...cover.horizon.map((note) => placeCells({ [COLUMNS.label]: text(note, QUIET) })),
      BLANK,
    ],
    conditions: placed.flatMap(({ subject, row }) => varianceConditions(cover, subject, row)),
  };
}

/** Returns the block of totals without a plan to date, with the whole plan if there is one: key figures, if the report has no others. */
export function furtherBlock(
  cover: Cover,
  base: WrittenTable,
  tables: readonly WrittenTable[],
  firstRow: number,
): Block {
  const subjects = foundSubjects(cover, base);
  const shown = statementOf(subjects, cover.figures.subjects, firstRow, aspectColumns(isOver(cover)));
  const rest = subjects.filter(({ name }) => !shown.some((subject) => subject.name === name));
  const own = new Map(rest.map((subject) => [subject.figures.get('actual')?.column.name, subject]));
  const plans = new Map([...own].map(([name, subject]) => [name, planOf(cover, subject)]));
  const names = rest.flatMap(({ figures }) => figures.get('actual')?.column.name ?? []);
  const told = Object.keys(cover.lists).flatMap((name) => cover.summary.told[name] ?? []);
  const figures = furtherFigures(base, [...new Set([...names, ...cover.headline])], shown).filter(
    ({ column }) => !told.includes(column.name),
  );
  if (figures.length === 0) return { lines: [] };
  const planned = figures.filter(({ column }) => plans.get(column.name)?.content);
  const titles = {
    [COLUMNS.unit]: 'Unit',
    ...(planned.length > 0 ? { [COLUMNS.scheduled]: 'Scheduled' } : {}),
    [COLUMNS.actual]: planned.length === figures.length ? 'Actual' : 'Total',
    ...comparisonTitles(cover),
    [COLUMNS.note]: 'Note',
  };
  return {
    lines: [
      headingOf(cover, shown.length > 0 ? 'Further figures' : 'Key figures', titles),
      ...figures.map((figure, i) => {
        const { name, label } = figure.column;
        // Beside its plan, a subject has a name of both.
        const plan = plans.get(name);
        const named = { ...figure, column: { ...figure.column, label: (plan && own.get(name)?.label) ?? label } };
        return furtherLine(cover, tables, named, plan, firstRow + 1 + i);
      }),
      ...(shown.length > 0 ? [] : comparisonLine(cover)),
      BLANK,
    ],
  };
}

/** Returns the subjects of a table, and those that are parts of them. */
function foundSubjects({ figures }: Cover, base: WrittenTable): Subject[] {
  const found = subjectsOf(base, figures.subjects);
  return [...found, ...partSubjects(base, found, figures)];
}

/** Returns the heading of figures, which names the state of another plan where the plan stands. */
function headingOf({ meta }: Cover, title: string, titles: Readonly<Record<number, string>>): Line {
  const { [COLUMNS.scheduled]: plan } = titles;
  const named = plan && namePlan(plan, meta);
  if (named === plan) return headingLine(title, titles);
  return headingLine(title, { ...titles, [COLUMNS.scheduled]: named ?? '' }, [], 2);
}

/** Returns the lines of tentative work, which counts as scheduled only if its status is asked for. */
function tentativeLines({ meta, figures: { tentative } }: Cover, base: WrittenTable): Line[] {
  const isPlan = String(meta.parameters['status'] ?? '').includes('tentative');
  const note = text(isPlan ? 'in the plan, as its status is asked for' : 'not in the plan', NOTE);
  return Object.entries(tentative).flatMap(([name, label]) => {
    const [figure] = furtherFigures(base, [name], []);
    if (!figure) return [];
    return placeCells({
      [COLUMNS.label]: text(label),
      [COLUMNS.unit]: text(unitOf(figure.column.unit, meta.currency), QUIET),
      [COLUMNS.scheduled]: figureCell(figure, meta.minor_units),
      [COLUMNS.note]: note,
    });
  });
}

function subjectLine(cover: Cover, tables: readonly WrittenTable[], subject: Subject, row: number): Line {
  const { label, column, figures, is_total = false, is_rate, ratio } = subject;
  const { minor_units: minorUnits, currency } = cover.meta;
  const places = aspectColumns(isOver(cover));
  const named = new Set<string>();
  const own: Record<number, GridCell> = {};
  for (const [aspect, figure] of figures) {
    const cell = figureCell(aspect === 'variance' ? judge(cover, subject, figure) : figure, minorUnits);
    if (!cell) continue;
    // A name belongs to one cell, and the expenses stand in two. Aspects of one column have one cell, with both names.
    const names = named.has(figure.column.name) ? [] : [cellName(figure.column.name)];
    named.add(figure.column.name);
    const other = own[places[aspect]];
    own[places[aspect]] = { ...(other ?? cell), name: [other?.name ?? []].flat().concat(names) };
  }
  return placeCells({
    [COLUMNS.label]: text(label, { bold: is_total }),
    [COLUMNS.unit]: text(column.unit === 'rate' ? `${currency}/h` : unitOf(column.unit, currency), QUIET),
    ...own,
    ...(is_rate
      ? comparedRates(cover, tables, ratio)
      : comparedCells(cover, tables, { column, content: figures.get('actual')?.content }, row)),
    [COLUMNS.note]: noteCell(cover, is_rate ? actualOf(cover, ratio?.[0]) : column.name),
  });
}

/** Returns the plan of the whole window, unless it has a row of its own. */
function planOf({ headline }: Cover, { figures }: Subject): Figure | undefined {
  const plan = figures.get('scheduled');
  return plan && headline.includes(plan.column.name) ? undefined : plan;
}

function furtherLine(
  cover: Cover,
  tables: readonly WrittenTable[],
  figure: Figure,
  plan: Figure | undefined,
  row: number,
): Line {
  const { column, beside } = figure;
  return placeCells({
    [COLUMNS.label]: text(column.label),
    [COLUMNS.unit]: text(unitOf(column.unit, cover.meta.currency), QUIET),
    [COLUMNS.scheduled]: figureCell(plan, cover.meta.minor_units),
    [COLUMNS.actual]: figureCell(figure, cover.meta.minor_units),
    ...comparedCells(cover, tables, figure, row),
    [COLUMNS.note]: beside === undefined ? noteCell(cover, column.name) : text(beside, NOTE),
  });
}

/** Takes the word favorable from a variance of billed amounts that is beyond agreed fees: nobody owes it. */
function judge({ figures: { feesBeyond: beyond } }: Cover, { is_billed }: Subject, figure: Figure): Figure {
  const { column, content } = figure;
  const value = content && plainContent(content);
  if (!beyond || !is_billed || !value || !('number' in value)) return figure;
  const isBeyond = new Exact(value.number).greaterThan(0) && new Exact(value.number).lessThanOrEqualTo(beyond);
  return isBeyond ? { content, column: { ...column, better: 'none' } } : figure;
}

function figureCell(figure: Figure | undefined, minorUnits: number): GridCell {
  if (!figure?.content) return undefined;
  const isRate = figure.column.unit === 'rate' && !isVariance(figure.column.name);
  const style = isRate ? { format: '#,##0.00_)' } : figureStyle(figure.column, minorUnits);
  return { content: figure.content, style, name: cellName(figure.column.name) };
}

/** Says beside a figure which hours and fees it leaves out or can't count on. */
function noteCell({ figures: { notes } }: Cover, measure: string): GridCell {
  const note = notes[measure];
  return note === undefined ? undefined : text(note, NOTE);
}

function varianceConditions(cover: Cover, subject: Subject, row: number): Condition[] {
  const shown = subject.figures.get('variance');
  const variance = shown && judge(cover, subject, shown);
  const better = variance?.column.better;
  if (better !== 'more' && better !== 'less') return [];
  const range = `${columnLetters(COLUMNS.variance)}${row}`;
  const [good, bad] =
    better === 'more' ? (['greaterThan', 'lessThan'] as const) : (['lessThan', 'greaterThan'] as const);
  return [
    { range, when: { operator: good }, style: CONDITIONS.good },
    { range, when: { operator: bad }, style: CONDITIONS.bad },
  ];
}

export function unitOf(unit: string, currency: string): string {
  return { money: currency, rate: `${currency} an hour`, percent: '%', budget: `hours or ${currency}` }[unit] ?? unit;
}
