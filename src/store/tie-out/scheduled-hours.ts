import type { Database } from '../../base/database/index.ts';
import { Exact, type ExactDecimal } from '../../base/index.ts';
import type { Month, ScheduledRow, SourceReport } from '../../pull/index.ts';
import { askData } from '../ask/open-data.ts';

export interface RowHours {
  readonly name: string;
  readonly hours: ExactDecimal;
}

export type HoursById = ReadonlyMap<string, RowHours>;

/** The id of the row of lines without a person or project. */
const NO_ID = 'none';

/** The decimals of hours. Unit: digits. */
const HOURS_DECIMALS = 6;

export async function readOurs(
  database: Database,
  { name, id }: SourceReport,
  month: Month,
  now: Date,
): Promise<HoursById> {
  const sent = { start_date: month.start, end_date: month.end, fields: `${id},name,scheduled_hours` };
  return askData({ database, now }, async ({ table }) => {
    const { columns, rows } = await table(name, sent);
    const [idAt, nameAt, hoursAt] = [id, 'name', 'scheduled_hours'].map((wanted) =>
      columns.findIndex((column) => column.name === wanted),
    ) as [number, number, number];
    const found = new Map<string, RowHours>();
    for await (const batch of rows) {
      for (const row of batch) {
        found.set(String(row[idAt] ?? NO_ID), {
          name: String(row[nameAt] ?? ''),
          hours: new Exact(String(row[hoursAt] ?? 0)),
        });
      }
    }
    return found;
  });
}

export function sumRows(rows: readonly ScheduledRow[]): HoursById {
  const found = new Map<string, RowHours>();
  for (const { id, name, hours } of rows) {
    const key = id ?? NO_ID;
    found.set(key, {
      name,
      hours: new Exact(hours).toDecimalPlaces(HOURS_DECIMALS).plus(found.get(key)?.hours ?? 0),
    });
  }
  return found;
}
