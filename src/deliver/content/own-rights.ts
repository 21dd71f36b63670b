import { AppError } from '../../error.ts';
import { type Access, type Decision, readAccess } from '../../identity/access.ts';
import type { ReaderPart } from '../../report/source/part-views.ts';
import type { DeliveryRights } from './ask-report.ts';

/**
 * Returns a function that tells the rights of somebody by an address of the records: those that the file of access gives
 * to this email, within the part of the delivery. Nobody in the file sees no costs.
 * @throws AppError input as readAccess.
 */
export async function readRights(
  accessFile: string | undefined,
  only: ReaderPart | undefined,
): Promise<(email: string | undefined) => DeliveryRights> {
  const access = accessFile === undefined ? undefined : await readAccess(accessFile);
  return (email) => {
    const decision = access && email !== undefined ? decideByEmail(access, email) : undefined;
    const { scopes = [] } = decision ?? {};
    const seesAll = decision?.only === undefined;
    return { seesRates: scopes.includes('reports') && scopes.includes('rates') && seesAll, part: only };
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
