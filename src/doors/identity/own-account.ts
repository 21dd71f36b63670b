import type { Database } from '../../base/database/index.ts';

/** Somebody whose account is looked up: the email that counts, in small letters, and the account kept for the subject. */
export interface AccountSearch {
  readonly email: string | undefined;
  readonly keptAccount: number | undefined;
}

interface AccountRecord {
  readonly id: number;
  /** In small letters. */
  readonly email: string | null;
  /** Null: all. */
  readonly departments: readonly number[] | null;
}

/** The account of somebody, and how it was found. */
export interface FoundAccount {
  readonly by: 'subject' | 'email' | 'none';
  /** Several if an email is that of several accounts; none if none was found. */
  readonly accounts: readonly AccountRecord[];
  /** Says why none was found. */
  readonly reason: string | undefined;
  /** True if the data limit an account to departments, archived ones included. */
  readonly haveLimits: boolean;
}

/**
 * Finds the account of somebody: the one kept for the subject, or else those with the email (L1). An archived account
 * counts as gone.
 * @param database Has the records.
 */
export async function findAccount(database: Database, { email, keptAccount }: AccountSearch): Promise<FoundAccount> {
  const found = await database.rows<AccountRecord>(
    `SELECT account_id AS id, LOWER(TRIM(email)) AS email, department_filter AS departments FROM source.accounts
     WHERE active IS NOT FALSE AND (account_id = $kept OR LOWER(TRIM(email)) = NULLIF($email, '')) ORDER BY id`,
    { kept: keptAccount ?? -1, email: email ?? '' },
  );
  const [limited] = await database.rows<{ count: number }>(
    'SELECT CAST(COUNT(*) AS INTEGER) AS count FROM source.accounts WHERE department_filter IS NOT NULL',
  );
  const haveLimits = (limited?.count ?? 0) > 0;
  const kept = found.filter(({ id }) => id === keptAccount);
  if (kept.length > 0) return { by: 'subject', accounts: kept, reason: undefined, haveLimits };
  if (found.length > 0) return { by: 'email', accounts: found, reason: undefined, haveLimits };
  return { by: 'none', accounts: [], reason: describeLack(email, keptAccount), haveLimits };
}

function describeLack(email: string | undefined, keptAccount: number | undefined): string {
  if (keptAccount !== undefined) return `the account ${keptAccount} is archived or gone`;
  return email === undefined ? 'the issuer vouches for no email' : `no account has the email ${email}`;
}
