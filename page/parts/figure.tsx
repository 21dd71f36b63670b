import { linkToLines } from '../data/address.ts';
import { type Row, textOf } from '../data/answer.ts';
import type { Column } from '../data/catalogue.ts';
import { judgeIn } from '../data/judgment.ts';
import { decimalsOf, formatDecimal, formatRead, JUDGMENTS, roundWhole } from '../data/numbers.ts';
import { Change } from './change.tsx';

interface FigureProps {
  readonly row: Row;
  readonly column: Column;
  /** The most decimals in its column, by which shorter numbers move left. */
  readonly decimals?: number | undefined;
  /** True to show a whole number; what it opens has the exact one. */
  readonly isWhole?: boolean;
  /** True for a figure that stands alone, whose decimals are small. */
  readonly isLarge?: boolean;
  /** True in a sentence, whose words judge it: its change stands elsewhere, and hours have two decimals. */
  readonly isPlain?: boolean;
  /** The row of its project, for a part of it. */
  readonly whole?: Row | undefined;
  /** The link that it opens. Default: the lines behind it. */
  readonly href?: string | undefined;
}

/** A number that opens the lines behind it, with its change from the compared window. */
export function Figure(props: FigureProps) {
  const { row, column, decimals = 0, isWhole = false, isLarge = false, isPlain = false, whole, href } = props;
  const text = textOf(row, column.name);
  const lines = textOf(row, '_lines');
  const isVariance = column.name.startsWith('variance');
  const judged = isVariance && !isPlain ? judgeIn(row, column, whole).letter : undefined;
  const missing = text === null || isWhole ? 0 : decimals - decimalsOf(text);
  const shown =
    text === null
      ? '–'
      : isPlain
        ? formatRead(text, column.unit, isVariance)
        : formatDecimal(isWhole ? roundWhole(text) : text, isVariance);
  const content = (
    <>
      {isLarge && column.unit !== 'percent' ? <Parts of={shown} /> : shown}
      {judged && <abbr title={JUDGMENTS[judged]}>{judged}</abbr>}
    </>
  );
  const style = missing > 0 ? `figure pad-${missing}${decimals === missing ? ' whole' : ''}` : 'figure';
  const opened = href ?? (lines === null ? undefined : linkToLines(lines, column.name));
  return (
    <>
      {opened === undefined ? (
        <span class={style}>{content}</span>
      ) : (
        <a class={style} href={opened} aria-label={text === null ? 'unknown' : undefined}>
          {content}
        </a>
      )}
      {!isPlain && <Change row={row} column={column} whole={whole} isWhole={isWhole} />}
    </>
  );
}

/** A number whose decimals are smaller than its whole part. */
function Parts({ of: text }: { of: string }) {
  const point = text.indexOf('.');
  if (point < 0) return <>{text}</>;
  return (
    <>
      {text.slice(0, point)}
      <span class="cents">{text.slice(point)}</span>
    </>
  );
}

export function mostDecimals(rows: readonly Row[], column: string): number {
  return Math.max(0, ...rows.map((row) => decimalsOf(textOf(row, column) ?? '')));
}

/** The unit in a header. */
export function Unit({ of }: { of: string }) {
  return of === '' ? null : <span class="unit">{of}</span>;
}
