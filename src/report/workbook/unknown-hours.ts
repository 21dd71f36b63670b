import type { Value } from '../../database/database.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { termsOf } from '../catalogue/measure-formula.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { operandsOf } from '../catalogue/measure-meaning.ts';
import type { Query } from '../request/query.ts';

/** Hours that a measure leaves out because a rate is missing; undefined if there are none. */
export interface UnknownHours {
  readonly withoutCostRate?: string;
  readonly withoutBillRate?: string;
}

/**
 * Returns the actual hours that each measure of actual amounts leaves out (R5).
 * @param values The totals of the window by measure.
 */
export function unknownHours(
  { selection: { catalogue }, grouping: { measures } }: Query,
  values: ReadonlyMap<string, Value>,
): Record<string, UnknownHours> {
  const hoursOf = (name: string) => {
    const text = String(values.get(name) ?? '');
    return /[1-9]/.test(text) ? text : undefined;
  };
  const [cost, fee] = [hoursOf('actual_hours_without_cost_rate'), hoursOf('actual_hours_without_bill_rate')];
  const entries = measures.flatMap((measure): [string, UnknownHours][] => {
    const amounts = actualAmounts(catalogue, measure);
    const found = {
      ...(cost && amounts.includes('cost') && { withoutCostRate: cost }),
      ...(fee && amounts.includes('fee') && { withoutBillRate: fee }),
    };
    return Object.keys(found).length > 0 ? [[measure.name, found]] : [];
  });
  return Object.fromEntries(entries);
}

/** Returns the amounts of actual lines that a measure is made of. */
function actualAmounts(catalogue: Catalogue, measure: Measure): string[] {
  const own = termsOf(measure)
    .filter(({ lines }) => lines.startsWith('actual'))
    .map(({ amount }) => amount);
  const parts = operandsOf(measure).flatMap((name) => catalogue.measures.get(name) ?? []);
  return [...own, ...parts.flatMap((part) => actualAmounts(catalogue, part))];
}
