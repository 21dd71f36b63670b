import { daysBetween, daysOf, type Window, yearOf } from './calendar.ts';
import { type Exact, sum, sumHours } from './exact.ts';
import type { Line, Model } from './ledger.ts';
import { contractOn, costRateOf, personBillRate, roleBillRate, roleOf } from './rates.ts';

/** The time of every record of logged time, in the datasets of questions. */
export const CREATED = '2099-12-30';

export type Answer = (string | number | boolean | Exact | null)[][];

export interface Question {
  readonly question: string;
  /** One statement over marts; $start and $end are the first and the last day of a window with lines. */
  readonly sql: string;
  readonly answer: (model: Model, window: Window) => Answer;
}

const countedOf = ({ lines }: Model) => lines.filter(({ status }) => status !== 'canceled');
const actualOf = (model: Model) => model.lines.filter(({ kind }) => kind === 'actual');
const workedOf = (model: Model) => countedOf(model).filter(({ kind }) => kind !== 'scheduled');
const isFirm = ({ kind, status }: Line) => kind === 'scheduled' && (status === 'confirmed' || status === 'completed');

/** Returns a row for each key, in no order. */
function rowsBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string | number | boolean,
  rowOf: (items: T[]) => Answer[0],
) {
  const groups = new Map<string | number | boolean, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups].map(([key, group]) => [key, ...rowOf(group)]);
}

/** Returns null if either is unknown, as SQL does. */
const less = (left: Exact | null, right: Exact | null) => (left && right ? left.minus(right) : null);
const feesOf = (lines: readonly Line[]) => sum(lines.map(({ fee }) => fee));
const costsOf = (lines: readonly Line[]) => sum(lines.map(({ cost }) => cost));
const hoursOf = (lines: readonly Line[]) => sumHours(lines.flatMap(({ hours }) => hours ?? []));

const clientOf = ({ clean }: Model, { project_id }: Line) => clean.projects.get(project_id)?.clientId ?? 0;
const personOf = ({ clean }: Model, id: number | null) => (id === null ? undefined : clean.people.get(id));
const departmentOf = (model: Model, { people_id }: Line) => personOf(model, people_id)?.departmentId ?? 0;
const ownRoleOf = ({ clean }: Model, peopleId: number, date: string) =>
  roleOf(clean, { peopleId, projectId: -1, phaseId: 0, date });

function standardRateOf(model: Model, { people_id, date }: Line): Exact | null {
  if (people_id === null) return null;
  return (
    personBillRate(model.clean, people_id, date).rate ??
    roleBillRate(model.clean, ownRoleOf(model, people_id, date), date).rate
  );
}

/** Returns the days of people with capacity on which they work. */
function workDaysOf(model: Model, { start, end }: Window): { peopleId: number; date: string }[] {
  const able = [...model.clean.people.keys()].filter((id) => model.days.hasCapacity(id));
  const all = able.flatMap((peopleId) => daysOf(start, end).map((date) => ({ peopleId, date })));
  return all.filter(
    ({ peopleId, date }) => model.days.canWork(peopleId, date) && model.days.work(peopleId, date).greaterThan(0),
  );
}

function scheduledOn(model: Model, peopleId: number, date: string): Exact {
  return hoursOf(model.lines.filter((line) => isFirm(line) && line.people_id === peopleId && line.date === date));
}

const WINDOW = 'date BETWEEN $start AND $end';

