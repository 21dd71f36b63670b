import { Decimal } from 'decimal.js';
import type { Database } from '../database/database.ts';
import { readCatalogues } from '../live/own-reports.ts';
import { idOf, isObject, parseItems } from '../pull/page.ts';
import type { Source } from '../pull/source.ts';
import { readQuery, runReport } from '../report/run.ts';

/** A report that the source and the database both have. */
export interface SharedReport {
  readonly name: 'people' | 'projects';
  readonly id: string;
}

/** The days of a month, inclusive, as YYYY-MM-DD. */
export interface Month {
  readonly start: string;
  readonly end: string;
}

/** The scheduled hours of a row. */
export interface RowHours {
  readonly name: string;
  readonly hours: Decimal;
}

/** Rows by id. */
export type HoursById = ReadonlyMap<string, RowHours>;

/** The id of the row of lines without a person or project. */
const NO_ID = 'none';

/** Numbers of JSON with more digits are noise of the source's floating point (1.2). Unit: digits. */
const SIGNIFICANT_DIGITS = 15;

/** The scale of hours. Unit: decimals. */
const SCALE = 4;

/** Reads the scheduled hours in a report of the database. */
export async function readOurs(
  database: Database,
  { name, id }: SharedReport,
  month: Month,
  now: Date,
): Promise<HoursById> {
  const sent = { start_date: month.start, end_date: month.end, fields: `${id},name,scheduled_hours` };
  const { context, query } = await readQuery(database, readCatalogues(), name, sent, { now });
  const { columns, rows } = await runReport(context, query);
  const [idAt, nameAt, hoursAt] = [id, 'name', 'scheduled_hours'].map((wanted) =>
    columns.findIndex((column) => column.name === wanted),
  ) as [number, number, number];
  const found = new Map<string, RowHours>();
  for await (const batch of rows) {
    for (const row of batch) {
      found.set(String(row[idAt] ?? NO_ID), {
        name: String(row[nameAt] ?? ''),
        hours: new Decimal(String(row[hoursAt] ?? 0)),
      });
    }
  }
  return found;
}

/**
 * Reads the scheduled hours in a report of the source.
 * @returns the rows, or the reason why there are none, such as "the source has no such report (404)".
 * @throws AppError source if the source can't be read.
 */
export async function readTheirs(
  source: Source,
  { name, id }: SharedReport,
  month: Month,
  signal: AbortSignal,
): Promise<HoursById | string> {
  const path = `reports/${name}`;
  const parameters = { start_date: month.start, end_date: month.end };
  const first = await source.ask(path, parameters, signal);
  if (first.status === 403) return 'the token may not read it (403)';
  if (first.status !== 200) return `the source doesn't have it (${first.status})`;
  const found = new Map<string, RowHours>();
  const pages = Number(first.headers.get('x-pagination-page-count') ?? 1);
  for (let page = 1, answer = first; ; page += 1) {
    const body = isObject(answer.json) && answer.json[name] !== undefined ? answer.json[name] : answer.json;
    for (const item of parseItems({ ...answer, json: body }, path)) {
      const row = parseRow(item, id);
      if (!row) return 'its rows have no scheduled hours';
      const before = found.get(row.id)?.hours ?? 0;
      found.set(row.id, { name: row.name, hours: row.hours.plus(before) });
    }
    if (page >= pages) return found;
    answer = await source.get(path, { ...parameters, page: String(page + 1) }, signal);
  }
}

/** Parses a row; undefined if it has no hours. */
function parseRow(item: unknown, id: string): (RowHours & { readonly id: string }) | undefined {
  const row = isObject(item) ? item : {};
  const { scheduled } = row;
  const text = typeof scheduled === 'number' ? scheduled.toPrecision(SIGNIFICANT_DIGITS) : scheduled;
  if (typeof text !== 'string' || !/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) return undefined;
  return {
    id: idOf(row, [id, 'id']) ?? NO_ID,
    name: typeof row['name'] === 'string' ? row['name'] : '',
    hours: new Decimal(text).toDecimalPlaces(SCALE),
  };
}
