import type { Value } from '../../base/database/index.ts';
import { findResource } from '../../records/resource/index.ts';
import { isAnyOf } from './filters.ts';
import type { Node, Row } from './node.ts';
import type { ServedResource } from './records.ts';
import type { Reader, Rules } from './rules/rules.ts';

/** Fields of a public holiday: its days, and its region, null for everyone (D4). */
const NAMES = ['id', 'dates', 'region'] as const;

const rules: Rules = {
  present: { names: NAMES, read: presentHolidays },
  filters: {
    id: (text) => isAnyOf('holiday_id', { type: 'id' }, text),
    region: (text) => isAnyOf('region_id', { type: 'id' }, text),
  },
  sorts: { id: 'holiday_id', region: 'region_id' },
  // The sent days are complete, so they replace those of a range.
  async complete(_transaction, { values }) {
    return values['dates'] === undefined ? values : { ...values, date: null, end_date: null };
  },
  schemas: {
    answer: {
      id: { type: 'integer' },
      dates: { type: 'array', items: { type: 'string', format: 'date' } },
      region: { type: ['integer', 'null'], description: 'Null means everybody.' },
    },
    body: { region: { type: ['integer', 'null'], description: 'Null means everybody.' } },
  },
};

export const publicHolidays: ServedResource = {
  ...findResource('holidays'),
  path: 'public_holidays',
  unshown: ['holiday_id', 'date', 'end_date', 'region_id', 'region_name'],
  required: ['name'],
  aliases: {},
  rules,
};

async function presentHolidays(reader: Reader, rows: readonly Row[]): Promise<Record<string, Node>[]> {
  const ranges = rows
    .filter((row) => row['date'])
    .map((row) => `(${row['holiday_id']}, DATE '${row['date']}', DATE '${row['end_date'] ?? row['date']}')`);
  const days = await readDays(reader, ranges);
  return rows.map((row) => {
    const own = (row['dates'] ?? []) as Value[];
    const all = [...own, ...days.filter(({ id }) => id === row['holiday_id']).map(({ day }) => day)];
    return {
      id: row['holiday_id'] as number,
      dates: [...new Set(all)].sort() as string[],
      region: (row['region_id'] ?? null) as number | null,
    };
  });
}

/**
 * Expands ranges into days.
 * @param ranges SQL of (id, first day, last day) each.
 */
async function readDays(reader: Reader, ranges: readonly string[]): Promise<{ id: number; day: string }[]> {
  if (ranges.length === 0) return [];
  return reader.rows<{ id: number; day: string }>(`
    SELECT id, CAST(unnest(generate_series(first_day, last_day, INTERVAL 1 DAY)) AS DATE) AS day
    FROM (VALUES ${ranges.join(', ')}) AS given (id, first_day, last_day) ORDER BY id, day`);
}
