import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type KeptCompany, makeKeptCompany } from './kept-company.ts';

type Records = Readonly<Record<string, readonly object[]>>;

/** Rows of a pivot as their measures, the totals as the last, and its notes. */
interface BookedRows {
  readonly rows: readonly unknown[][];
  readonly notes: readonly string[];
}

/** A company whose records are replaced as a whole, and read by what is booked. */
export interface BookedCompany extends KeptCompany {
  replace(now: string, records: Records): Promise<void>;
  /** Reads measures of the pivot, and keys of its rows. @param asked Further parameters of the command. */
  read(now: string, columns: string, ...asked: string[]): Promise<BookedRows>;
}

/** Returns logged time of project 1, whose hour is 100.00 and costs 50.00. */
export const logged = (date: string, hours: number, more: object = {}) => ({
  ...{ logged_time_id: date, project_id: 1, people_id: 1, date, hours },
  ...more,
});

/** The columns that name rows. */
const KEYS = ['project_id', 'day', 'month'];

const RECORDS: Records = {
  people: [{ people_id: 1, name: 'Ada', cost_rate: 50 }],
  projects: [{ project_id: 1, name: 'Bridge', default_hourly_rate: 100, start_date: '2026-01-01' }],
};

export function makeBookedCompany(): BookedCompany {
  const company = makeKeptCompany();
  const data = join(company.folder, 'data');
  mkdirSync(data);
  return {
    ...company,
    async replace(now, records) {
      for (const [name, rows] of Object.entries({ ...RECORDS, ...records }))
        writeFileSync(join(data, `${name}.json`), JSON.stringify(rows));
      const { code, stderr } = await company.run(now, 'load', data, '--accept-shrink');
      expect(code, stderr).toBe(0);
    },
    async read(now, columns, ...asked) {
      const names = columns.split(',');
      const measures = names.filter((name) => !KEYS.includes(name)).join(',');
      const { stdout, stderr } = await company.run(now, 'report', 'pivot', ...asked, '--measures', measures);
      expect(stderr).toBe('');
      const { pivot, totals, meta } = JSON.parse(stdout);
      const values = (row: Record<string, unknown>) => names.map((name) => row[name]);
      return { rows: [...pivot, totals].map(values), notes: meta.notes };
    },
  };
}
