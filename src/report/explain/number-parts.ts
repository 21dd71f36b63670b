import type { Database, Value } from '../../database/database.ts';
import { type Measure, parseSum } from '../catalogue/catalogue.ts';
import { dateLiteral } from '../catalogue/period.ts';
import { linkNumber } from '../plan/links.ts';
import type { NumberQuery } from '../request/query.ts';

/** The most parts of a number by one dimension; the smaller ones are one part together. Unit: parts. */
const MAX_PARTS = 50;

/** A key by which a number is divided into parts. */
export type Division = 'person' | 'month' | 'cost_rate_source' | 'bill_rate_source';

export interface NumberPart {
  readonly label: string;
  readonly value: Value;
  readonly line_count: number;
  /** The query for the lines of the part; null if no filter finds them. */
  readonly lines: string | null;
}

export type Parts = Readonly<Partial<Record<Division, readonly NumberPart[]>>>;

const DIVISIONS: Readonly<Record<Division, { readonly key: string; readonly label: string }>> = {
  person: { key: 'people_id', label: 'MAX(person)' },
  month: { key: 'pl_first_of_month(date)', label: 'NULL' },
  cost_rate_source: { key: 'cost_rate_source', label: 'NULL' },
  bill_rate_source: { key: 'bill_rate_source', label: 'NULL' },
};

interface PartRow {
  readonly division: Division;
  readonly key: string | null;
  readonly label: string | null;
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
  SELECT '${division}' AS division, CAST(${DIVISIONS[division].key} AS VARCHAR) AS key, ${DIVISIONS[division].label} AS label,
    SUM(contribution) AS value, COUNT(*) AS line_count
  FROM contributions GROUP BY ${DIVISIONS[division].key}`,
  );
  const month = "CASE WHEN division = 'month' THEN CAST(MAX(key) AS DATE) END";
  const rows = await database.rows<PartRow>(`${contributions},
parts AS (${parts.join('\n  UNION ALL')}
),
ranked AS (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY division ORDER BY ABS(value) DESC NULLS LAST, label, key) AS rank FROM parts
)
SELECT division, MAX(key) AS key, MAX(label) AS label, SUM(value) AS value, CAST(SUM(line_count) AS BIGINT) AS line_count, COUNT(*) AS part_count,
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

/** Returns the divisions that a measure has: rates only where there are amounts. */
function divisionsOf({ sum = '', effect }: Measure): Division[] {
  if (effect) return ['person'];
  const amounts = parseSum(sum).map(({ amount }) => amount);
  const has = (rate: 'cost' | 'fee', other: string) => amounts.some((amount) => amount === rate || amount === other);
  return [
    'person',
    'month',
    ...(has('cost', 'hours_without_cost_rate') ? (['cost_rate_source'] as const) : []),
    ...(has('fee', 'hours_without_bill_rate') ? (['bill_rate_source'] as const) : []),
  ];
}

function labelOf({ division, key, label, part_count }: PartRow): string {
  if (Number(part_count) > 1) return `${part_count} others`;
  if (division === 'month') return key === null ? '(no date)' : key.slice(0, 'YYYY-MM'.length);
  if (division !== 'person') return key ?? '(expense)';
  return label || (key === null ? '(no person)' : `(person ${key})`);
}

/** Returns the query for the lines of a part; only of a sum is a part of the window a part of the number. */
function linesOf(
  number: NumberQuery,
  { name, sum, budget, effect }: Measure,
  { division, key, part_count, ...row }: PartRow,
): string | null {
  if (Number(part_count) > 1 || budget || effect) return null;
  if (division === 'person') return linkNumber(number, name, { people_id: key });
  if (division !== 'month' || !sum) return null;
  return linkNumber(number, name, { period_start: row.first_day, period_end: row.last_day });
}
