// The report projects of a window, as exact texts of decimals.
import { readReport } from '../../read-report.js';

process.stdout.write(
  await readReport('projects', {
    fields: 'project_id,name,client,scheduled_to_date_hours,actual_hours,variance_hours,actual_fees',
    start_date: '2026-01-01',
    end_date: '2026-06-30',
  }),
);
