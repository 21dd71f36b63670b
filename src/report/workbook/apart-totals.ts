import type { Value } from '../../database/database.ts';
import { Exact } from '../../exact-decimal.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { Column } from '../catalogue/table.ts';
import type { Aspect, SubjectDefinition } from '../layout/workbook-definition.ts';
import { regroup } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { runSummary } from '../run/run-summary.ts';

/** The groups of a query for totals alone. */
export const NO_ROWS = { dimensions: [], includesEmpty: false, hasAllPeriods: false };

/** A total that no column of the report has. */
interface ApartTotal {
  readonly column: Column;
  readonly value: Value;
}

/** The totals of a subject that stands below another. */
interface ApartSubject {
  readonly name: string;
  readonly totals: ReadonlyMap<Aspect, ApartTotal>;
}

/** The subjects of a query whose totals are read apart, and what is to be noted about them. */
export interface ApartSubjects {
  readonly subjects: readonly ApartSubject[];
  readonly notes: readonly string[];
}

/** Returns the measures of subjects that stand below others, as far as a reader sees them. */
export function apartMeasures({ workbook, measures }: Catalogue): Measure[] {
  const names = Object.values(workbook.subjects).flatMap((subject) =>
    subject.part_of || subject.instead_of ? Object.values(subject.measures) : [],
  );
  return names.flatMap((name) => measures.get(name) ?? []);
}

/**
 * Reads the totals of subjects that stand below others: of those that tell something else (3.3.1).
 * @param values The totals of the report by measure.
 */
export async function readApart(
  context: ReportContext,
  query: Query,
  values: ReadonlyMap<string, Value>,
): Promise<ApartSubjects> {
  const { catalogue } = query.selection;
  const groups = { measures: apartMeasures(catalogue), interval: undefined, across: [], hasSubtotals: false };
  const { columns, totals, meta } = await runSummary(context, regroup(query, { ...NO_ROWS, ...groups }));
  const { subjects } = catalogue.workbook;
  const found = Object.entries(subjects).flatMap(([name, subject]): ApartSubject[] => {
    if (!subject.part_of && !subject.instead_of) return [];
    const read = Object.entries(subject.measures).flatMap(([aspect, measure]) => {
      const place = columns.findIndex((column) => column.name === measure);
      const column = columns[place];
      return column ? [[aspect as Aspect, { column, value: totals?.[place] ?? null }] as const] : [];
    });
    const own = subjects[subject.instead_of ?? '']?.measures ?? {};
    return read.some(([aspect, { value }]) => isOther(value, values.get(own[aspect] ?? ''), subject))
      ? [{ name, totals: new Map(read) }]
      : [];
  });
  return { subjects: found, notes: meta.notes };
}

/** Tests whether a total tells something: a part that isn't 0, or another number than that of the subject it is seen in. */
function isOther(value: Value, own: Value | undefined, { part_of }: SubjectDefinition): boolean {
  if (value === null) return false;
  if (part_of) return !new Exact(String(value)).isZero();
  return own == null || !new Exact(String(value)).equals(String(own));
}
