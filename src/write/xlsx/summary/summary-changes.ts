import type { ChangeBridge } from '../../../report/workbook/workbook.ts';
import { parseUnits } from '../package/decimal.ts';
import { columnRef } from '../package/formula.ts';
import type { WrittenTable } from '../sheets/table-sheet.ts';
import { type SummaryBridge, stepsBetween } from './bridge-steps.ts';
import { unitOf } from './summary-figures.ts';

const [THEN, NOW] = ['value_then', 'value_now'];

/** Returns the bridge from the value of a measure then to that now, cause by cause. */
export function changeBridge(change: ChangeBridge, tables: readonly WrittenTable[], currency: string): SummaryBridge {
  const { label, unit, better } = change;
  const values = [
    { column: THEN, amount: change.value_then },
    ...change.causes,
    { column: NOW, amount: change.value_now },
  ];
  const table = tables.find(({ columns }) => columns.some(({ name }) => name === THEN));
  const amounts = values.map(({ column = '', amount }) => {
    const described = table?.columns.find(({ name }) => name === column);
    return {
      label: described?.label ?? '',
      note: described?.description ?? '',
      amount: parseUnits(amount),
      formula: formulaOf(change, table, column),
    };
  });
  return {
    heading: `${label}, then and now`,
    title: `${label}, ${unitOf(unit, currency)}: from then to now`,
    unit,
    better,
    steps: stepsBetween(amounts),
  };
}

/** Returns the live sum of a column over the rows of a measure; undefined if these overlap. */
function formulaOf(
  { label, name, addsUp }: ChangeBridge,
  table: WrittenTable | undefined,
  column: string,
): string | undefined {
  if (!table || !addsUp) return undefined;
  const headerOf = (wanted: string) => table.headers[table.columns.findIndex((each) => each.name === wanted)] ?? label;
  const sums = table.parts.map(
    (part) =>
      `SUMIFS(${columnRef(part.table, headerOf(column))},${columnRef(part.table, headerOf('measure'))},"${name}")`,
  );
  return sums.join('+');
}
