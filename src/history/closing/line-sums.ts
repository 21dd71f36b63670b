import type { Days } from '../../calendar/day.ts';
import { type Database, dateParameter } from '../../database/database.ts';

/** The columns of actual and expense lines that a hard closing keeps. */
const KEPT_COLUMNS = [
  'line_id',
  'date',
  'people_id',
  'role_id',
  'project_id',
  'phase_id',
  'task_meta_id',
  'billable',
  'hours',
  'cost',
  'fee',
];

/**
 * Sums a hash of each actual and expense line of some days: two states with the same sum have the same lines.
 * @param database With rates.
 * @returns the number of lines and the sum, as a text.
 */
export async function sumLines(database: Database, { startDate, endDate }: Days): Promise<string> {
  const texts = KEPT_COLUMNS.map((name) => `COALESCE(CAST(${name} AS VARCHAR), '')`);
  const [found] = await database.rows<{ sum: string }>(
    `SELECT CONCAT(COUNT(*), ':', COALESCE(SUM(CAST(md5_number_lower(concat_ws('|', ${texts.join(', ')})) AS HUGEINT)), 0)) AS sum
    FROM core.lines
    WHERE kind <> pl_line_kind('scheduled') AND date BETWEEN $first AND $last`,
    { first: dateParameter(startDate), last: dateParameter(endDate) },
  );
  return found?.sum ?? '';
}
