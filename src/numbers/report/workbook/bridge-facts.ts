import { formatSum } from '../../../base/index.ts';
import { namePlanOf } from '../catalogue/baseline.ts';
import { type Bridge, measuresOfBridge, stepsOf } from '../catalogue/bridges.ts';
import { listCauses } from '../catalogue/change-causes.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { isOfLines } from '../catalogue/measure-meaning.ts';
import type { Column, Table, Unit } from '../catalogue/table.ts';
import type { Query } from '../request/query.ts';
import { sumUnits } from '../run/row-ties.ts';
import type { KeptTable } from './kept-rows.ts';
import type { PlannedSheet } from './plan-book.ts';

/** The way from one amount to another: the first, the steps in between, and the last. */
export interface BridgeFacts {
  readonly heading: string;
  /** The title of its chart, without the mark of a cut axis. */
  readonly title: string;
  readonly unit: Unit;
  readonly better: Column['better'];
  /** The key of the sheet whose rows add up to the amounts. */
  readonly sheet: string;
  /** The column and the value by which rows of the sheet belong to it; undefined for all. */
  readonly by: { readonly column: string; readonly value: string } | undefined;
  /** False if rows overlap, so that they don't add up. */
  readonly addsUp: boolean;
  /** Empty if one of the amounts is unknown. */
  readonly steps: readonly BridgeAmount[];
}

export interface BridgeAmount {
  readonly column: string;
  readonly label: string;
  readonly note: string;
  readonly amount: string;
  /** The part of it that rows have which the sheet leaves out, if any. */
  readonly rest?: string;
}

/** Returns the bridge from the plan to date to the actual amount. @param table The table of its sheet. */
export function effectBridge({ name, query, definition }: PlannedSheet, table: Table, currency: string): BridgeFacts {
  const { catalogue } = query.selection;
  const { title, subjects, steps } = catalogue.workbook.bridge;
  const [first] = query.grouping.measures;
  const bridge =
    (Object.keys(subjects) as Bridge[]).find((each) => measuresOfBridge(each)[0] === first?.name) ?? 'profit';
  const keys = ['scheduled_to_date', ...stepsOf(bridge), 'actual'] as const;
  const amounts = keys.flatMap((key, place): (Omit<BridgeAmount, 'amount'> & { amount: string | null })[] => {
    const { label, note, profit_note } = steps[key];
    const column = measuresOfBridge(bridge)[place] ?? '';
    const further = bridge === 'profit' && profit_note ? [profit_note] : [];
    const shown = place === 0 ? namePlanOf(query.selection, label) : label;
    return [{ column, label: shown, note: [note, ...further].join(' '), amount: totalOf(table, column) }];
  });
  const isKnown = amounts.every((step): step is BridgeAmount => step.amount !== null);
  return {
    heading: name,
    title: title
      .replace('{subject}', subjects[bridge])
      .replace('{currency}', currency)
      .replace('{plan}', namePlanOf(query.selection, 'the plan')),
    unit: 'money',
    better: catalogue.measures.get(measuresOfBridge(bridge)[1] ?? '')?.better,
    sheet: definition.name,
    by: undefined,
    addsUp: true,
    steps: isKnown ? amounts : [],
  };
}

function totalOf({ columns, totals }: Table, name: string): string | null {
  const value = totals?.[columns.findIndex((column) => column.name === name)] ?? null;
  return value === null ? null : String(value);
}

const [THEN, NOW] = ['value_then', 'value_now'];

/**
 * Returns a bridge for each measure of a comparison whose sums are known; none if its columns are left out.
 * Measures without a difference are left out like the rows.
 */
export function changeBridges(
  { selection, grouping, compared }: Query,
  own: KeptTable,
  currency: string,
): BridgeFacts[] {
  const { columns, totalRows = [] } = own.table;
  const needed = ['measure', THEN, NOW, ...listCauses()];
  const places = new Map(columns.map(({ name }, place) => [name, place]));
  if (!selection.report.compares || needed.some((name) => !places.has(name ?? ''))) return [];
  const addsUp = !grouping.dimensions.some(({ overlaps }) => overlaps);
  return totalRows.flatMap((row) => {
    const stepOf = (column: string) => {
      const [place = -1] = [places.get(column)];
      const { label = '', description: note = '' } = columns[place] ?? {};
      const value = row[place] ?? null;
      return { column, label, note, amount: value === null ? null : String(value) };
    };
    const measure = selection.catalogue.measures.get(stepOf('measure').amount ?? '');
    const ends = [THEN, NOW].map((name = '') => stepOf(name));
    if (!measure || !isOfLines(measure) || ends.some(({ amount }) => amount === null)) return [];
    const left = ends.map((end) => ({ ...end, ...restOf(own, measure, end as BridgeAmount) }));
    const changing = listCauses()
      .map(stepOf)
      .filter(({ amount }) => Number(amount) !== 0);
    const isSame = changing.length === 0 && ends[0]?.amount === ends[1]?.amount;
    if (isSame && compared?.isOnlyChanged) return [];
    return [
      bridgeOfChange(measure, [...left.slice(0, 1), ...changing, ...left.slice(1)] as BridgeAmount[], addsUp, currency),
    ];
  });
}

/** Returns what an amount has beyond the rows of a measure: rows without a difference are left out. */
function restOf({ table, rows }: KeptTable, { name }: Measure, { column, amount }: BridgeAmount): { rest?: string } {
  const [measure, value] = ['measure', column].map((each) => table.columns.findIndex((other) => other.name === each));
  const own = rows.filter((row) => row[measure ?? -1] === name);
  const rest = own.reduce((left, row) => left - sumUnits(row[value ?? -1] ?? null), sumUnits(amount));
  return rest === 0n ? {} : { rest: formatSum(rest) };
}

function bridgeOfChange(
  { name, label, unit, better }: Measure,
  steps: readonly BridgeAmount[],
  addsUp: boolean,
  currency: string,
): BridgeFacts {
  const words = { money: currency, rate: `${currency} an hour`, percent: '%' }[String(unit)] ?? unit;
  const title = `${label}, ${words}: from then to now`;
  return { heading: label, title, unit, better, sheet: 'own', by: { column: 'measure', value: name }, addsUp, steps };
}
