import { isObject } from '../base/index.ts';
import { parseHeaderCount, parseItems } from './page.ts';
import { idOf } from './record-id.ts';
import type { Source } from './requests/source.ts';

/** A report of the source, and the field that identifies its rows. */
export interface SourceReport {
  readonly name: 'people' | 'projects';
  readonly id: string;
}

/** The days of a month, inclusive, as YYYY-MM-DD. */
export interface Month {
  readonly start: string;
  readonly end: string;
}

export interface ScheduledRow {
  /** Null for work without a person or a project. */
  readonly id: string | null;
  readonly name: string;
  /** Scheduled hours, as a decimal number. */
  readonly hours: string;
}

/** The most pages of a report. Unit: pages. */
export const MAX_REPORT_PAGES = 1_000;

/** Numbers of JSON with more digits are noise of the source's floating point (1.2). Unit: digits. */
const SIGNIFICANT_DIGITS = 15;

/** The longest name that a comparison shows. Unit: characters. */
const MAX_NAME_CHARACTERS = 200;

/**
 * Reads the scheduled hours in a report of the source.
 * @returns the rows, or the reason why there are none, such as "the source has no such report (404)".
 * @throws AppError source if the source can't be read.
 */
export async function readScheduled(
  source: Source,
  { name, id }: SourceReport,
  month: Month,
  signal: AbortSignal,
): Promise<readonly ScheduledRow[] | string> {
  const path = `reports/${name}`;
  const parameters = { start_date: month.start, end_date: month.end };
  const first = await source.ask(path, parameters, signal);
  if (first.status === 403) return 'the token may not read it (403)';
  if (first.status !== 200) return `the source doesn't have it (${first.status})`;
  const rows: ScheduledRow[] = [];
  const seen = new Set<string>();
  const pages = parseHeaderCount(first.headers.get('x-pagination-page-count')) ?? 1;
  if (pages > MAX_REPORT_PAGES) return `it has ${pages} pages, and at most ${MAX_REPORT_PAGES} are read`;
  for (let page = 1, answer = first; ; page += 1) {
    const { json } = answer;
    const body = isObject(json) && json[name] !== undefined ? json[name] : json;
    const [before, known] = [rows.length, seen.size];
    for (const item of parseItems({ status: answer.status, json: body }, path)) {
      const row = parseRow(item, id);
      if (typeof row === 'string') return row;
      rows.push(row);
      seen.add(JSON.stringify(row));
    }
    // A source that ignores page numbers sends the same rows again.
    if (page > 1 && seen.size === known) return rows.slice(0, before);
    if (page >= pages) return rows;
    answer = await source.get(path, { ...parameters, page: String(page + 1) }, signal);
  }
}

/** Parses a row. @returns the reason if it can't be compared. */
function parseRow(item: unknown, field: string): ScheduledRow | string {
  const row = isObject(item) ? item : {};
  const { scheduled, name } = row;
  const hours = typeof scheduled === 'number' ? scheduled.toPrecision(SIGNIFICANT_DIGITS) : scheduled;
  if (typeof hours !== 'string' || !/^-?\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,2})?$/i.test(hours))
    return 'its rows have no scheduled hours';
  const id = idOf(row, { names: [field, 'id'], isText: false });
  const sent = row[field] ?? row['id'] ?? 0;
  if (id === undefined && sent !== 0 && sent !== '0') return 'its rows have invalid ids';
  return { id: id ?? null, name: typeof name === 'string' ? name.slice(0, MAX_NAME_CHARACTERS) : '', hours };
}
