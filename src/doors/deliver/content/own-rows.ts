import type { Database, Value } from '../../../base/database/index.ts';
import type { Table } from '../../../numbers/report/catalogue/index.ts';
import { type EachRecipient, OWN_ROWS } from '../setup/delivery-setup.ts';

/** Somebody who gets the own rows of a report. */
export interface OwnRows {
  /** The value of the parameter that limits the report to them. */
  readonly id: string;
  readonly name: string;
  /** The addresses; none if no record has one. */
  readonly addresses: readonly string[];
}

/** Relations by which a row of a project or a person belongs to somebody else: the column of the row, and the statement. */
const BY_RECORD: Readonly<Partial<Record<EachRecipient, readonly [column: string, sql: string]>>> = {
  project_manager: ['project_id', 'SELECT project_id AS key, project_manager AS owner FROM marts.projects'],
  client: ['project_id', 'SELECT project_id AS key, client_id AS owner FROM marts.projects'],
  department: ['people_id', 'SELECT people_id AS key, department_id AS owner FROM marts.people'],
};

/** The names and addresses of recipients. Records are only in the whole database. */
const RECIPIENTS: Readonly<Record<EachRecipient, string>> = {
  person: 'SELECT people_id AS id, name, email FROM source.people',
  project_manager: 'SELECT account_id AS id, name, email FROM source.accounts',
  client: 'SELECT client_id AS id, client AS name, NULL AS email FROM marts.clients',
  department: 'SELECT department_id AS id, department AS name, NULL AS email FROM marts.departments',
};

/** Returns a function that tells whose a row is: the recipient's id; undefined if nobody's. */
export async function readOwners(
  { columns }: Pick<Table, 'columns'>,
  each: EachRecipient,
  whole: Database,
): Promise<(row: readonly Value[]) => string | undefined> {
  const at = (name: string | undefined) => columns.findIndex((column) => column.name === name);
  const ownAt = at(OWN_ROWS[each]);
  const idOf = (value: Value | undefined) => (value == null || Number(value) === 0 ? undefined : String(value));
  if (ownAt >= 0) return (row) => idOf(row[ownAt]);
  const [column, sql = ''] = BY_RECORD[each] ?? [];
  const found = await whole.rows<{ key: Value; owner: Value }>(sql);
  const owners = new Map(found.map(({ key, owner }) => [String(key), idOf(owner)]));
  const keyAt = at(column);
  return (row) => owners.get(String(row[keyAt]));
}

/** Reads the names and addresses of recipients. @param addressesOf Those of clients and departments, by name or id. */
export async function readRecipients(
  ids: ReadonlySet<string>,
  each: EachRecipient,
  addressesOf: ReadonlyMap<string, readonly string[]>,
  whole: Database,
): Promise<OwnRows[]> {
  const found = await whole.rows<{ id: Value; name: string | null; email: string | null }>(RECIPIENTS[each]);
  const byId = new Map(found.map((record) => [String(record.id), record]));
  // A name that two have, or that is the id of another, is nobody's own.
  const counts = new Map<string | null, number>();
  for (const { name } of found) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isOwn = (name: string) => !byId.has(name) && counts.get(name) === 1;
  return [...ids].map((id) => {
    const { name, email } = byId.get(id) ?? { name: null, email: null };
    const listed = addressesOf.get(id) ?? (name !== null && isOwn(name) ? addressesOf.get(name) : undefined) ?? [];
    return { id, name: name ?? `${each.replace('_', ' ')} ${id}`, addresses: email ? [email.trim()] : listed };
  });
}
