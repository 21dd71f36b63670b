import type { Database } from '../database.ts';
import { LAST_DATE } from '../resource/field.ts';

/** What repeats, as the model of occurrences reads it. All that the schedule shows is there, tentative time off too. */
const REPEATING = `
  SELECT 'allocation' AS kind, task_id AS item_id, tasks.people_id, tasks.start_date, tasks.end_date, repeat_state,
    COALESCE(repeat_end_date, projects.end_date, add_months(tasks.start_date, 24)) AS repeats_to
  FROM staging.allocations AS tasks LEFT JOIN staging.projects ON projects.project_id = tasks.project_id
  UNION ALL
  SELECT 'time off', timeoff_id, NULL, time_off.start_date, time_off.end_date, repeat_state,
    COALESCE(repeat_end_date, people.end_date, add_months(time_off.start_date, 24))
  FROM staging.time_off
  LEFT JOIN (
    SELECT timeoff_id, people_id FROM staging.time_off_people
    UNION ALL
    SELECT timeoff_id, people_id FROM staging.time_off WHERE people_id IS NOT NULL
      AND timeoff_id NOT IN (SELECT timeoff_id FROM staging.time_off_people)
  ) AS concerned USING (timeoff_id)
  LEFT JOIN staging.people ON people.people_id = concerned.people_id`;

/**
 * Makes `service.repeats_between(from_, to_)`: the allocations and time off (kind, item_id) of which a repeat falls on one of some days. The
 * repeats are worked out by the text of the model itself (D2), over the records as they are now, of just those that may reach the days.
 */
export async function createRepeats(database: Pick<Database, 'run' | 'rows'>): Promise<void> {
  const [view] = await database.rows<{ sql: string }>(
    "SELECT sql FROM duckdb_views() WHERE schema_name = 'core' AND view_name = 'occurrences'",
  );
  const [, occurrences = ''] = /^CREATE VIEW core\.occurrences AS (.*?);?\s*$/s.exec(view?.sql ?? '') ?? [];
  await database.run(`CREATE OR REPLACE MACRO service.repeats_between(from_, to_) AS TABLE
    WITH repeating AS (
      SELECT kind, item_id, people_id, start_date, end_date, repeat_state, LEAST(repeats_to, to_, DATE '${LAST_DATE}') AS repeat_end_date
      FROM (${REPEATING}) AS items
      WHERE repeat_state > 0 AND start_date <= to_ AND repeats_to >= from_
    )
    SELECT kind, item_id FROM (${occurrences.replaceAll('core.items', 'repeating AS items')}) AS occurrences
    WHERE first_date <= to_ AND last_date >= from_`);
}
