import {
  addInvoice,
  addLogged,
  addTask,
  anyBudget,
  anyDay,
  anyState,
  type Company,
  dayFrom,
  type Fields,
  personOf,
  type Random,
} from './changed-records.ts';

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
  invoice_amount: {
    causes: ['invoice'],
    change: edit(records('invoice_lines'), (record, random) => {
      record['amount'] = random(100_000) / 100;
    }),
  },
  invoice_days: {
    causes: ['invoice'],
    change: (company, random, project) => {
      const own = ofProject(company.invoice_lines, project).map((line) => line['invoice_id']);
      for (const invoice of company.invoices)
        if (own.includes(invoice['invoice_id']))
          Object.assign(invoice, { issue_date: anyDay(random), status: anyState(random) });
    },
  },
  invoice_new: { causes: ['invoice'], change: (company, random, project) => addInvoice(company, random, project) },
  write_off: {
    causes: ['invoice'],
    change: edit(records('write_offs'), (record, random) => {
      record['amount'] = random(9000) / 100;
    }),
  },
  write_off_gone: {
    causes: ['invoice'],
    change: (company, _, project) => {
      company.write_offs = company.write_offs.filter((record) => record['project_id'] !== project);
    },
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
  budget: {
    causes: ['budget'],
    change: edit(records('projects'), (record, random) => {
      record['budget_total'] = random(4) === 0 ? null : 100 + random(40_000) / 4;
    }),
  },
  budget_unit: {
    causes: ['budget'],
    change: edit(records('projects'), (record, random) => Object.assign(record, anyBudget(random))),
  },
  client: {
    causes: ['moved'],
    change: edit(records('projects'), (record) => {
      record['client_id'] = 1 + (Number(record['client_id']) % 3);
    }),
  },
  people_tags: {
    causes: ['moved'],
    change: (company, random, project) => {
      const person = company.people.find(({ people_id }) => people_id === personOf(random, project));
      if (person) person['tags'] = ['a', 'b', 'c'].slice(random(4));
    },
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
  for (const name of ['tasks', 'logged_time', 'project_expenses', 'invoice_lines'] as const) {
    const record = company[name][random(company[name].length)];
    if (record) record['project_id'] = 1 + random(projects);
  }
}
