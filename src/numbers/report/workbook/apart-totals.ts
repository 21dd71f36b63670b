import type { Value } from '../../../base/database/index.ts';
import { Exact } from '../../../base/index.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { Column } from '../catalogue/table.ts';
import type { Aspect } from '../layout/workbook-definition.ts';
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

/** The totals of a subject that is a part of another. */
interface ApartSubject {
  readonly name: string;
  readonly totals: ReadonlyMap<Aspect, ApartTotal>;
}

/** The subjects of a query whose totals are read apart, and what is to be noted about them. */
export interface ApartSubjects {
  readonly subjects: readonly ApartSubject[];
  readonly notes: readonly string[];
}

/** Returns the measures of subjects that are parts of others, as far as a reader sees them. */
export function apartMeasures({ workbook, measures }: Catalogue): Measure[] {
  const names = Object.values(workbook.subjects).flatMap((subject) =>
    subject.part_of ? Object.values(subject.measures) : [],
  );
  return names.flatMap((name) => measures.get(name) ?? []);
}

/** Reads the totals of subjects that are parts of others, unless they are 0 (3.3.1). */
export async function readApart(context: ReportContext, query: Query): Promise<ApartSubjects> {
  const { catalogue } = query.selection;
  const groups = { measures: apartMeasures(catalogue), interval: undefined, across: [], hasSubtotals: false };
  const { columns, totals, meta } = await runSummary(context, regroup(query, { ...NO_ROWS, ...groups }));
  const { subjects } = catalogue.workbook;
  const found = Object.entries(subjects).flatMap(([name, subject]): ApartSubject[] => {
    if (!subject.part_of) return [];
    const read = Object.entries(subject.measures).flatMap(([aspect, measure]) => {
      const place = columns.findIndex((column) => column.name === measure);
      const column = columns[place];
      return column ? [[aspect as Aspect, { column, value: totals?.[place] ?? null }] as const] : [];
    });
    return read.some(([, { value }]) => isSome(value)) ? [{ name, totals: new Map(read) }] : [];
  });
  return { subjects: found, notes: meta.notes };
}

function isSome(value: Value): boolean {
  return value !== null && !new Exact(String(value)).isZero();
}
