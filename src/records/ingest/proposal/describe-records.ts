import type { SampleTable } from '../sample/sample-table.ts';
import { type Columns, formatColumns, type MappingEntry, quote } from './mapping-entry.ts';
import { filled, type Naming, namedId, personSources, projectColumns } from './naming.ts';
import { activeSource, codeSource, flagSource } from './words.ts';

/** The entries of a table, and all that a person has to decide. */
export interface Description {
  readonly entries: readonly MappingEntry[];
  readonly open?: readonly (string | undefined)[];
  /** Relations that were found, and parts of the file that aren't taken. */
  readonly comments?: readonly string[];
}

/** Returns the source of a field that is the text of columns. */
export function fieldText(table: SampleTable, columns: Columns | undefined): string | undefined {
  if (columns === undefined) return undefined;
  const fill = filled(table, columns);
  return fill === '' ? formatColumns(columns) : `{column: ${formatColumns(columns)}${fill}}`;
}

/** Describes the people, clients, projects and tasks that the rows of a table name. */
export function describeNamed(table: SampleTable, naming: Naming, hasPerson = true): MappingEntry[] {
  const [person, project, client, task] = [
    hasPerson ? personSources(table, naming) : undefined,
    projectColumns(table, naming),
    table.find('client'),
    table.find('task'),
  ];
  const taskColumns = task === undefined || project === undefined ? undefined : [...[project].flat(), task];
  return [
    ...(person ? [{ resource: 'people', fields: { people_id: person.id, ...personFields(table, person.name) } }] : []),
    ...(client === undefined ? [] : [clientEntry(table, client)]),
    ...(project === undefined ? [] : [{ resource: 'projects', fields: projectFields(table, project) }]),
    ...(taskColumns === undefined || task === undefined
      ? []
      : [
          {
            resource: 'project_tasks',
            fields: {
              task_meta_id: namedId(table, taskColumns),
              project_id: namedId(table, project),
              task_name: quote(task),
            },
          },
        ]),
    ...(table.find('department') === undefined || !person ? [] : [departmentEntry(table)]),
  ];
}

function personFields(table: SampleTable, name: string) {
  const department = table.find('department');
  return { name, email: quote(table.find('email')), department_id: namedId(table, department) };
}

function departmentEntry(table: SampleTable): MappingEntry {
  const department = table.find('department');
  return { resource: 'departments', fields: { department_id: namedId(table, department), name: quote(department) } };
}

function clientEntry(table: SampleTable, client: string): MappingEntry {
  return { resource: 'clients', fields: { client_id: namedId(table, client), name: fieldText(table, client) } };
}

function projectFields(table: SampleTable, columns: Columns) {
  return {
    project_id: namedId(table, columns),
    name: fieldText(table, table.find('project') ?? table.find('client')),
    project_code: quote(table.find('project_code')),
    client_id: namedId(table, table.find('client')),
  };
}

export function describePeopleList(table: SampleTable, naming: Naming): Description {
  const person = personSources(table, naming);
  const fields = {
    people_id: person?.id,
    ...personFields(table, person?.name ?? ''),
    job_title: quote(table.find('job_title')),
    people_type_id: codeSource(table, table.find('type'), 'people_type_id'),
    default_hourly_rate: quote(table.find('bill_rate')),
    cost_rate: quote(table.find('cost_rate')),
    start_date: quote(table.find('start_date')),
    end_date: quote(table.find('end_date')),
    tags: quote(table.find('tags')),
  };
  const departments = table.find('department') === undefined ? [] : [departmentEntry(table)];
  return { entries: [{ resource: 'people', fields }, ...departments] };
}

/** Describes the contracts of people: a row for each time that a rate changes. */
export function describeContracts(table: SampleTable, naming: Naming): Description {
  const person = personSources(table, naming);
  const type = table.find('type');
  const contract = {
    people_id: person?.id,
    effective_date: quote(table.find('start_date', 'date')),
    cost_rate: quote(table.find('cost_rate')),
    role_name: quote(table.find('job_title')),
  };
  const people = {
    people_id: person?.id,
    ...personFields(table, person?.name ?? ''),
    people_type_id: codeSource(table, type, 'people_type_id'),
  };
  return {
    entries: [
      { resource: 'people', fields: people },
      { resource: 'contracts', fields: contract },
    ],
  };
}

/** Describes the rates of people in projects. */
export function describeTeam(table: SampleTable, naming: Naming): Description {
  const rates = {
    project_id: namedId(table, projectColumns(table, naming)),
    people_id: personSources(table, naming)?.id,
    hourly_rate: quote(table.find('bill_rate')),
  };
  return { entries: [...describeNamed(table, naming), { resource: 'project_team', fields: rates }] };
}

export function describeProjects(table: SampleTable, naming: Naming): Description {
  const [client, budget, status] = [table.find('client'), table.find('budget'), table.find('status')];
  const name = table.find('project', 'name');
  const columns = table.find('project') === undefined ? name : projectColumns(table, naming);
  const fields = {
    ...projectFields(table, columns ?? ''),
    name: quote(name),
    budget_total: quote(budget),
    budget_type: budgetType(table, budget),
    default_hourly_rate: quote(table.find('bill_rate')),
    active: activeSource(table, status),
    tentative: flagSource(table, table.find('tentative')),
    non_billable:
      table.find('non_billable') === undefined
        ? flagSource(table, table.find('billable'), true)
        : flagSource(table, table.find('non_billable')),
    start_date: quote(table.find('start_date')),
    end_date: quote(table.find('end_date')),
    tags: quote(table.find('tags')),
  };
  return {
    entries: [...(client === undefined ? [] : [clientEntry(table, client)]), { resource: 'projects', fields }],
    open: budget !== undefined && fields.budget_type === undefined ? [budgetDecision(budget)] : [],
  };
}

function budgetType(table: SampleTable, budget: string | undefined): string | undefined {
  const by = table.find('budget_by');
  if (by !== undefined) return codeSource(table, by, 'budget_type');
  return /\((h|hours)\)|hours|stunden/i.test(budget ?? '') ? '{value: 1}' : undefined;
}

function budgetDecision(budget: string): string {
  return `${budget} is in hours or in money: write budget_type: {value: 1} for hours or {value: 2} for fees into the fields of projects`;
}

/** Describes a list of clients, of tasks or of holidays, by their names. */
export function describeClients(table: SampleTable): Description {
  const name = table.find('client', 'name') ?? '';
  return { entries: [{ resource: 'clients', fields: { client_id: namedId(table, name), name: quote(name) } }] };
}

export function describeTasks(table: SampleTable, naming: Naming): Description {
  return { entries: describeNamed(table, naming, false) };
}

export function describeHolidays(table: SampleTable): Description {
  const fields = {
    holiday_id: '{row: true}',
    name: quote(table.find('name', 'holiday', 'notes')),
    date: quote(table.find('date', 'start_date')),
    end_date: quote(table.find('end_date')),
  };
  return { entries: [{ resource: 'holidays', fields }] };
}
