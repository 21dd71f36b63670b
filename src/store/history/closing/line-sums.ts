import type { Days } from '../../../base/calendar/index.ts';
import { type Database, dateParameter } from '../../../base/database/index.ts';
import { readLineKinds } from '../../../numbers/relation/index.ts';

/** The columns of lines that a hard closing keeps. */
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
 * Sums a hash of each line of some days that a hard closing keeps: two states with the same sum have the same lines.
 * @param database With rates.
 * @returns the number of lines and the sum, as a text.
 */
export async function sumLines(database: Database, { startDate, endDate }: Days): Promise<string> {
  const texts = KEPT_COLUMNS.map((name) => `COALESCE(CAST(${name} AS VARCHAR), '')`);
  const kept = readLineKinds().flatMap(({ name, closes }) => (closes.length > 0 ? [`pl_line_kind('${name}')`] : []));
  const [found] = await database.rows<{ sum: string }>(
    `SELECT CONCAT(COUNT(*), ':', COALESCE(SUM(CAST(md5_number_lower(concat_ws('|', ${texts.join(', ')})) AS HUGEINT)), 0)) AS sum
    FROM core.lines
    WHERE kind IN (${kept.join(', ')}) AND date BETWEEN $first AND $last`,
    { first: dateParameter(startDate), last: dateParameter(endDate) },
  );
  return found?.sum ?? '';
}
