import type { Database } from '../../database/database.ts';
import type { RowTally } from '../mapping/row-tally.ts';
import type { InputFile } from '../reading/files.ts';
import { compareTotal, type OwnControl } from './own-controls.ts';

/** The totals of what one file gave to a resource, to be compared with what the program that wrote it shows. */
export interface ControlTotals {
  readonly file: string;
  readonly number: number;
  readonly resource: string;
  /** The records read: those loaded, set aside, and replaced by a later one of the same id. */
  readonly read: number;
  readonly records: number;
  readonly setAside: number;
  readonly duplicates: number;
  /** The rows that are no records, by the condition that leaves them out. */
  readonly leftOut: readonly { readonly condition: string; readonly rows: number }[];
  /** Null for records whose hours are those of a day. */
  readonly hours: string | null;
  /** Null if no record says whether it is billable. */
  readonly billableHours: string | null;
  /** The sum of time entries, once the models are built; null if no rate is known. */
  readonly fees: string | null;
  /** The cost of expenses; of time entries, once the models are built. */
  readonly cost: string | null;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly people: number | null;
  readonly projects: number | null;
  /** The totals that the file has itself. */
  readonly own: readonly OwnControl[];
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

const CONTROLLED_RESOURCES: readonly string[] = Object.keys(TOTALS);

type ReadTotals = Omit<ControlTotals, 'leftOut' | 'own' | 'duplicates' | 'fees'>;

/**
 * Reads the control totals of the files of a mapping, before their records lose their origin.
 * @param tallies The rows that are no records, by the number of their file.
 */
export async function readControlTotals(
  database: Database,
  files: readonly InputFile[],
  tallies: ReadonlyMap<number, RowTally>,
): Promise<ControlTotals[]> {
  const controls: ControlTotals[] = [];
  for (const resource of CONTROLLED_RESOURCES) {
    if (!files.some((file) => file.resource === resource)) continue;
    for (const totals of await readTotals(database, resource))
      controls.push(complete(totals, tallies.get(totals.number)));
  }
  return controls;
}

function readTotals(database: Database, resource: string): Promise<ReadTotals[]> {
  return database.rows<ReadTotals>(`
    SELECT input_files.name AS file, input_files.number, '${resource}' AS resource, input_files.records AS read,
      COALESCE(total.records, 0) AS records, COALESCE(aside.records, 0) AS "setAside", total.hours,
      total.billable AS "billableHours", total.cost, CAST(total.first AS VARCHAR) AS "firstDay",
      CAST(total.last AS VARCHAR) AS "lastDay", total.people, total.projects
    FROM input_files
    LEFT JOIN (SELECT origin.file AS number, count(*) AS records, ${TOTALS[resource]} FROM source.${resource} GROUP BY ALL) AS total
      USING (number)
    LEFT JOIN (SELECT file, count(*) AS records FROM source.rejected WHERE resource = '${resource}' AND item IS NULL GROUP BY ALL) AS aside
      ON aside.file = input_files.name
    WHERE input_files.resource = '${resource}'
    ORDER BY input_files.number`);
}

function complete(totals: ReadTotals, tally: RowTally | undefined): ControlTotals {
  const duplicates = totals.read - totals.records - totals.setAside;
  const leftOut = [...(tally?.leftOut ?? [])].map(([condition, rows]) => ({ condition, rows }));
  const controls = { ...totals, duplicates, leftOut, fees: null };
  return { ...controls, own: (tally?.totals ?? []).map((own) => compareTotal(own, controls)) };
}
