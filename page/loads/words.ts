/** The words of fields that don't say themselves what they are. */
const WORDS: Readonly<Record<string, string>> = {
  people_id: 'Person',
  project_id: 'Project',
  client_id: 'Client',
  task_meta_id: 'Task',
  phase_id: 'Phase',
  department_id: 'Department',
  role_id: 'Role',
  timeoff_type_id: 'Type of time off',
  date: 'Day',
  start_date: 'First day',
  end_date: 'Last day',
  default_hourly_rate: 'Bill rate',
};

/** The words of resources. */
const RESOURCES: Readonly<Record<string, string>> = {
  logged_time: 'time entries',
  tasks: 'plans',
  timeoffs: 'time off',
  timeoff_types: 'types of time off',
  project_expenses: 'expenses',
  project_tasks: 'tasks',
  project_stages: 'stages of projects',
  cost_rate_history: 'cost rates of roles',
  role_bill_rates: 'bill rates of roles',
  person_bill_rates: 'bill rates of people',
  project_bill_rates: 'bill rates of projects',
  phase_bill_rates: 'bill rates of phases',
  rate_card_rates: 'rates of rate cards',
  project_team: 'rates in projects',
  phase_team: 'rates in phases',
};

export function wordOfField(field: string): string {
  const words = WORDS[field] ?? field.replaceAll('_', ' ').replace(/ id$/, '');
  return words[0]?.toUpperCase() + words.slice(1);
}

/** Returns a resource in words, such as "time entries". */
export function wordOfResource(resource: string): string {
  return RESOURCES[resource] ?? resource.replaceAll('_', ' ');
}

/** Returns words as a list: a, b and c. */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
