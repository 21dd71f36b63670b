import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The first digits of all ids of the canary, which are in no other number of the company. */
const IDS = '7731900';

/** A word in all names of the canary. */
const NAME = 'Zzyzx';

/** The rates of the canary for an hour; it works an hour a month. */
const [COST_RATE, BILL_RATE] = ['730319.57', '910473.29'];

const EXPENSE = '613087.11';
const MONTHS = ['01', '02', '03', '04', '05'];

/** Returns the amounts of one month to all months at a rate, as texts without trailing zeros. */
const sumsOf = (rate: string) => MONTHS.map((_, index) => String((Number(rate.replace('.', '')) * (index + 1)) / 100));

/** Names, ids and amounts that no answer to a reader of another part may have. */
export const CANARIES = [NAME, IDS, ...sumsOf(COST_RATE), ...sumsOf(BILL_RATE), EXPENSE];

const id = (number: number) => Number(`${IDS}${number}`);
const created = { created: '2026-01-01 09:00:00', modified: '2026-01-01 09:00:00' };
const [client, department, person, project] = [
  { client_id: id(1) },
  { department_id: id(2) },
  { people_id: id(3) },
  { project_id: id(4) },
];
const [phase, role, manager] = [{ phase_id: id(5) }, id(6), id(7)];

/** A client, a project, a person, and their records. */
const RECORDS: Readonly<Record<string, readonly object[]>> = {
  clients: [{ ...client, name: `${NAME} Client` }],
  departments: [{ ...department, name: `${NAME} Department`, parent_id: null }],
  accounts: [
    { account_id: manager, name: `${NAME} Manager`, email: 'manager@canary.example', account_type: 2, active: true },
  ],
  roles: [
    {
      id: role,
      name: `${NAME} Role`,
      default_hourly_rate: BILL_RATE,
      cost_rate_history: [{ rate: COST_RATE, effective_date: null }],
    },
  ],
  people: [
    {
      ...person,
      ...department,
      name: `${NAME} Person`,
      role_id: role,
      tags: [`${NAME} Tag`],
      start_date: '2025-01-01',
      active: 1,
      contracts: [],
    },
  ],
  projects: [
    {
      ...project,
      ...client,
      name: `${NAME} Project`,
      tags: [`${NAME} Tag`],
      budget_type: 2,
      budget_total: 1_000,
      status: 2,
      active: 1,
      project_manager: manager,
      default_hourly_rate: BILL_RATE,
      start_date: '2026-01-01',
      end_date: '2026-06-30',
    },
  ],
  phases: [
    { ...phase, ...project, name: `${NAME} Phase`, start_date: '2026-01-01', end_date: '2026-06-30', status: 2 },
  ],
  project_expenses: [
    {
      ...project,
      project_expense_id: id(8),
      name: `${NAME} Expense`,
      date: '2026-03-10',
      cost: EXPENSE,
      billable: true,
    },
  ],
  'logged_time.7': MONTHS.map((month) => ({
    ...person,
    ...project,
    ...phase,
    ...created,
    logged_time_id: `LT${IDS}${month}`,
    date: `2026-${month}-12`,
    hours: 1,
    billable: true,
  })),
};

/** Puts a dataset with a canary, apart from all other records, into a folder. */
export function placeCanary(dataset: string, folder: string): void {
  cpSync(dataset, folder, { recursive: true });
  for (const [name, records] of Object.entries(RECORDS)) {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify([...JSON.parse(readFileSync(file, 'utf8')), ...records]));
  }
}
