import { expect, it } from 'vitest';
import { formatSummary } from '../../src/doors/command/load/load-summary.ts';
import { withDataset } from './dataset.ts';

/** Returns the advice of a load of time entries with days of another form. */
const adviceOn = (name: string, content: string | object[]) =>
  withDataset({ [name]: content }, async ({ summary }) =>
    formatSummary(summary).filter((line) => /how days are written/.test(line)),
  );

it('values that are set aside name an option for CSV files, and the mapping for JSON files', async () => {
  const record = { logged_time_id: 1, people_id: 1, project_id: 1, date: '31/03/2026', hours: 1 };
  expect(await adviceOn('logged_time.json', [record])).toEqual([
    '  dates, such as DD/MM/YYYY, in mapping.yaml says how days are written.',
  ]);
  const row = `${Object.keys(record).join(',')}\n${Object.values(record).join(',')}\n`;
  expect(await adviceOn('logged_time.csv', row)).toEqual([
    '  --date-format, such as DD/MM/YYYY, says how days are written.',
  ]);
});
