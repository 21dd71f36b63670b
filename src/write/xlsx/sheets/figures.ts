import type { Column } from '../../../report/catalogue/table.ts';
import { isNumeric } from '../../value-text.ts';
import { type Content, cellContentOf } from '../package/cell.ts';
import { derivedFormula, sumFormula } from '../package/formula.ts';
import type { WrittenTable } from './table-sheet.ts';

export const ASPECTS = [
  'scheduled',
  'scheduled_to_date',
  'actual',
  'variance',
  'variance_percent',
  'forecast',
] as const;

export type Aspect = (typeof ASPECTS)[number];

/** A total of the report, as a formula where possible. */
export interface Figure {
  readonly column: Column;
  readonly content: Content | undefined;
  /** The texts without which the number isn't shown, in words. */
  readonly beside?: string;
}

export interface Subject {
  /** Its name in the measures' names: hours, cost, expense_fees, margin_percent. */
  readonly name: string;
  readonly label: string;
  readonly column: Column;
  readonly figures: ReadonlyMap<Aspect, Figure>;
}

/** Returns a table's totals by subject, for subjects both scheduled and actual, in table order. */
export function subjectsOf(table: WrittenTable): Subject[] {
  const subjects = new Map<string, Map<Aspect, number>>();
  for (const [index, { name, unit }] of table.columns.entries()) {
    const parsed = isNumeric(unit) ? parseName(name) : undefined;
    if (!parsed) continue;
    const found = subjects.get(parsed.subject) ?? new Map<Aspect, number>();
    for (const aspect of parsed.aspects) found.set(aspect, index);
    subjects.set(parsed.subject, found);
  }
  return [...subjects].flatMap(([name, found]) => {
    const index = found.get('actual');
    const column = index === undefined ? undefined : table.columns[index];
    if (!column || !found.has('scheduled')) return [];
    const figures = new Map([...found].map(([aspect, place]) => [aspect, figureAt(table, place)] as const));
    return [{ name, label: capitalize(column.label.replace(/^Actual | to date$/g, '')), column, figures }];
  });
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

function parseName(name: string): { aspects: readonly Aspect[]; subject: string } | undefined {
  const [, toDate, amount] = /^expense_(to_date_)?(cost|fees)$/.exec(name) ?? [];
  // Expenses of the window are planned and forecast; those up to the cutoff are actual, and in both sides of a variance.
  if (amount) {
    return {
      aspects: toDate ? ['scheduled_to_date', 'actual'] : ['scheduled', 'forecast'],
      subject: `expense_${amount}`,
    };
  }
  const [, aspect, subject = ''] = /^(scheduled_to_date|scheduled|actual|variance|forecast)_(.+)$/.exec(name) ?? [];
  // The variance of a percentage is in points, and belongs to the percentage.
  if (subject.endsWith('_points')) return { aspects: ['variance'], subject: subject.replace(/_points$/, '_percent') };
  if (aspect === 'variance' && subject.endsWith('_percent')) {
    return { aspects: ['variance_percent'], subject: subject.replace(/_percent$/, '') };
  }
  return aspect === undefined ? undefined : { aspects: [aspect as Aspect], subject };
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
