import { linkToLines } from '../data/address.ts';
import { type Row, textOf } from '../data/answer.ts';
import { type Catalogue, columnsOf } from '../data/catalogue.ts';
import { formatRead } from '../data/numbers.ts';

/** Returns the measures of hours without a rate, which amounts of a subject leave out, as far as a report has them. */
export function unpricedOf(catalogue: Catalogue, by: string): readonly string[] {
  const rate = { cost: 'cost', revenue: 'bill' }[by];
  const names = ['scheduled', 'actual'].map((kind) => `${kind}_hours_without_${rate}_rate`);
  return columnsOf(catalogue, 'pivot', names).map(({ name }) => name);
}

/** A badge beside an amount of a row with hours without a rate: it says how many, and opens them. */
export function Unpriced({ row, column }: { row: Row; column: string }) {
  const [, kind, amount] = /^(actual|scheduled)_(cost|fees|revenue)$/.exec(column) ?? [];
  const rate = amount === 'cost' ? 'cost' : 'bill';
  const measure = `${kind}_hours_without_${rate}_rate`;
  const [hours, lines] = [textOf(row, measure), textOf(row, '_lines')];
  if (kind === undefined || hours === null || lines === null || !/[1-9]/.test(hours)) return null;
  const title = `${formatRead(hours, 'hours')} hours have no ${rate} rate: what they ${rate === 'cost' ? 'cost' : 'are worth'} isn't known`;
  return (
    <a class="unpriced" href={linkToLines(lines, measure)} title={title}>
      {formatRead(hours, 'hours')} h unpriced
    </a>
  );
}