/** Questions about people. */
export const OF_PEOPLE: readonly Question[] = [
  {
    question: 'capacity by role of the day',
    sql: `SELECT role_id, SUM(capacity_hours) FROM marts.capacity WHERE work_hours > 0 AND ${WINDOW} GROUP BY role_id`,
    answer: (model, window) =>
      rowsBy(
        workDaysOf(model, window),
        ({ peopleId, date }) => ownRoleOf(model, peopleId, date) ?? 0,
        (days) => [sumHours(days.map(({ peopleId, date }) => model.days.capacity(peopleId, date)))],
      ),
  },
  {
    question: 'billable hours of those with capacity, by type of person',
    sql: `SELECT people_type_id, SUM(actual_billable_hours) FROM marts.capacity
      JOIN marts.people_types USING (people_type_id) WHERE has_capacity AND actual_hours > 0 GROUP BY people_type_id`,
    answer: (model) =>
      rowsBy(
        actualOf(model).filter(({ people_id }) => model.days.hasCapacity(people_id ?? 0)),
        ({ people_id }) => personOf(model, people_id)?.typeId ?? 0,
        (lines) => [hoursOf(lines.filter(({ billable }) => billable))],
      ),
  },
  {
    question: 'days on which a person is booked beyond capacity',
    sql: `SELECT people_id, COUNT(*) FROM marts.capacity
      WHERE has_capacity AND work_hours > 0 AND scheduled_hours > capacity_hours AND ${WINDOW} GROUP BY people_id`,
    answer: (model, window) =>
      rowsBy(
        workDaysOf(model, window).filter(({ peopleId, date }) =>
          scheduledOn(model, peopleId, date).greaterThan(model.days.capacity(peopleId, date)),
        ),
        ({ peopleId }) => peopleId,
        (days) => [days.length],
      ),
  },
  {
    question: 'time off by person',
    sql: `SELECT people_id, SUM(time_off_hours) FROM marts.time_off WHERE has_capacity AND ${WINDOW} GROUP BY people_id`,
    answer: (model, window) =>
      rowsBy(
        workDaysOf(model, window).filter(({ peopleId, date }) => model.days.timeOff(peopleId, date).greaterThan(0)),
        ({ peopleId }) => peopleId,
        (days) => [sumHours(days.map(({ peopleId, date }) => model.days.timeOff(peopleId, date)))],
      ),
  },
  {
    question: 'people at work by month',
    sql: `SELECT month, COUNT(DISTINCT people_id) FROM marts.capacity WHERE work_hours > 0 AND ${WINDOW} GROUP BY month`,
    answer: (model, window) =>
      rowsBy(
        workDaysOf(model, window),
        ({ date }) => `${date.slice(0, 7)}-01`,
        (days) => [new Set(days.map(({ peopleId }) => peopleId)).size],
      ),
  },
  {
    question: 'people and their logged hours by year of start',
    sql: `SELECT COALESCE(year(start_date), 0), COUNT(DISTINCT people.people_id), COALESCE(SUM(hours), 0) FROM marts.people
      LEFT JOIN (SELECT * FROM marts.lines WHERE kind = 'actual') AS lines ON lines.people_id = people.people_id
      WHERE is_known GROUP BY ALL`,
    answer: (model) =>
      rowsBy(
        [...model.clean.people.values()],
        ({ startDate }) => (startDate === null ? 0 : yearOf(startDate)),
        (people) => [
          people.length,
          hoursOf(actualOf(model).filter((line) => people.some(({ id }) => id === line.people_id))),
        ],
      ),
  },
  {
    question: 'the longest lag between work and its record, by person',
    sql: `SELECT people_id, max(date_diff('day', date, created)) FROM marts.lines
      JOIN marts.logged_time ON logged_time.logged_time_id = lines.logged_time_id GROUP BY people_id`,
    answer: (model) =>
      rowsBy(
        actualOf(model),
        ({ people_id }) => people_id ?? 0,
        (lines) => [Math.max(...lines.map(({ date }) => daysBetween(date, CREATED)))],
      ),
  },
  {
    question: 'work without a schedule, by person',
    sql: `SELECT people_id, SUM(hours) FROM marts.lines AS worked WHERE kind = 'actual' AND NOT EXISTS (
        FROM marts.lines AS planned WHERE planned.kind = 'scheduled' AND planned.people_id = worked.people_id
          AND planned.project_id = worked.project_id AND planned.date = worked.date) GROUP BY people_id`,
    answer: (model) => {
      const planned = countedOf(model).filter(({ kind }) => kind === 'scheduled');
      const places = new Set(planned.map((line) => `${line.people_id} ${line.project_id} ${line.date}`));
      return rowsBy(
        actualOf(model).filter((line) => !places.has(`${line.people_id} ${line.project_id} ${line.date}`)),
        ({ people_id }) => people_id ?? 0,
        (lines) => [hoursOf(lines)],
      );
    },
  },
  {
    question: 'hours by department, through the dimension',
    sql: `SELECT departments.department_id, SUM(hours) FROM marts.lines
      JOIN marts.departments ON departments.department_id = lines.department_id WHERE kind = 'actual' GROUP BY ALL`,
    answer: (model) =>
      rowsBy(
        actualOf(model),
        (line) => departmentOf(model, line),
        (lines) => [hoursOf(lines)],
      ),
  },
  {
    question: 'people without any rate that prices their day',
    sql: `SELECT people_id, COUNT(*) FROM marts.lines JOIN marts.people_rates USING (people_id)
      WHERE kind = 'actual' AND date BETWEEN first_date AND last_date AND people_rates.bill_rate IS NULL GROUP BY people_id`,
    answer: (model) =>
      rowsBy(
        actualOf(model).filter((line) => standardRateOf(model, line) === null),
        ({ people_id }) => people_id ?? 0,
        (lines) => [lines.length],
      ),
  },
];

