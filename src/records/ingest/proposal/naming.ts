import type { Sample } from '../sample/sample.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import type { Links } from './linked-tables.ts';
import { type Columns, formatColumns, quote } from './mapping-entry.ts';

/** The columns that name the people, projects and tasks of all files, so that files meet in the same ids. */
export interface Naming {
  /** True if people of one name are told apart by their e-mail. */
  readonly usesEmail: boolean;
  /** True if projects of one name belong to different clients, or every file names the clients. */
  readonly usesClient: boolean;
  /** True if a file has the plan in rows. */
  readonly hasPlan: boolean;
  /** The files that are linked by ids. */
  readonly links: ReadonlyMap<Sample, Links>;
}

/** Finds out which columns name people and projects. */
export function findNaming(tables: readonly SampleTable[], links: ReadonlyMap<Sample, Links>): Naming {
  const people = tables.filter((table) => personColumns(table) !== undefined);
  const emails = new Map<string, Set<string>>();
  for (const table of people) {
    const [columns, email] = [personColumns(table), table.find('email')];
    if (columns === undefined || email === undefined) continue;
    for (const record of table.records()) {
      const name = [columns].flat().map(record).join(' ');
      if (record(email) !== '') emails.set(name, new Set([...(emails.get(name) ?? []), record(email)]));
    }
  }
  const hasTwins = [...emails.values()].some((each) => each.size > 1);
  const projects = tables.filter((table) => table.find('project') !== undefined);
  return {
    links,
    hasPlan: tables.some((table) => table.layout?.kind === 'plan' || table.find('day_hours') !== undefined),
    usesEmail: hasTwins && people.every((table) => table.find('email') !== undefined),
    usesClient: projects.every((table) => table.find('client') !== undefined) || hasClientsOfOneName(projects),
  };
}

function hasClientsOfOneName(tables: readonly SampleTable[]): boolean {
  const clients = new Map<string, Set<string>>();
  for (const table of tables) {
    const [project, client] = [table.find('project'), table.find('client')];
    if (client === undefined) continue;
    for (const record of table.records())
      clients.set(record(project), new Set([...(clients.get(record(project)) ?? []), record(client)]));
  }
  return [...clients].some(([name, each]) => name !== '' && each.size > 1);
}

export function personColumns(table: SampleTable): Columns | undefined {
  const [first, last, called] = [table.find('first_name'), table.find('last_name'), table.find('name')];
  const given = first ?? (last === undefined ? undefined : called);
  const family = last ?? (first === undefined || first === called ? undefined : called);
  if (given !== undefined && family !== undefined && given !== family) return [given, family];
  const name = table.find('project') === undefined || table.find('date', 'start_time') ? called : undefined;
  const people = table.findAll('person');
  // A number is read only where no column has names.
  const named = people.find((header) => table.layout || table.cells(header).some(({ text }) => /\p{L}{2}/u.test(text)));
  return named ?? name ?? people[0] ?? (table.layout ? undefined : table.find('email'));
}

export function personSources(
  table: SampleTable,
  { usesEmail }: Naming,
): { readonly id: string; readonly name: string } | undefined {
  const columns = personColumns(table);
  if (columns === undefined) {
    const name = table.layout?.person;
    return name === undefined ? undefined : { id: `{named: ${quote(name)}}`, name: `{value: ${quote(name)}}` };
  }
  const texts = typeof columns === 'string' ? table.cells(columns) : [];
  const isLastFirst = texts.length > 0 && texts.every(({ text }) => /^[^,]+, ?[^,]+$/.test(text));
  const email = table.find('email');
  const id = usesEmail && email !== undefined ? [...[columns].flat(), email] : columns;
  const modifiers = `${isLastFirst ? ', order: last-first' : ''}${filled(table, columns)}`;
  return {
    id: `{name: ${formatColumns(id)}${modifiers}}`,
    name: modifiers === '' ? formatColumns(columns) : `{column: ${formatColumns(columns)}${modifiers}}`,
  };
}

/** Returns the source of the id of what columns name. */
export function namedId(table: SampleTable, columns: Columns | undefined): string | undefined {
  return columns && `{name: ${formatColumns(columns)}${filled(table, columns)}}`;
}

/** Returns the columns that name a project, from its client on. */
export function projectColumns(table: SampleTable, { usesClient }: Naming): Columns | undefined {
  const [project, client] = [table.find('project'), table.find('client')];
  // Work for a client without a project is that of a project that is called as the client is.
  if (project === undefined && client !== undefined && table.find('date') !== undefined) return client;
  return project === undefined || client === undefined || !usesClient ? project : [client, project];
}

/** Returns the end of a source whose blank cells have the value above. */
export function filled(table: SampleTable, columns: Columns): string {
  return [columns].flat().some((column) => table.layout?.fill.includes(column)) ? ', fill: down' : '';
}
