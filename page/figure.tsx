import { linkToLines } from './address.ts';
import { type Row, textOf } from './api.ts';
import type { Column } from './catalogue.ts';
import { decimalsOf, formatDecimal, judge } from './numbers.ts';

const JUDGMENTS = { F: 'favorable', A: 'adverse' };

/**
 * A number that opens the lines behind it.
 * @param decimals The most decimals in its column, by which shorter numbers move left.
 */
export function Figure({ row, column, decimals = 0 }: { row: Row; column: Column; decimals?: number }) {
  const text = textOf(row, column.name);
  const lines = textOf(row, '_lines');
  const isVariance = column.name.startsWith('variance');
  const judged = text !== null && isVariance ? judge(text, column.better) : undefined;
  const missing = text === null ? 0 : decimals - decimalsOf(text);
  const shown = text === null ? '–' : formatDecimal(text, isVariance);
  const content = (
    <>
      {shown}
      {judged && <abbr title={JUDGMENTS[judged]}>{judged}</abbr>}
    </>
  );
  const style = missing > 0 ? `figure pad-${missing}${decimals === missing ? ' whole' : ''}` : 'figure';
  if (lines === null) return <span class={style}>{content}</span>;
  return (
    <a class={style} href={linkToLines(lines, column.name)} aria-label={text === null ? 'unknown' : undefined}>
      {content}
    </a>
  );
}

export function mostDecimals(rows: readonly Row[], column: string): number {
  return Math.max(0, ...rows.map((row) => decimalsOf(textOf(row, column) ?? '')));
}
