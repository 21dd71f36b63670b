import type { Catalogue, LineSet } from './catalogue.ts';
import { termsOf } from './measure-meaning.ts';

/** The kind of a baseline's lines where lines are listed. */
export const BASELINE_KIND = 'baseline';

/** Words for each property of lines that is true or false. */
const WORDS: Readonly<Record<Exclude<keyof LineSet, 'kind' | 'plan' | 'status'>, readonly [yes: string, no: string]>> =
  {
    is_asked: ['requested status', 'other status'],
    is_billable: ['billable', 'not billable'],
    is_to_date: ['date up to the cutoff', 'date after the cutoff'],
    is_future: ['date after today', 'date up to today'],
    is_baseline: ['plan of the baseline', 'plan of the reported state'],
  };

/** Returns what the lines of a set have in common; the plan of a set is a property of its lines only beside a baseline. */
function propertiesOf({ plan: _, ...properties }: LineSet): [string, string | boolean][] {
  return Object.entries(properties);
}

/** Returns the SQL condition of a set of lines, over the columns of a report's cells. */
export function conditionOf(set: LineSet): string {
  return propertiesOf(set)
    .map(([property, value]) => formatProperty(property, value))
    .join(' AND ');
}

/** Describes a set of lines, such as "kind = 'scheduled', requested status, billable". */
export function describeLineSet(set: LineSet | undefined): string {
  return (set ? propertiesOf(set) : [])
    .map(([property, value]) => findWords(property)?.[value === true ? 0 : 1] ?? formatProperty(property, value))
    .join(', ');
}

function findWords(property: string): readonly [string, string] | undefined {
  return Object.entries(WORDS).find(([name]) => name === property)?.[1];
}

function formatProperty(property: string, value: string | boolean): string {
  if (typeof value === 'string') return `${property} = '${value}'`;
  return value ? property : `NOT ${property}`;
}

export interface Criterion {
  readonly column: string;
  readonly operator: '=' | '<=' | '>';
  readonly value: string | boolean;
}

/** A measure as the sum over the lines that meet all criteria. */
export interface LineSum {
  readonly measure: string;
  readonly amount: string;
  readonly criteria: readonly Criterion[];
}

/** Returns the measures that are a single sum over lines told apart by the data's own columns. */
export function lineSumsOf(catalogue: Catalogue, cutoffDate: string | undefined): LineSum[] {
  return [...catalogue.measures.values()].flatMap((measure) => {
    const [term, ...more] = termsOf(measure);
    if (!term || more.length > 0 || !['hours', 'cost', 'fee'].includes(term.amount)) return [];
    const { is_baseline, is_asked: _, ...set } = catalogue.lines.get(term.lines) ?? { kind: '' };
    const properties = propertiesOf(is_baseline ? { ...set, kind: BASELINE_KIND } : set);
    const criteria = properties.map(([property, value]) => criterionOf(property, value, cutoffDate));
    const known = criteria.flatMap((criterion) => criterion ?? []);
    return known.length < criteria.length ? [] : [{ measure: measure.name, amount: term.amount, criteria: known }];
  });
}

/** Returns the criterion on the data's own columns for a property of lines; undefined if there is none. */
function criterionOf(property: string, value: string | boolean, cutoffDate: string | undefined): Criterion | undefined {
  if (property === 'kind') return { column: 'kind', operator: '=', value };
  if (property === 'is_billable') return { column: 'billable', operator: '=', value };
  if (property !== 'is_to_date' || cutoffDate === undefined) return undefined;
  return { column: 'date', operator: value ? '<=' : '>', value: cutoffDate };
}
