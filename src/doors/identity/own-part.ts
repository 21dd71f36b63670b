import type { Database } from '../../base/database/index.ts';
import type { PartFilters, ReaderPart } from '../../numbers/report/source/index.ts';
import type { Decision } from './access.ts';
import { type AccountSearch, type FoundAccount, findAccount } from './own-account.ts';

/** The part of somebody who signs in, and the account that it is of. */
export interface OwnPart {
  /** Undefined: all. */
  readonly part: ReaderPart | undefined;
  readonly found: FoundAccount;
  /** True if no account was found where accounts have limits, so the rule's `otherwise` decides (L1). */
  readonly isOtherwise: boolean;
}

/** The part without lines. */
export const NOTHING: ReaderPart = { people_id: [] };

/**
 * Reads the part of somebody who signs in: the rows of a rule, within the department_filter of the own account (L1).
 * @param database Has the records.
 */
export async function readOwnPart(
  database: Database,
  { only, otherwise, email }: Pick<Decision, 'only' | 'otherwise' | 'email'>,
  keptAccount?: AccountSearch['keptAccount'],
): Promise<OwnPart> {
  const found = await findAccount(database, { email, keptAccount });
  const { accounts, haveLimits } = found;
  const isOtherwise = haveLimits && accounts.length === 0;
  const mine = await readMine(database, found, email);
  const limits = accounts.flatMap(({ departments }) => (departments === null ? [] : [departments]));
  const limited = { ...(only === 'mine' ? { mine } : only), ...(limits.length > 0 && { accounts: limits }) };
  const own = Object.keys(limited).length === 0 ? undefined : limited;
  return { part: isOtherwise ? within(own, otherwise, mine) : own, found, isOtherwise };
}

/** Returns what of a part is in that of `otherwise`. */
function within(
  part: ReaderPart | undefined,
  otherwise: Decision['otherwise'],
  mine: NonNullable<ReaderPart['mine']>,
): ReaderPart | undefined {
  if (otherwise === 'none') return NOTHING;
  if (otherwise === 'all') return part;
  return otherwise === 'mine' ? { ...part, mine } : joinParts(otherwise, part);
}

/** Returns the part whose lines are in both. Departments are meant with those below them, so each list stays a limit. */
export function joinParts(only: PartFilters | undefined, own: ReaderPart | undefined): ReaderPart | undefined {
  if (!only || !own) return only ?? own;
  const { department_id: departments, ...others } = only;
  const filters = Object.entries(others).map(([name, ids]) => {
    const owned = own[name as keyof typeof others];
    return [name, owned ? ids.filter((id) => owned.includes(id)) : ids] as const;
  });
  const { accounts = [] } = own;
  return { ...own, ...Object.fromEntries(filters), ...(departments && { accounts: [...accounts, departments] }) };
}

/** Reads the own person and account. With an account, the person is the one with its email: no other email makes another person. */
async function readMine(
  database: Database,
  { accounts }: FoundAccount,
  signedInEmail: string | undefined,
): Promise<NonNullable<ReaderPart['mine']>> {
  const [account] = accounts;
  const email = account ? account.email : signedInEmail;
  const people = await database.rows<{ id: number }>(
    `SELECT people_id AS id FROM source.people WHERE LOWER(TRIM(email)) = NULLIF($email, '') ORDER BY id`,
    { email: email ?? '' },
  );
  // An email of two people, or of two accounts, says of neither who signs in.
  if (people.length > 1 || accounts.length > 1) return { people_id: [], project_manager: [] };
  return { people_id: people.map(({ id }) => id), project_manager: accounts.map(({ id }) => id) };
}
