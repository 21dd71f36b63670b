import type { Records } from '../sql/company.ts';

/** Returns a number from 0 up to a limit, which isn't among them. */
export type Random = (limit: number) => number;

/** Makes reproducible random numbers. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  return (limit) => {
    // A linear congruential generator: https://en.wikipedia.org/wiki/Linear_congruential_generator
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

export type Fields = Record<string, unknown>;

/** The records of a company, which changes edit. */
export type Company = Record<keyof typeof ID_FIELDS, Fields[]>;

const ID_FIELDS = {
  clients: 'client_id',
  roles: 'role_id',
  people: 'people_id',
  projects: 'project_id',
  tasks: 'task_id',
  logged_time: 'logged_time_id',
  project_expenses: 'project_expense_id',
  invoices: 'invoice_id',
  invoice_lines: 'invoice_line_id',
  write_offs: 'write_off_id',
};

/** The window of the comparisons, and days around it. */
export const WINDOW = { start_date: '2026-03-01', end_date: '2026-05-31' };

export const dayFrom = (first: string, days: number): string =>
  new Date(Date.parse(`${first}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

export const anyDay = (random: Random) => dayFrom('2026-02-15', random(120));

/** Makes a company in which each project has its own people, so that each can change alone. */
export function makeCompany(random: Random, projects: number): Company {
  const company: Company = {
    clients: [],
    roles: [],
    people: [],
    projects: [],
    tasks: [],
    logged_time: [],
    project_expenses: [],
    invoices: [],
    invoice_lines: [],
    write_offs: [],
  };
  for (const id of [1, 2, 3]) {
    company.clients.push({ client_id: id, name: `Client ${id}` });
    company.roles.push({ role_id: id, name: `Role ${id}` });
  }
  for (let project = 1; project <= projects; project += 1) {
    company.projects.push({
      project_id: project,
      name: `Project ${project}`,
      client_id: 1 + random(3),
      status: 2,
      non_billable: false,
      ...anyBudget(random),
      default_hourly_rate: 80 + random(4000) / 100,
      tags: ['a', 'b', 'c'].slice(random(3)),
    });
    for (const person of [2 * project - 1, 2 * project])
      company.people.push({
        people_id: person,
        name: `Person ${person}`,
        role_id: 1 + random(3),
        cost_rate: random(5) === 0 ? null : 30 + random(3000) / 100,
      });
    for (let count = 0; count < 3; count += 1) addTask(company, random, project);
    for (let count = 0; count < 5; count += 1) addLogged(company, random, project);
    for (let count = 0; count < 2; count += 1) addExpense(company, random, project);
    addInvoice(company, random, project);
    company.write_offs.push({
      write_off_id: project,
      project_id: project,
      date: anyDay(random),
      amount: random(9000) / 100,
    });
  }
  return company;
}

/** Returns the fields of a project's budget: of hours, of fees, or none. */
export function anyBudget(random: Random): Fields {
  return { budget_type: random(3), budget_total: 100 + random(40_000) / 4, budget_priority: 0 };
}

/** Returns a copy of the records for a load. */
export function recordsOf(company: Company): Records {
  return structuredClone(company);
}

export const personOf = (random: Random, project: number) => 2 * project - random(2);

/** Returns the status of an invoice. */
export const anyState = (random: Random) => ['issued', 'issued', 'draft', 'void'][random(4)];

/** Adds an invoice of two lines of a project. */
export function addInvoice({ invoices, invoice_lines: lines }: Company, random: Random, project: number): void {
  const id = nextId(invoices, 'invoice_id');
  invoices.push({ invoice_id: id, issue_date: anyDay(random), status: anyState(random) });
  for (const place of [1, 2])
    lines.push({
      invoice_line_id: 2 * id + place,
      invoice_id: id,
      project_id: project,
      amount: random(100_000) / 100 - 100,
    });
}

const nextId = (records: readonly Fields[], field: string) =>
  1 + records.reduce((last, record) => Math.max(last, Number(record[field])), 0);

export function addTask({ tasks }: Company, random: Random, project: number): void {
  const start = anyDay(random);
  tasks.push({
    task_id: nextId(tasks, 'task_id'),
    project_id: project,
    people_id: personOf(random, project),
    start_date: start,
    end_date: dayFrom(start, random(12)),
    hours: 1 + random(28) / 4,
    status: 2,
    billable: random(4) > 0,
  });
}

export function addLogged({ logged_time: logged }: Company, random: Random, project: number): void {
  logged.push({
    logged_time_id: String(nextId(logged, 'logged_time_id')),
    project_id: project,
    people_id: personOf(random, project),
    date: anyDay(random),
    hours: 1 + random(28) / 4,
    billable: random(4) > 0,
  });
}

function addExpense({ project_expenses: expenses }: Company, random: Random, project: number): void {
  expenses.push({
    project_expense_id: nextId(expenses, 'project_expense_id'),
    project_id: project,
    name: 'Ticket',
    date: anyDay(random),
    total_cost: 10 + random(10_000) / 100,
    markup_type: 0,
    markup: random(20),
    billable: random(4) > 0,
  });
}
