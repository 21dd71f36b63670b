import { type Catalogue, parseSum } from './catalogue.ts';

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
  return [...catalogue.measures.values()].flatMap(({ name, sum }) => {
    const [term, ...more] = parseSum(sum ?? '');
    if (!term || more.length > 0 || !['hours', 'cost', 'fee'].includes(term.amount)) return [];
    const conditions = (catalogue.lines.get(term.lines) ?? '').split(' AND ').filter((text) => text !== 'is_asked');
    const criteria = conditions.map((condition) => parseCriterion(condition, cutoffDate));
    const known = criteria.flatMap((criterion) => criterion ?? []);
    return known.length < criteria.length ? [] : [{ measure: name, amount: term.amount, criteria: known }];
  });
}

function parseCriterion(condition: string, cutoffDate: string | undefined): Criterion | undefined {
  const [, kind] = /^kind = '(\w+)'$/.exec(condition) ?? [];
  if (kind) return { column: 'kind', operator: '=', value: kind };
  const [, not, flag] = /^(NOT )?is_(billable|to_date)$/.exec(condition) ?? [];
  if (flag === 'billable') return { column: 'billable', operator: '=', value: not === undefined };
  if (flag !== 'to_date' || cutoffDate === undefined) return undefined;
  return { column: 'date', operator: not ? '>' : '<=', value: cutoffDate };
}
