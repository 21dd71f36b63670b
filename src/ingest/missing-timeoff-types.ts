import { type Database, quoteText } from '../database/database.ts';

/**
 * Adds the time off types that appear in time off only, under their last name there.
 * @param at Their times, as YYYY-MM-DD HH:MM:SS in UTC; undefined leaves these empty.
 */
export async function addTimeoffTypes(database: Database, at: string | undefined): Promise<void> {
  const moment = at === undefined ? 'NULL' : `TIMESTAMP ${quoteText(at)}`;
  await database.run(`
    INSERT INTO source.timeoff_types (timeoff_type_id, timeoff_type_name, created, modified)
    SELECT timeoff_type_id, arg_max(timeoff_type_name, timeoff_id), ${moment}, ${moment}
    FROM source.timeoffs
    WHERE timeoff_type_id IS NOT NULL AND timeoff_type_id NOT IN (SELECT timeoff_type_id FROM source.timeoff_types)
    GROUP BY timeoff_type_id
    ORDER BY timeoff_type_id`);
}
