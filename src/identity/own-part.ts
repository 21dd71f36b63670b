import type { Database } from '../database/database.ts';
import type { ReaderPart } from '../report/source/part-views.ts';
import type { Decision } from './access.ts';

interface EmailRecords {
  readonly people: readonly number[];
  readonly accounts: readonly { readonly id: number; readonly departments: readonly number[] | null }[];
}

/**
 * Reads the part of somebody who signs in: the rows of a rule, within the department_filter of the accounts with the email (L1).
 * @param database Has the records.
 * @returns undefined if all is seen.
 */
export async function readOwnPart(
  database: Database,
  { only, email }: Pick<Decision, 'only' | 'email'>,
): Promise<ReaderPart | undefined> {
  const { people, accounts } = email === undefined ? NOBODY : await readRecords(database, email);
  const limits = accounts.flatMap(({ departments }) => (departments === null ? [] : [departments]));
  // An email of two people, or of two accounts, says of neither who signs in.
  const isOne = people.length <= 1 && accounts.length <= 1;
  const own = isOne
    ? { people_id: people, project_manager: accounts.map(({ id }) => id) }
    : { people_id: [], project_manager: [] };
  const part = { ...(only === 'mine' ? { mine: own } : only), ...(limits.length > 0 && { accounts: limits }) };
  return Object.keys(part).length === 0 ? undefined : part;
}

const NOBODY: EmailRecords = { people: [], accounts: [] };

async function readRecords(database: Database, email: string): Promise<EmailRecords> {
  const people = await database.rows<{ id: number }>(
    'SELECT people_id AS id FROM source.people WHERE LOWER(TRIM(email)) = $email ORDER BY id',
    { email },
  );
  const accounts = await database.rows<{ id: number; departments: number[] | null }>(
    'SELECT account_id AS id, department_filter AS departments FROM source.accounts WHERE LOWER(TRIM(email)) = $email ORDER BY id',
    { email },
  );
  return { people: people.map(({ id }) => id), accounts };
}
