// Hours and fees by month of a window: the report pivot, as exact texts of decimals.
import { readReport } from '../../read-report.js';

process.stdout.write(
  await readReport('pivot', {
    group_by: 'month',
    measures: 'scheduled_hours,actual_hours,actual_fees',
    start_date: '2026-01-01',
    end_date: '2026-06-30',
  }),
);
