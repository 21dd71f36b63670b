import type { Database, Value } from '../../../base/database/index.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { TermSql } from '../kinds/kind.ts';
import { termsOfNumber } from '../kinds/kinds.ts';
import { sumContributions } from '../plan/contributions.ts';
import { linkNumber } from '../plan/links.ts';
import { narrow } from '../request/change-query.ts';
import type { ChosenPart } from '../request/part.ts';
import type { NumberQuery } from '../request/query.ts';
import { plainWords } from './derivation.ts';

/** A term added or subtracted to make a number. */
export interface NumberTerm {
  readonly sign: TermSql['sign'];
  readonly label: string;
  readonly value: Value;
  readonly line_count: number;
  /** Hours of lines whose amount is unknown for want of a rate; null if the term is no amount of money. */
  readonly hours_without_rate: Value;
  /** The query for the lines of the term; null if no measure is the term alone. */
  readonly lines: string | null;
}

/**
 * Reads the terms of a number, and the sum of its facts.
 * @param contributions The clauses WITH that define its `contributions`.
 */
export async function readTerms(
  database: Database,
  number: NumberQuery,
  measure: Measure,
  contributions: string,
): Promise<{ readonly terms: readonly NumberTerm[]; readonly total: Value }> {
  const { selection } = number;
  const terms = termsOfNumber(measure, selection);
  const queryOf = (part: ChosenPart | undefined) => (part ? narrow(number, part) : number);
  const sums = terms.flatMap(({ condition, expression, isMoney, part }, index) => [
    `${sumContributions(measure, queryOf(part), { condition, expression })} AS value_${index}`,
    `COUNT(CASE WHEN ${condition} THEN 1 END) AS count_${index}`,
    `${isMoney ? `SUM(CASE WHEN (SELECT is_whole FROM sight) AND ${condition} AND ${expression} IS NULL THEN hours END)` : 'NULL'} AS unknown_${index}`,
  ]);
  const [row] = await database.rows<Record<string, Value>>(
    `${contributions}\nSELECT ${[...sums, `${sumContributions(measure, number)} AS total`].join(',\n  ')}\nFROM contributions`,
  );
  const shown = terms.map(({ sign, label, measure: alone, part }, index) => ({
    sign,
    label: plainWords(selection.catalogue, label),
    value: row?.[`value_${index}`] ?? null,
    line_count: Number(row?.[`count_${index}`] ?? 0),
    hours_without_rate: row?.[`unknown_${index}`] ?? null,
    lines: alone === undefined ? null : linkNumber(queryOf(part), alone),
  }));
  return { terms: shown, total: row?.['total'] ?? null };
}
