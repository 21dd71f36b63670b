import { expect, it } from 'vitest';
import { formatReason } from '../../src/records/ingest/controls/ingest-summary.ts';
import { withDataset } from './dataset.ts';

const task = { task_id: 1, project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 8 };
const expense = { project_expense_id: 1, project_id: 1, date: '2026-01-05', cost: 10 };

it('a reason shows what is wrong in its first example, short and escaped, in every form of file', async () => {
  const files = {
    'people.csv': 'people_id,name,cost_rate,department\n1,Ada,"45,50",Design\n2,Bo\n3,"C\u001b[2J",abc,\n4,"D"d,1,\n',
    'tasks.json': [
      { ...task, end_date: '2026-01-01' },
      { ...task, task_id: 2, hours: 123456.75 },
      { ...task, task_id: 3, hours: 'x'.repeat(300) },
      { ...task, task_id: 4, people_id: null },
      { ...task, task_id: 5, people_ids: [1, 'two'] },
      { ...task, task_id: 6, billable: '\u202eyes' },
      { ...task, task_id: 7, repeat_state: { kind: 'weekly' } },
      'no record',
    ],
    'projects.json': [
      { project_id: 1, color: 'dark red' },
      { project_id: 2, project_team: [{ hourly_rate: -2.5 }] },
    ],
    'timeoff_types.json': [{ id: 'sick' }],
    'logged_time.json': [{ logged_time_id: 'a', people_id: 1, date: '2026-01-05' }],
    'project_expenses.json': [{ ...expense, cost: 99999999999, markup: 99999999999 }],
  };
  await withDataset(files, async ({ summary }) => {
    expect(summary.reasons.map(formatReason)).toEqual([
      'people: cost_rate: not a number: 2, first "45,50" in people.csv, record 1 (id 1)',
      'people: department: not an object: 1, first "Design" in people.csv, record 1 (id 1)',
      'people: has 2 columns, the header has 4: 1, first "2,Bo" in people.csv, record 2',
      'people: text after a closing quote: 1, first "4,\\"D\\"d,1," in people.csv, record 4',
      'projects, color: color: not six hexadecimal digits: 1, first "dark red" in projects.json, record 1 (id 1), color',
      'projects, project_team: hourly_rate: below 0: 1, first -2.5 in projects.json, record 2 (id 2), project_team[1]',
      'tasks: end_date is before start_date: 1, first end_date "2026-01-01" and start_date "2026-01-05" in tasks.json, record 1 (id 1)',
      'tasks: hours: outside 0 to 24: 1, first 123456.75 in tasks.json, record 2 (id 2)',
      `tasks: hours: not a number: 1, first "${'x'.repeat(99)}… in tasks.json, record 3 (id 3)`,
      'tasks: people_id is missing, and people_ids is empty: 1, first in tasks.json, record 4 (id 4)',
      'tasks: billable: not true or false: 1, first "\\u202eyes" in tasks.json, record 6 (id 6)',
      'tasks: repeat_state: not one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9: 1, first {"kind":"weekly"} in tasks.json, record 7 (id 7)',
      'tasks: not an object: 1, first "no record" in tasks.json, record 8',
      'tasks, people_ids: people_id: not an id: 1, first "two" in tasks.json, record 5 (id 5), people_ids[2]',
      'timeoff_types: timeoff_type_id: not an id: 1, first "sick" in timeoff_types.json, record 1 (id sick)',
      'logged_time: hours: missing: 1, first in logged_time.json, record 1 (id a)',
      'project_expenses: cost with its markup is too large: 1, first cost 99999999999 and markup 99999999999 in project_expenses.json, record 1 (id 1)',
    ]);
  });
});
