import { type Content, sumFormula } from '../../../../../packages/xlsx/index.ts';
import type { Column } from '../../../report/catalogue/table.ts';
import type { Aspect, FigureFacts } from '../../../report/workbook/workbook.ts';
import { isNumeric } from '../../value-text.ts';
import { cellContentOf } from '../columns/column-content.ts';
import { derivedFormula } from '../columns/derived-formula.ts';
import type { WrittenTable } from './table-sheet.ts';

/** A total of the report, as a formula where possible. */
export interface Figure {
  readonly column: Column;
  readonly content: Content | undefined;
  /** The texts without which the number isn't shown, in words. */
  readonly beside?: string;
}

export type DefinedSubject = FigureFacts['subjects'][number];

/** A row of figures, as far as a table has them. */
export interface Subject extends Omit<DefinedSubject, 'measures'> {
  readonly column: Column;
  readonly figures: ReadonlyMap<Aspect, Figure>;
}

/** Returns a table's totals by subject, for subjects both scheduled and actual, in table order. */
export function subjectsOf(table: WrittenTable, defined: readonly DefinedSubject[]): Subject[] {
  const suffixes = new Set(table.columns.map(suffixOf));
  const found = [...suffixes].flatMap((suffix) => defined.flatMap((subject) => findSubject(table, subject, suffix)));
  return found.sort((one, other) => one.place - other.place).map(({ subject }) => subject);
}

/** Returns the subjects that are parts of others of a table, with totals of its columns, or read apart. */
export function partSubjects(
  table: WrittenTable,
  found: readonly Subject[],
  { subjects, apart }: Pick<FigureFacts, 'subjects' | 'apart'>,
): Subject[] {
  return (apart?.subjects ?? []).flatMap(({ name, totals }): Subject[] => {
    const defined = subjects.find((each) => each.name === name);
    const column = totals.get('actual')?.column;
    const isShown = found.some((subject) => subject.name === defined?.part_of);
    if (!defined || !column || !isShown) return [];
    const { measures: _, ...rest } = defined;
    const figures = [...totals].map(([aspect, { column: apart, value }]) => {
      const content = cellContentOf(apart, value);
      return [aspect, totalFigure(table, apart.name) ?? { column: apart, content }] as const;
    });
    return [{ ...rest, column, figures: new Map(figures) }];
  });
}

/** @param suffix The end of the names of the columns of one period; empty for those of the window. */
function findSubject(table: WrittenTable, { measures, ...defined }: DefinedSubject, suffix: string) {
  if (defined.is_rate || defined.part_of !== undefined) return [];
  const places = Object.entries(measures).flatMap(([aspect, measure]) => {
    const place = table.columns.findIndex(({ name }) => name === `${measure}${suffix}`);
    return place < 0 ? [] : [[aspect as Aspect, place] as const];
  });
  const found = new Map(places);
  const column = table.columns[found.get('actual') ?? -1];
  if (!column || !found.has('scheduled')) return [];
  const figures = new Map(places.map(([aspect, place]) => [aspect, figureAt(table, place)]));
  const named = suffix === '' ? {} : { name: `${defined.name}${suffix}`, label: column.label, is_further: true };
  return [{ place: Math.min(...found.values()), subject: { ...defined, ...named, column, figures } }];
}

function suffixOf({ name, measure = name }: Column): string {
  return name.slice(measure.length);
}

/** Returns the totals of the named columns outside all subjects, in the order of the names. */
export function furtherFigures(table: WrittenTable, names: readonly string[], shown: readonly Subject[]): Figure[] {
  const used = new Set(shown.flatMap(({ figures }) => [...figures.values()].map(({ column }) => column.name)));
  return names.flatMap((name) => {
    const index = table.columns.findIndex((column) => column.name === name && isNumeric(column.unit));
    const figure = index < 0 || used.has(name) ? undefined : figureAt(table, index);
    return figure?.content ? [figure] : [];
  });
}

/** Returns the total of a named column; undefined for none. */
export function totalFigure(table: WrittenTable, name: string): Figure | undefined {
  const index = table.columns.findIndex((column) => column.name === name);
  return index < 0 ? undefined : figureAt(table, index);
}

function figureAt(table: WrittenTable, index: number): Figure {
  const column = table.columns[index] as Column;
  const cached = cellContentOf(column, table.totals?.[index] ?? null);
  const formula = cached && formulaAt(table, index);
  const beside = besideOf(table, index);
  return { column, content: formula && cached ? { formula, cached } : cached, ...(beside !== '' && { beside }) };
}

/** Returns the texts of the totals that stand beside a number, in words; empty if there are none. */
function besideOf({ columns, derivations, totals = [] }: WrittenTable, index: number): string {
  const names = derivations[index]?.beside ?? [];
  const texts = columns.map(({ name, label }, place) =>
    names.includes(name) && totals[place] ? `${label}: ${totals[place]}` : '',
  );
  return texts.filter((text) => text !== '').join(', ');
}

/** Returns a formula over all rows, including filtered ones, so that figures stay put. */
function formulaAt(table: WrittenTable, index: number): string | undefined {
  const tables = table.parts.map((part) => part.table);
  const total = table.derivations[index]?.total;
  if (table.sums[index] !== undefined) return sumFormula(tables, table.headers[index] ?? '');
  if (typeof total !== 'object') return undefined;
  return derivedFormula(total, (name) => {
    const place = table.columns.findIndex((column) => column.name === name);
    return place >= 0 && table.sums[place] !== undefined
      ? `(${sumFormula(tables, table.headers[place] ?? '')})`
      : undefined;
  });
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
