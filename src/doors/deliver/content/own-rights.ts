import type { Database } from '../../../base/database/index.ts';
import { AppError } from '../../../base/index.ts';
import type { PartFilters } from '../../../numbers/report/source/index.ts';
import { type Access, type Decision, readAccess } from '../../identity/access.ts';
import { joinParts, readOwnPart } from '../../identity/own-part.ts';
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
    const { part } = await readOwnPart(records, decision);
    return { seesRates: scopes.includes('reports') && scopes.includes('rates'), part: joinParts(only, part) };
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
