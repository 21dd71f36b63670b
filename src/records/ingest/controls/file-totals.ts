import { type Database, quoteText } from '../../../base/database/index.ts';
import type { RowTally } from '../mapping/row-tally.ts';
import type { DescribedTotals } from '../merging/described-totals.ts';
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
  /** The hours that S2 makes billable; null before the views of the records are built, which know their projects. */
  readonly billableHours: string | null;
  /** The sum of time entries, once the models are built; null if no rate is known. */
  readonly fees: string | null;
  /** The cost of expenses; of time entries, once the models are built. */
  readonly cost: string | null;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly people: number | null;
  readonly projects: number | null;
  /** The rates and amounts of a file whose rows only describe records, added up; absent for others. */
  readonly sums?: readonly ControlSum[];
  /** The totals that the file has itself. */
  readonly own: readonly OwnControl[];
}

/** The sum of a column of rates or amounts over all rows that were read, and over those whose record doesn't exist. */
export interface ControlSum {
  readonly field: string;
  readonly total: string;
  readonly setAside: string;
}

/** The hours, days and people of the records that have them, as SQL. */
const TOTALS: Readonly<Record<string, string>> = {
  logged_time: `sum(hours) AS hours, NULL AS cost, min(date) AS first, max(date) AS last,
    count(DISTINCT people_id) AS people, count(DISTINCT project_id) AS projects`,
  project_expenses: `NULL AS hours, sum(cost) AS cost, min(date) AS first, max(date) AS last,
    NULL AS people, count(DISTINCT project_id) AS projects`,
  tasks: `NULL AS hours, NULL AS cost, min(start_date) AS first, max(end_date) AS last,
    NULL AS people, count(DISTINCT project_id) AS projects`,
  timeoffs: `NULL AS hours, NULL AS cost, min(start_date) AS first, max(end_date) AS last,
    NULL AS people, NULL AS projects`,
};

/** The files that are read, with the rows that are no records, and the totals of rows that only describe records, by file number. */
interface ReadFiles {
  readonly database: Database;
  readonly files: readonly InputFile[];
  readonly tallies: ReadonlyMap<number, RowTally>;
  readonly described: ReadonlyMap<number, DescribedTotals>;
}

const CONTROLLED_RESOURCES: readonly string[] = Object.keys(TOTALS);

type ReadTotals = Omit<ControlTotals, 'leftOut' | 'own' | 'duplicates' | 'fees' | 'billableHours'>;

/** Reads the control totals of the files of a mapping, before their records lose their origin. */
export async function readControlTotals({ database, files, tallies, described }: ReadFiles): Promise<ControlTotals[]> {
  const controls: ControlTotals[] = [];
  for (const resource of CONTROLLED_RESOURCES) {
    if (!files.some((file) => file.resource === resource)) continue;
    for (const totals of await readTotals(database, resource))
      controls.push(complete(totals, tallies.get(totals.number)));
  }
  for (const file of files) {
    const totals = described.get(file.number);
    // Rows that are records of another resource, too, are counted there.
    if (totals && !file.mapping?.isDerived)
      controls.push(await readDescribed(database, file, totals, tallies.get(file.number)));
  }
  return controls;
}

/** Returns the control totals of a file whose rows only describe records, such as rates of people. */
async function readDescribed(
  database: Database,
  { name, number, resource, mapping }: InputFile,
  { rows, unknown, subjects, sums }: DescribedTotals,
  tally: RowTally | undefined,
): Promise<ControlTotals> {
  const list = mapping?.list;
  const isOurs = list === undefined ? 'item IS NULL' : `starts_with(item, ${quoteText(`${list}[`)})`;
  const [aside] = await database.rows<{ records: number }>(`
    SELECT count(*) AS records FROM source.rejected
    WHERE file = ${quoteText(name)} AND resource = ${quoteText(resource)} AND ${isOurs}`);
  // Rows of a list that describe no record are set aside as records.
  const setAside = (aside?.records ?? 0) + (list === undefined ? 0 : unknown);
  const totals = {
    file: name,
    number,
    resource: list ?? resource,
    read: rows,
    records: rows - setAside,
    setAside,
    hours: null,
    cost: null,
    firstDay: null,
    lastDay: null,
    people: resource === 'people' ? subjects : null,
    projects: resource === 'projects' ? subjects : null,
  };
  const told = sums.map(({ field, total, unknown: lost }) => ({ field, total, setAside: lost }));
  return { ...complete(totals, tally), sums: told };
}

function readTotals(database: Database, resource: string): Promise<ReadTotals[]> {
  return database.rows<ReadTotals>(`
    SELECT input_files.name AS file, input_files.number, '${resource}' AS resource, input_files.records AS read,
      COALESCE(total.records, 0) AS records, COALESCE(aside.records, 0) AS "setAside", total.hours,
      total.cost, CAST(total.first AS VARCHAR) AS "firstDay",
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
  const controls = { ...totals, duplicates, leftOut, fees: null, billableHours: null };
  return { ...controls, own: (tally?.totals ?? []).map((own) => compareTotal(own, controls)) };
}
