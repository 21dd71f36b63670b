import type { Database, Value } from '../../../base/database/index.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { type Division, divisionsOf, hasOwnRates } from '../catalogue/measure-meaning.ts';
import { dateLiteral } from '../catalogue/period.ts';
import { isOfDays, isOfLives } from '../kinds/kinds.ts';
import { DIVISION_KEYS } from '../plan/contributions.ts';
import { linkNumber } from '../plan/links.ts';
import { narrow } from '../request/change-query.ts';
import type { NumberQuery } from '../request/query.ts';
import { spellName } from '../run/unknown-ids.ts';

/** The most parts of a number by one dimension; the smaller ones are one part together. Unit: parts. */
const MAX_PARTS = 50;

export interface NumberPart {
  readonly label: string;
  readonly value: Value;
  readonly line_count: number;
  /** The query for the lines of the part; null for several parts together. */
  readonly lines: string | null;
}

export type Parts = Readonly<Partial<Record<Division, readonly NumberPart[]>>>;

interface PartRow {
  readonly division: Division;
  readonly key: string | null;
  readonly label: string | null;
  /** The kinds of the lines of a part without a key. */
  readonly kinds: string | null;
  readonly value: Value;
  readonly line_count: number;
  readonly part_count: number;
  readonly first_day: string | null;
  readonly last_day: string | null;
}

/**
 * Reads the parts of a number by each of its divisions: months in order, others by size.
 * @param contributions The clauses WITH that define its `contributions`.
 */
export async function readParts(
  database: Database,
  number: NumberQuery,
  measure: Measure,
  contributions: string,
): Promise<Parts> {
  const divisions = divisionsOf(measure);
  const [start, end] = [dateLiteral(number.row.startDate), dateLiteral(number.row.endDate)];
  const parts = divisions.map(
    (division) => `
  SELECT '${division}' AS division, CAST(${DIVISION_KEYS[division]} AS VARCHAR) AS key, ${division === 'person' ? 'MAX(person)' : 'NULL'} AS label,
    ${division.endsWith('source') ? `string_agg(DISTINCT CASE WHEN ${DIVISION_KEYS[division]} IS NULL THEN CAST(kind AS VARCHAR) END, ' or ')` : 'NULL'} AS kinds,
    SUM(contribution) AS value, COUNT(*) AS line_count
  FROM contributions GROUP BY ${DIVISION_KEYS[division]}`,
  );
  const month = "CASE WHEN division = 'month' THEN CAST(MAX(key) AS DATE) END";
  const rows = await database.rows<PartRow>(`${contributions},
parts AS (${parts.join('\n  UNION ALL')}
),
ranked AS (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY division ORDER BY ABS(value) DESC NULLS LAST, label, key) AS rank FROM parts
)
SELECT division, MAX(key) AS key, MAX(label) AS label, MAX(kinds) AS kinds, SUM(value) AS value, CAST(SUM(line_count) AS BIGINT) AS line_count, COUNT(*) AS part_count,
  GREATEST(${month}, ${start}) AS first_day, LEAST(pl_add_days(pl_add_months(${month}, 1), -1), ${end}) AS last_day
FROM ranked
GROUP BY division, LEAST(rank, ${MAX_PARTS + 1})
ORDER BY division, CASE WHEN division = 'month' AND COUNT(*) = 1 THEN MAX(key) END, MIN(rank)`);
  const partsOf = (division: Division) =>
    rows
      .filter((row) => row.division === division)
      .map((row) => ({
        label: labelOf(row),
        value: row.value,
        line_count: Number(row.line_count),
        lines: linesOf(number, measure, row),
      }));
  return Object.fromEntries(divisions.map((division) => [division, partsOf(division)]));
}

function labelOf({ division, key, label, kinds, part_count }: PartRow): string {
  if (Number(part_count) > 1) return `${part_count} others`;
  if (division === 'month') return key === null ? '(no date)' : key.slice(0, 'YYYY-MM'.length);
  if (division !== 'person') return key ?? `(${kinds})`;
  return key === null ? label || '(no person)' : spellName('person', label, key);
}

/** Returns the query for the lines of a part: by a filter of reports where one chooses the same lines, else by the part. */
function linesOf(number: NumberQuery, measure: Measure, { division, key, part_count, ...row }: PartRow): string | null {
  if (Number(part_count) > 1) return null;
  // A filter of people would change the rates of an effect.
  if (division === 'person' && !isOfLives(measure) && !hasOwnRates(measure))
    return linkNumber(number, measure.name, { people_id: key });
  // Only of a sum is a part of the window a part of the number.
  if (division === 'month' && isOfDays(measure))
    return linkNumber(number, measure.name, { period_start: row.first_day, period_end: row.last_day });
  return linkNumber(narrow(number, { by: division, key }), measure.name);
}