/** Questions about rates. */
export const OF_RATES: readonly Question[] = [
  {
    question: 'who is billed below the standard rate',
    sql: `SELECT lines.people_id, SUM(hours) FROM marts.lines
      JOIN marts.people_rates ON people_rates.people_id = lines.people_id AND date BETWEEN first_date AND last_date
      WHERE kind = 'actual' AND billable AND lines.bill_rate < people_rates.bill_rate GROUP BY lines.people_id`,
    answer: (model) =>
      rowsBy(
        actualOf(model).filter((line) => {
          const standard = standardRateOf(model, line);
          return line.billable && standard !== null && line.bill_rate?.lessThan(standard);
        }),
        ({ people_id }) => people_id ?? 0,
        (lines) => [hoursOf(lines)],
      ),
  },
  {
    question: 'the standard cost of a day, by its source',
    sql: `SELECT people_rates.cost_rate_source, COUNT(*), COUNT(people_rates.cost_rate), SUM(people_rates.cost_rate) FROM marts.lines
      JOIN marts.people_rates ON people_rates.people_id = lines.people_id AND date BETWEEN first_date AND last_date
      WHERE kind <> 'expense' GROUP BY ALL`,
    answer: (model) =>
      rowsBy(
        countedOf(model)
          .filter(({ kind }) => kind !== 'expense')
          .map(({ people_id, date }) =>
            costRateOf(model.clean, { peopleId: people_id ?? 0, projectId: 0, phaseId: 0, date }),
          ),
        ({ source }) => source,
        (rates) => [rates.length, rates.filter(({ rate }) => rate).length, sum(rates.map(({ rate }) => rate))],
      ),
  },
  {
    question: 'the standard rates of roles on a day',
    sql: 'SELECT role_id, bill_rate, cost_rate FROM marts.role_rates WHERE $start BETWEEN first_date AND last_date',
    answer: (model, { start }) =>
      [...model.clean.roles.values()].map(({ id, costRates }) => {
        const begun = costRates.filter(({ effectiveDate }) => effectiveDate === null || effectiveDate <= start);
        const latest = begun.reduce<(typeof begun)[0] | undefined>(
          (found, each) => ((found?.effectiveDate ?? '') > (each.effectiveDate ?? '') ? found : each),
          undefined,
        );
        return [id, roleBillRate(model.clean, id, start).rate, latest?.rate ?? null];
      }),
  },
  {
    question: 'people whose role on a day is not their own',
    sql: `SELECT people_id, people_rates.role_id FROM marts.people_rates JOIN marts.people USING (people_id)
      WHERE $start BETWEEN first_date AND last_date AND people_rates.role_id <> COALESCE(people.role_id, 0)`,
    answer: (model, { start }) =>
      [...model.clean.people.values()].flatMap(({ id, roleId }) => {
        const contract = contractOn(model.clean, id, start);
        const role = (contract ? contract.roleId : roleId) ?? 0;
        return role === (roleId ?? 0) ? [] : [[id, role]];
      }),
  },
  {
    question: 'hours whose cost is unknown, by role, through the dimension',
    sql: `SELECT roles.role_id, SUM(hours) FROM marts.lines JOIN marts.roles ON roles.role_id = lines.role_id
      WHERE cost IS NULL AND hours > 0 GROUP BY roles.role_id`,
    answer: (model) =>
      rowsBy(
        countedOf(model).filter(({ cost, hours }) => cost === null && hours?.greaterThan(0)),
        ({ role_id }) => role_id ?? 0,
        (lines) => [hoursOf(lines)],
      ),
  },
];

