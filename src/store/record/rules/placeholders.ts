import { findResource } from '../../../records/resource/index.ts';
import { fieldFault } from '../body.ts';
import type { Transaction } from '../storage/transaction.ts';

/** The type of a person who is a placeholder for a role. */
export const ROLE_PLACEHOLDER = 4;

/**
 * Returns a role for a member of a team; undefined if it doesn't exist.
 * @param field The field to name in errors.
 * @throws AppError input when nobody has the role.
 */
export async function findHeldRole(
  transaction: Transaction,
  field: string,
  role: number,
): Promise<{ readonly name: string | null } | undefined> {
  const [found] = await transaction.rows<{ name: string | null; holders: number }>(`
    SELECT name, (
      SELECT count(*) FROM source.people WHERE people.role_id = ${role} AND people_type_id <> ${ROLE_PLACEHOLDER}
    ) AS holders
    FROM source.roles WHERE role_id = ${role}`);
  if (found?.holders === 0)
    throw fieldFault(
      field,
      `nobody holds the role ${role}; at least one person must hold it before it can be assigned to a project`,
    );
  return found;
}

/**
 * Creates a placeholder for a role, with the role's name.
 * @param field The field to name in errors.
 * @returns the person's id.
 * @throws AppError input when the role doesn't exist or nobody has it.
 */
export async function createPlaceholder(transaction: Transaction, field: string, role: number): Promise<number> {
  const found = await findHeldRole(transaction, field, role);
  if (!found) throw fieldFault(field, `there is no record ${role} in roles`);
  const people = findResource('people');
  const values = {
    ...people.defaults,
    name: found.name,
    job_title: found.name,
    role_id: role,
    people_type_id: ROLE_PLACEHOLDER,
  };
  const made = await transaction.insert(people, values);
  return Number(made[people.id]);
}
