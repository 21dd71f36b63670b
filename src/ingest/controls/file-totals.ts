import type { Database } from '../../database/database.ts';

/** The totals of what one file gave to a resource, to be compared with what the program that wrote it shows. */
export interface ControlTotals {
  readonly file: string;
  /** The file's number in the load. */
  readonly number: number;
  readonly resource: string;
  readonly records: number;
  /** Null for records whose hours are those of a day. */
  readonly hours: string | null;
  /** Null if no record says whether it is billable. */
  readonly billableHours: string | null;
  /** The cost of expenses; null for other records. */
  readonly cost: string | null;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly people: number | null;
  readonly projects: number | null;
}

/** The hours, days and people of the records that have them, as SQL. */
const TOTALS: Readonly<Record<string, string>> = {
  logged_time: `sum(hours) AS hours, CASE WHEN count(billable) > 0 THEN COALESCE(sum(hours) FILTER (billable), 0) END AS billable, NULL AS cost, min(date) AS first, max(date) AS last,
    count(DISTINCT people_id) AS people, count(DISTINCT project_id) AS projects`,
  project_expenses: `NULL AS hours, NULL AS billable, sum(cost) AS cost, min(date) AS first, max(date) AS last,
    NULL AS people, count(DISTINCT project_id) AS projects`,
  tasks: `NULL AS hours, NULL AS billable, NULL AS cost, min(start_date) AS first, max(end_date) AS last,
    NULL AS people, count(DISTINCT project_id) AS projects`,
  timeoffs: `NULL AS hours, NULL AS billable, NULL AS cost, min(start_date) AS first, max(end_date) AS last,
    NULL AS people, NULL AS projects`,
};

/** The resources that have control totals. */
export const CONTROLLED_RESOURCES: readonly string[] = Object.keys(TOTALS);

/** Reads the control totals of a resource by file, before its records lose their origin. */
export async function readControlTotals(database: Database, resource: string): Promise<ControlTotals[]> {
  return database.rows<ControlTotals>(`
    SELECT input_files.name AS file, input_files.number, '${resource}' AS resource, total.records, total.hours,
      total.billable AS "billableHours", total.cost, CAST(total.first AS VARCHAR) AS "firstDay",
      CAST(total.last AS VARCHAR) AS "lastDay", total.people, total.projects
    FROM (SELECT origin.file AS file, count(*) AS records, ${TOTALS[resource]} FROM source.${resource} GROUP BY ALL) AS total
    JOIN input_files ON input_files.number = total.file
    ORDER BY input_files.number`);
}
