import type { Value } from '../../database/database.ts';
import type { Row } from '../node.ts';
import type { Transaction } from '../storage/transaction.ts';

/**
 * Returns an SQL condition that selects the logged time of a project, or of one of its phases.
 * Time without a project belongs to its allocation's or project task's: see core.logged_time (D8).
 */
export function isLoggedAt(project: number, phase?: number): string {
  const isThere = `project_id = ${project}${phase === undefined ? '' : ` AND phase_id = ${phase}`}`;
  return `logged_time_id IN (SELECT logged_time_id FROM core.logged_time WHERE ${isThere})`;
}

/**
 * Returns the project and phase of logged time by id (D8).
 * @param where SQL over the records.
 */
export async function readPlaces(transaction: Transaction, where: string): Promise<ReadonlyMap<Value, Row>> {
  const found = await transaction.rows<{ id: string; project_id: number; phase_id: number | null }>(
    `SELECT logged_time_id AS id, project_id, NULLIF(phase_id, 0) AS phase_id FROM core.logged_time WHERE ${where}`,
  );
  return new Map(found.map(({ id, project_id, phase_id }) => [id, { project_id, phase_id }]));
}
