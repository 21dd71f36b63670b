import { fitText, type PivotField, type PivotFields } from '../../../../../packages/xlsx/index.ts';
import type { Value } from '../../../../base/database/index.ts';
import type { Column } from '../../../report/catalogue/table.ts';
import { type ExactSum, openSum } from './exact-sum.ts';

/** The columns of Data in the pivot table: its rows, its columns, its values, and those of slicers. */
const [ROW, ACROSS, AMOUNT, SLICED] = ['project', 'kind', 'hours', ['person', 'role', 'status']] as const;

export interface PivotValues extends PivotFields {
  /** Returns a sum in millionths by the texts of its row and its column; undefined for no line. */
  sum(row: string, across: string): bigint | undefined;
}

/** Collects the values of a pivot table while its lines stream. */
export interface PivotCollector {
  add(values: readonly Value[]): void;
  read(): PivotValues | undefined;
}

/** Opens the collector of a table of lines; it stays empty if a column of the pivot table is missing. */
export function openPivotValues(columns: readonly Column[]): PivotCollector {
  const placeOf = (name: string) => columns.findIndex((column) => column.name === name);
  const [row, across, amount] = [ROW, ACROSS, AMOUNT].map(placeOf) as [number, number, number];
  const places = [row, across, ...SLICED.map(placeOf).filter((place) => place >= 0)];
  const isWhole = row >= 0 && across >= 0 && amount >= 0;
  const names = places.map(openNames);
  const sums = new Map<string, Map<string, ExactSum>>();
  return {
    add(values) {
      if (!isWhole) return;
      const [first = '', second = ''] = places.map((place, i) => names[i]?.name(values[place] ?? null) ?? '');
      const hours = values[amount];
      if (typeof hours !== 'string') return;
      const cells = sums.get(first) ?? new Map<string, ExactSum>();
      const sum = cells.get(second) ?? openSum();
      sum.add(hours);
      sums.set(first, cells.set(second, sum));
    },
    read() {
      const [first, second, ...others] = names.map(({ read }, i) => fieldOf(places[i] ?? 0, read()));
      if (!first || !second || (first.items.length === 0 && !first.hasBlank)) return undefined;
      const sum = (of: string, by: string) => sums.get(of)?.get(by)?.units();
      return { row: first, across: second, sliced: others, amount, sum };
    },
  };
}

/** Opens the distinct texts of a column. A pivot table doesn't tell upper case from lower, so the first spelling counts. */
function openNames() {
  const known = new Map<string, string>();
  const folded = new Map<string, string>();
  return {
    name(value: Value): string {
      const text = value === null ? '' : fitText(String(value));
      const before = known.get(text);
      if (before !== undefined) return before;
      const lower = text.toLowerCase();
      const spelling = folded.get(lower) ?? text;
      folded.set(lower, spelling);
      known.set(text, spelling);
      return spelling;
    },
    read: () => new Set(known.values()),
  };
}

function fieldOf(place: number, known: ReadonlySet<string>): PivotField {
  return { place, items: [...known].filter((text) => text !== '').sort(), hasBlank: known.has('') };
}
