import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { type Records, writeRecords } from '../sql/company.ts';

const NOW = new Date('2026-05-02T12:00:00Z');

/** Returns a company in which a day of Ana is billed, at her rate. */
const companyOf = (rate: string, more: object = {}): Records => ({
  people: [{ people_id: 1, name: 'Ana', default_hourly_rate: rate }],
  projects: [{ project_id: 1, name: 'Website' }],
  logged_time: [{ logged_time_id: 'a', people_id: 1, project_id: 1, date: '2026-03-02', hours: 8 }],
  invoices: [
    {
      ...{ invoice_id: 1, issue_date: '2026-03-31' },
      lines: [{ invoice_line_id: 1, project_id: 1, amount: '800', covers: [{ logged_time_id: 'a', ...more }] }],
    },
  ],
});

it('keeps what covered work earned when it was first seen, over later loads (N2)', { tags: ['slow'] }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-values-'));
  const file = join(folder, 'company.duckdb');
  const load = async (records: Records) => {
    writeRecords(folder, records);
    await loadDataset(folder, file, { now: NOW });
    const database = await openDatabase(file, { readOnly: true });
    try {
      const [row] = await database.rows<{ changed: string }>('SELECT SUM(changed) AS changed FROM core.billing_days');
      return Number(row?.changed);
    } finally {
      await database.close();
    }
  };
  try {
    expect(await load(companyOf('100'))).toBe(0);
    expect(await load(companyOf('110'))).toBe(80);
    expect(await load(companyOf('120'))).toBe(160);
    expect(await load(companyOf('120', { value: '900' }))).toBe(60);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
