import { address, linkToLines } from '../data/address.ts';
import { BEFORE, type Row, textOf } from '../data/answer.ts';
import type { Column } from '../data/catalogue.ts';
import { COMPARISONS } from '../data/compared.ts';
import { judgeIn } from '../data/judgment.ts';
import {
  formatDecimal,
  formatRead,
  JUDGMENTS,
  percentOf,
  roundWhole,
  subtractDecimals,
  toFloat,
} from '../data/numbers.ts';

/** A column, as far as its numbers change. */
type ChangedColumn = Pick<Column, 'name' | 'unit' | 'better' | 'unjudged'>;

/** A change from the compared window. */
interface Told {
  /** The exact difference. */
  readonly difference: string;
  /** The difference, and its percentage of what was before. */
  readonly text: string;
  /** F for a favorable one, U for an unfavorable one; none where the measure has no direction. */
  readonly letter: 'F' | 'U' | undefined;
  /** The number before, in words. */
  readonly title: string;
  /** The link to the lines of the number before. */
  readonly href: string | undefined;
}

/**
 * Returns the change of a number from the compared window; undefined where one of both is unknown, or nothing is compared.
 * @param whole The row of its project, for a part of it.
 */
export function changeOf(row: Row | null | undefined, column: ChangedColumn, whole?: Row): Told | undefined {
  const earlier = row?.[BEFORE];
  const [now, before] = [textOf(row, column.name), textOf(earlier, column.name)];
  if (!row || !earlier || now === null || before === null) return undefined;
  const difference = subtractDecimals(now, before);
  const isShare = column.unit === 'percent';
  const percent = isShare || column.name.startsWith('variance') ? undefined : percentOf(difference, before);
  const amount = formatRead(difference, column.unit, true);
  const lines = textOf(earlier, '_lines');
  return {
    difference,
    text:
      column.unit === 'percent' ? `${amount} pts` : percent ? `${amount} (${formatDecimal(percent, true)} %)` : amount,
    letter: judgeIn({ ...row, [column.name]: difference }, column, whole).letter,
    title: `Before: ${formatRead(before, column.unit)}`,
    href: lines === null ? undefined : linkToLines(lines, column.name),
  };
}

/** The number before of a measure, for a chart: its place, and its words. */
export interface Before {
  readonly value: number;
  readonly words: string;
}

/** Returns the number before of a measure; undefined where it is unknown, or nothing is compared. @param unit As it is shown. */
export function beforeOf(row: Row, measure: string, unit: string): Before | undefined {
  const text = textOf(row[BEFORE], measure);
  return text === null
    ? undefined
    : { value: toFloat(text), words: `${wordsOfBefore()}: ${formatDecimal(text)} ${unit}` };
}

/** Returns the name of the compared window. */
export function wordsOfBefore(): string {
  return COMPARISONS[address.value.get('compare') ?? ''] ?? '';
}

/** Returns whether rows have counterparts in the compared window. */
export function areCompared(rows: readonly (Row | null | undefined)[]): boolean {
  return rows.some((row) => row?.[BEFORE] !== undefined);
}

/** The change of a number from the compared window, which opens the lines of the number before. Nothing where nothing is compared. @param isWhole True for a whole percentage. */
export function Change(props: { row: Row; column: Column; whole?: Row | undefined; isWhole?: boolean }) {
  const { row, column, whole, isWhole = false } = props;
  const told = changeOf(row, column, whole);
  // The cells of a new row don't say it again.
  const isNew = row[BEFORE] === null && textOf(row, column.name) !== null && !isWhole;
  if (!told) return isNew ? <span class="change">new</span> : null;
  const { difference, title, href } = told;
  const points = roundWhole(difference);
  const text = isWhole ? `${formatDecimal(points, true)} pts` : told.text;
  const letter = isWhole && points === '0' ? undefined : told.letter;
  return (
    <a class="change" {...(href === undefined ? {} : { href })} title={title}>
      {text}
      {letter && <abbr title={JUDGMENTS[letter]}>{letter}</abbr>}
    </a>
  );
}
