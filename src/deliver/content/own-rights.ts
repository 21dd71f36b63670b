import type { Database } from '../../database/database.ts';
import { AppError } from '../../error.ts';
import { type Access, type Decision, readAccess } from '../../identity/access.ts';
import { readOwnPart } from '../../identity/own-part.ts';
import type { PartFilters, ReaderPart } from '../../report/source/part-views.ts';
import type { DeliveryRights } from './ask-report.ts';

/**
 * Returns a function that tells the rights of somebody by an address of the records: those that the file of access gives
 * to this email, within the part of the delivery. Nobody in the file sees no costs.
 * @throws AppError input as readAccess.
 */
export async function readRights(
  accessFile: string | undefined,
  records: Database,
  only: PartFilters | undefined,
): Promise<(email: string | undefined) => Promise<DeliveryRights>> {
  const access = accessFile === undefined ? undefined : await readAccess(accessFile);
  return async (email) => {
    const decision = access && email !== undefined ? decideByEmail(access, email) : undefined;
    if (!decision) return { seesRates: false, part: only };
    const { scopes } = decision;
    const part = joinParts(only, await readOwnPart(records, decision));
    return { seesRates: scopes.includes('reports') && scopes.includes('rates'), part };
  };
}

/** Decides about somebody who has an email and doesn't sign in: undefined where another claim might decide before it. */
function decideByEmail(access: Access, email: string): Decision | undefined {
  const leftOut = Object.fromEntries(access.claimNames.map((name) => [name, '']));
  try {
    return access.decide({ email, email_verified: true, _claim_names: leftOut });
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return undefined;
    throw error;
  }
}

/** Returns the part whose lines are in both. Departments are meant with those below them, so each list stays a limit. */
function joinParts(only: PartFilters | undefined, own: ReaderPart | undefined): ReaderPart | undefined {
  if (!only || !own) return only ?? own;
  const { department_id: departments, ...others } = only;
  const filters = Object.entries(others).map(([name, ids]) => {
    const owned = own[name as keyof typeof others];
    return [name, owned ? ids.filter((id) => owned.includes(id)) : ids] as const;
  });
  const { accounts = [] } = own;
  return { ...own, ...Object.fromEntries(filters), ...(departments && { accounts: [...accounts, departments] }) };
}
