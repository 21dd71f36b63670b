import { CAUSES } from '../catalogue/change-causes.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { Table, Unit } from '../catalogue/table.ts';
import type { Query } from '../request/query.ts';
import { isOfLines } from '../run/change-rows.ts';

/** The way of a measure's total from one state to the other, by causes. Amounts are decimals as text. */
export interface ChangeBridge extends Pick<Measure, 'name' | 'label' | 'better'> {
  readonly unit: Unit;
  readonly value_then: string;
  readonly value_now: string;
  /** The causes that change it, by the column of each. */
  readonly causes: readonly { readonly column: string; readonly amount: string }[];
  /** False if rows overlap, so that they don't add up to the total. */
  readonly addsUp: boolean;
}

const NEEDED = ['measure', 'value_then', 'value_now', ...CAUSES];

/** Returns a bridge for each measure of a comparison whose sums are known; none if its columns are left out. */
export function changeBridges({ selection, grouping }: Query, { columns, totalRows = [] }: Table): ChangeBridge[] {
  const places = new Map(columns.map(({ name }, place) => [name, place]));
  if (!selection.report.compares || NEEDED.some((name) => !places.has(name))) return [];
  const addsUp = !grouping.dimensions.some(({ overlaps }) => overlaps);
  return totalRows.flatMap((row) => {
    const textOf = (name: string) => {
      const value = row[places.get(name) ?? -1] ?? null;
      return value === null ? undefined : String(value);
    };
    const measure = selection.catalogue.measures.get(textOf('measure') ?? '');
    const [value_then, value_now] = [textOf('value_then'), textOf('value_now')];
    if (!measure || !isOfLines(measure) || value_then === undefined || value_now === undefined) return [];
    const { name, label, unit, better } = measure;
    const causes = CAUSES.map((column) => ({ column, amount: textOf(column) ?? '0' }));
    const changing = causes.filter(({ amount }) => Number(amount) !== 0);
    return [{ name, label, unit, ...(better && { better }), value_then, value_now, causes: changing, addsUp }];
  });
}