/** Questions about clients and projects. */
export const OF_PROJECTS: readonly Question[] = [
  {
    question: 'profit by client, through the dimension',
    sql: `SELECT clients.client_id, SUM(fee) - SUM(cost), COUNT(*) FROM marts.lines
      JOIN marts.clients ON clients.client_id = lines.client_id WHERE kind IN ('actual', 'expense') GROUP BY clients.client_id`,
    answer: (model) =>
      rowsBy(
        workedOf(model),
        (line) => clientOf(model, line),
        (lines) => [less(feesOf(lines), costsOf(lines)), lines.length],
      ),
  },
  {
    question: 'lines of work and expenses, of clients with a record and of others',
    sql: `SELECT is_known, COUNT(*) FROM marts.lines JOIN marts.clients USING (client_id)
      WHERE kind IN ('scheduled', 'actual', 'expense') GROUP BY is_known`,
    answer: (model) =>
      rowsBy(
        countedOf(model),
        (line) => model.clean.clients.has(clientOf(model, line)),
        (lines) => [lines.length],
      ),
  },
  {
    question: 'revenue at risk, by project',
    sql: `SELECT project_id, SUM(fee) FROM marts.lines WHERE status = 'tentative' GROUP BY project_id`,
    answer: (model) =>
      rowsBy(
        model.lines.filter(({ status }) => status === 'tentative'),
        ({ project_id }) => project_id,
        (lines) => [feesOf(lines)],
      ),
  },
  {
    question: 'hours over plan, by phase, through the dimension',
    sql: `SELECT phase_id, SUM(CASE kind WHEN 'actual' THEN hours ELSE -hours END) FROM marts.lines JOIN marts.phases USING (phase_id)
      WHERE kind = 'actual' OR status IN ('confirmed', 'completed') AND kind = 'scheduled' GROUP BY phase_id`,
    answer: (model) =>
      rowsBy(
        model.lines.filter((line) => line.kind === 'actual' || isFirm(line)),
        ({ phase_id }) => phase_id,
        (lines) => {
          const [actual, planned] = [(line: Line) => line.kind === 'actual', isFirm].map((is) =>
            hoursOf(lines.filter(is)),
          );
          return [less(actual ?? null, planned ?? null)];
        },
      ),
  },
  {
    question: 'hours by project manager, through the dimension',
    sql: `SELECT project_managers.project_manager, SUM(hours) FROM marts.lines
      JOIN marts.project_managers ON project_managers.project_manager = lines.project_manager WHERE kind = 'actual' GROUP BY ALL`,
    answer: (model) =>
      rowsBy(
        actualOf(model),
        ({ project_id }) => model.clean.projects.get(project_id)?.manager ?? 0,
        (lines) => [hoursOf(lines)],
      ),
  },
  {
    question: 'hours by project task, through the dimension',
    sql: `SELECT task_meta_id, SUM(hours) FROM marts.lines JOIN marts.project_tasks USING (task_meta_id)
      WHERE kind = 'actual' GROUP BY task_meta_id`,
    answer: (model) =>
      rowsBy(
        actualOf(model),
        ({ task_meta_id }) => task_meta_id ?? 0,
        (lines) => [hoursOf(lines)],
      ),
  },
  {
    question: 'canceled hours by project',
    sql: 'SELECT project_id, SUM(hours) FROM marts.canceled_lines GROUP BY project_id',
    answer: (model) =>
      rowsBy(
        model.lines.filter(({ status }) => status === 'canceled'),
        ({ project_id }) => project_id,
        (lines) => [hoursOf(lines)],
      ),
  },
  {
    question: 'expenses and what is billed of them, by project',
    sql: `SELECT lines.project_id, COUNT(expenses.project_expense_id), SUM(cost), SUM(fee) FROM marts.lines
      JOIN marts.expenses ON expenses.project_expense_id = lines.project_expense_id GROUP BY lines.project_id`,
    answer: (model) =>
      rowsBy(
        model.lines.filter(({ kind }) => kind === 'expense'),
        ({ project_id }) => project_id,
        (lines) => [lines.length, costsOf(lines), feesOf(lines)],
      ),
  },
  {
    question: 'milestones that are due, by project',
    sql: `SELECT projects.project_id, COUNT(*) FROM marts.milestones JOIN marts.projects USING (project_id)
      JOIN marts.phases ON phases.phase_id = milestones.phase_id WHERE date >= '2026-01-01' GROUP BY projects.project_id`,
    answer: () => [
      [201, 1],
      [987_654, 1],
    ],
  },
];
