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

type Fields = Record<string, unknown>;

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
};

/** The window of the comparisons, and days around it. */
export const WINDOW = { start_date: '2026-03-01', end_date: '2026-05-31' };

const dayFrom = (first: string, days: number): string =>
  new Date(Date.parse(`${first}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

const anyDay = (random: Random) => dayFrom('2026-02-15', random(120));

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
  }
  return company;
}

/** Returns a copy of the records for a load. */
export function recordsOf(company: Company): Records {
  return structuredClone(company);
}

const personOf = (random: Random, project: number) => 2 * project - random(2);

const nextId = (records: readonly Fields[], field: string) =>
  1 + records.reduce((last, record) => Math.max(last, Number(record[field])), 0);

function addTask({ tasks }: Company, random: Random, project: number): void {
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

function addLogged({ logged_time: logged }: Company, random: Random, project: number): void {
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

/** A kind of change to the records of a project, with the causes that it may have. */
export interface ChangeKind {
  readonly causes: readonly string[];
  change(company: Company, random: Random, project: number): void;
}

const ofProject = (records: readonly Fields[], project: number) =>
  records.filter((record) => record['project_id'] === project);

const edit =
  (
    records: (company: Company) => Fields[],
    change: (record: Fields, random: Random, company: Company, project: number) => void,
  ): ChangeKind['change'] =>
  (company, random, project) => {
    const own = ofProject(records(company), project);
    for (let count = 0; count < 2; count += 1) {
      const record = own[random(own.length)];
      if (record) change(record, random, company, project);
    }
  };

const records = (name: keyof Company) => (company: Company) => company[name];

function moveTask(task: Fields, random: Random): void {
  const days = random(7) - 3;
  task['start_date'] = dayFrom(String(task['start_date']), days);
  task['end_date'] = dayFrom(String(task['end_date']), days);
}

/** All kinds of changes, each of which falls under its own causes alone. */
export const CHANGE_KINDS: Readonly<Record<string, ChangeKind>> = {
  nothing: { causes: [], change: () => undefined },
  logged_hours: {
    causes: ['hours'],
    change: edit(records('logged_time'), (record, random) => {
      record['hours'] = 1 + random(28) / 4;
    }),
  },
  planned_hours: {
    causes: ['hours'],
    change: edit(records('tasks'), (record, random) => {
      record['hours'] = 1 + random(28) / 4;
    }),
  },
  logged_days: {
    causes: ['moved'],
    change: edit(records('logged_time'), (record, random) => {
      record['date'] = anyDay(random);
    }),
  },
  logged_billable: {
    causes: ['billable'],
    change: edit(records('logged_time'), (record) => {
      record['billable'] = !record['billable'];
    }),
  },
  expense_billable: {
    causes: ['billable'],
    change: edit(records('project_expenses'), (record) => {
      record['billable'] = !record['billable'];
    }),
  },
  planned_status: {
    causes: ['status'],
    change: edit(records('tasks'), (record, random) => {
      record['status'] = random(5);
    }),
  },
  project_canceled: {
    causes: ['status'],
    change: (company, _, project) => {
      for (const record of ofProject(company.projects, project)) record['status'] = 4;
    },
  },
  // A day that is gone, come or moved, by the length.
  planned_days: {
    causes: ['moved', 'removed', 'late', 'new'],
    change: edit(records('tasks'), (record, random) => moveTask(record, random)),
  },
  planned_person: {
    causes: ['moved', 'rate', 'priced'],
    change: edit(records('tasks'), (record, random, _, project) => {
      record['people_id'] = personOf(random, project);
    }),
  },
  logged_gone: {
    causes: ['removed'],
    change: (company, _, project) => {
      const gone = ofProject(company.logged_time, project)[0];
      company.logged_time = company.logged_time.filter((record) => record !== gone);
    },
  },
  logged_new: { causes: ['late', 'new'], change: (company, random, project) => addLogged(company, random, project) },
  planned_new: { causes: ['late', 'new'], change: (company, random, project) => addTask(company, random, project) },
  expense_cost: {
    causes: ['expense'],
    change: edit(records('project_expenses'), (record, random) => {
      record['total_cost'] = 10 + random(10_000) / 100;
      record['markup'] = random(20);
    }),
  },
  cost_rate: {
    causes: ['rate', 'priced'],
    change: (company, random, project) => {
      for (const person of company.people)
        if (Math.ceil(Number(person['people_id']) / 2) === project)
          person['cost_rate'] = random(4) === 0 ? null : 30 + random(3000) / 100;
    },
  },
  bill_rate: {
    causes: ['rate', 'priced'],
    change: edit(records('projects'), (record, random) => {
      record['default_hourly_rate'] = 80 + random(4000) / 100;
    }),
  },
  client: {
    causes: ['moved'],
    change: edit(records('projects'), (record) => {
      record['client_id'] = 1 + (Number(record['client_id']) % 3);
    }),
  },
  tags: {
    causes: ['moved'],
    change: edit(records('projects'), (record, random) => {
      record['tags'] = ['a', 'b', 'c'].slice(random(4));
    }),
  },
};

/** Changes some records of any project in any way, lines between projects included. */
export function changeAnything(company: Company, random: Random, projects: number): void {
  const kinds = Object.values(CHANGE_KINDS);
  for (let count = 0; count < 12; count += 1)
    kinds[random(kinds.length)]?.change(company, random, 1 + random(projects));
  for (const name of ['tasks', 'logged_time', 'project_expenses'] as const) {
    const record = company[name][random(company[name].length)];
    if (record) record['project_id'] = 1 + random(projects);
  }
}
