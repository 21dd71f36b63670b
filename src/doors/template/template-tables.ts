import {
  type Field,
  type FieldType,
  ownLists,
  type Resource,
  resources,
  settingsResource,
} from '../../records/resource/index.ts';

/** A column of a template, with its explanation and the values of its example rows. */
export interface TemplateColumn {
  readonly field: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly comment: string;
  readonly examples: readonly string[];
}

export interface TemplateTable {
  readonly resource: string;
  readonly columns: readonly TemplateColumn[];
}

/** The columns of resources that a first report needs. */
export const LEAST_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  people: ['people_id', 'name', 'default_hourly_rate', 'cost_rate'],
  projects: ['project_id', 'name', 'start_date', 'end_date'],
  logged_time: ['logged_time_id', 'people_id', 'project_id', 'date', 'hours'],
};

/** The words and the examples of a type of field; a template leaves a field without examples empty. */
const TYPES: Readonly<Record<FieldType, { readonly words: string; readonly examples: readonly string[] }>> = {
  id: { words: 'A whole number of 1 or more', examples: ['1', '2'] },
  key: { words: 'Any text, another one in each row', examples: ['a1', 'a2'] },
  name: { words: 'A text', examples: ['Example one', 'Example two'] },
  text: { words: 'A text', examples: ['first', 'second'] },
  word: { words: 'A word', examples: [] },
  tag: { words: 'A text', examples: [] },
  boolean: { words: 'true or false', examples: ['true', 'false'] },
  integer: { words: 'A whole number', examples: ['1', '1'] },
  hours: { words: 'Hours, from 0 to 24, such as 7.5', examples: ['7.5', '6'] },
  effort: { words: 'Hours, 0 or more, such as 120', examples: ['120', '40'] },
  percent: { words: 'A percentage, from 0 to 100, such as 40', examples: ['40', '75'] },
  week: { words: 'Seven hours with commas between them, Sunday first', examples: ['0,8,8,8,8,8,0', '0,8,8,8,8,4,0'] },
  rate: { words: 'An amount an hour, such as 95.50', examples: ['95.50', '80'] },
  amount: { words: 'An amount, such as 12000', examples: ['12000', '850.25'] },
  date: { words: 'A day, YYYY-MM-DD', examples: ['2026-02-02', '2026-02-03'] },
  timestamp: { words: 'A time in UTC, YYYY-MM-DD HH:MM:SS', examples: ['2026-01-05 09:00:00', '2026-01-05 09:00:00'] },
  color: { words: 'Six hexadecimal digits', examples: ['4a90d9', '5bb75b'] },
  ids: { words: 'Ids with commas between them', examples: [] },
  json: { words: 'JSON', examples: [] },
};

/** The examples of fields for which those of their type are wrong, and of lists that can't be empty. */
const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  currency: ['EUR'],
  time_zone: ['Europe/Berlin'],
  timezone: ['Europe/Berlin', 'Europe/Paris'],
  email: ['one@example.com', 'two@example.com'],
  end_date: ['2026-12-18', '2026-12-18'],
  repeat_end_date: ['2026-12-18', '2026-12-18'],
  contractor: ['false', 'true'],
  // Progress is a percentage, or what is left.
  remaining_hours: [],
  // Only what goes on expires.
  expires_after: [],
  amounts: ['[{"amount": 40}]', '[{"amount": 25}]'],
};

/** Returns the tables that a first report needs, with the least columns. */
export function leastTables(): TemplateTable[] {
  return Object.entries(LEAST_COLUMNS).map(([name, fields]) => {
    const table = allTables().find(({ resource }) => resource === name);
    const columns = fields.flatMap((field) => table?.columns.filter((column) => column.field === field) ?? []);
    return { resource: name, columns };
  });
}

/** Returns every table with every field, those first that a first report needs. */
export function allTables(): TemplateTable[] {
  const isLeast = ({ name }: Resource) => Object.hasOwn(LEAST_COLUMNS, name);
  const ordered = [...resources.filter(isLeast), settingsResource, ...resources.filter((each) => !isLeast(each))];
  return ordered.map((resource) => ({ resource: resource.name, columns: columnsOf(resource) }));
}

/** Returns the example rows of a table: two, or one of the settings, which are one record. */
export function exampleRows({ resource, columns }: TemplateTable): string[][] {
  const count = resource === 'settings' ? 1 : 2;
  return Array.from({ length: count }, (_, row) => columns.map(({ examples }) => examples[row] ?? ''));
}

function columnsOf(resource: Resource): TemplateColumn[] {
  const fields = Object.entries(resource.fields).map(([name, field]) => columnOf(resource, name, field));
  const lists = [...ownLists(resource).map(([name]) => name), ...Object.keys(resource.nested)].map((name) => ({
    field: name,
    type: 'list',
    isRequired: false,
    comment: 'A list as JSON; plain values can also have commas between them. May stay empty.',
    examples: EXAMPLES[name] ?? [],
  }));
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
    ...lists,
  ];
}

function columnOf(resource: Resource, name: string, field: Field): TemplateColumn {
  // A path into an object stands for the field in JSON only.
  const header = field.from?.find((path) => !path.includes('.')) ?? field.from?.[0]?.split('.')[0] ?? name;
  const isPath = field.from !== undefined && !field.from.includes(name) && header !== name;
  const { words, examples } = TYPES[field.type];
  const codes = field.codes && Object.entries(field.codes).map(([code, meaning]) => `${code} ${meaning}`);
  const choices = codes ?? (field.words && Object.keys(field.words));
  const refers = field.refers === undefined ? '' : ` of ${field.refers}`;
  const isRequired = field.required ?? false;
  const comment = `${choices ? `One of ${choices.join(', ')}` : `${words}${refers}`}. ${isRequired ? 'Required.' : 'May stay empty.'}`;
  return {
    field: isPath ? header : name,
    type: codes ? 'code' : field.type,
    isRequired,
    comment: isPath ? 'An object as JSON. May stay empty.' : comment,
    examples: isPath || field.refers === resource.name ? [] : (EXAMPLES[name] ?? examplesOf(field, examples)),
  };
}

function examplesOf({ codes, refers }: Field, examples: readonly string[]): readonly string[] {
  if (refers !== undefined) return ['1', '2'];
  if (!codes) return examples;
  const confirmed = Object.keys(codes).find((code) => codes[Number(code)] === 'confirmed');
  const [first = ''] = Object.keys(codes);
  return [confirmed ?? first, confirmed ?? first];
}
