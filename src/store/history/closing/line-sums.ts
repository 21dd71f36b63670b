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
    `SELECT ${sumOfHashes(`concat_ws('|', ${texts.join(', ')})`)} AS sum
    FROM core.lines
    WHERE kind IN (${kept.join(', ')}) AND date BETWEEN $first AND $last`,
    { first: dateParameter(startDate), last: dateParameter(endDate) },
  );
  return found?.sum ?? '';
}

/** The relations that decide, beside lines of work, what the days up to a last one earn and what is billed of them, with the condition on their rows. */
const DECIDING: Readonly<Record<string, string>> = {
  billing_lines: 'date BETWEEN $first AND $last',
  fee_milestones: 'date <= $last',
  fee_progress: 'date <= $last',
  places: `start_date <= $last OR ends_on <= $last OR project_id IN (SELECT project_id FROM core.ledger WHERE date <= $last)`,
  retainer_periods: 'first_date <= $last',
};

/**
 * Sums a hash of each row that decides what some days earn and what is billed of them: bills, and contracts with their progress. Two states with the same sum
 * differ in revenue by their lines alone, or by what is known later of the same contracts.
 * @returns as sumLines
 */
export async function sumTerms(database: Database, { startDate, endDate }: Days): Promise<string> {
  const rows = Object.entries(DECIDING).map(
    ([name, condition]) =>
      `SELECT '${name}' || CAST(${name} AS VARCHAR) AS text FROM core.${name} AS ${name} WHERE ${condition}`,
  );
  const [found] = await database.rows<{ sum: string }>(
    `SELECT ${sumOfHashes('text')} AS sum FROM (${rows.join('\n    UNION ALL ')}) AS deciding`,
    { first: dateParameter(startDate), last: dateParameter(endDate) },
  );
  return found?.sum ?? '';
}

/** Returns the SQL of the number of some texts and the sum of their hashes, in whatever order. */
function sumOfHashes(text: string): string {
  return `CONCAT(COUNT(*), ':', COALESCE(SUM(CAST(md5_number_lower(${text}) AS HUGEINT)), 0))`;
}
