import { AppError, isObject } from '../../../base/index.ts';
import { type ReaderPart, selectMembers } from '../../../numbers/report/source/index.ts';
import { findResource } from '../../../records/resource/index.ts';
import { parseSentId, type Transaction } from '../../../store/record/index.ts';

/** The references of an entry, by field. */
const REFERENCES = { project_id: 'projects', phase_id: 'phases', task_meta_id: 'project_tasks' } as const;

/**
 * Refuses a new record of a project of which a reader's part has not all, in the words for one that doesn't exist: they tell nothing of others.
 * @throws AppError input naming the first such reference.
 */
export async function refuseOutside(transaction: Transaction, part: ReaderPart, body: unknown): Promise<void> {
  const sent: Readonly<Record<string, unknown>> = isObject(body) ? body : {};
  const [{ name = '' } = {}] = await transaction.rows<{ name: string }>('SELECT current_database() AS name');
  const whole = `SELECT id FROM (${selectMembers(part, name).projects}) AS members WHERE "isWhole"`;
  for (const [field, resource] of Object.entries(REFERENCES)) {
    const id = parseSentId(sent[field]);
    if (id === null) continue;
    const { table, id: key } = findResource(resource);
    const found = await transaction.rows(`SELECT 1 FROM ${table} WHERE ${key} = ${id} AND project_id IN (${whole})`);
    if (found.length > 0) continue;
    const message = `${field}: there is no record ${id} in ${resource}`;
    throw new AppError('input', message, { fields: [{ field, message }] });
  }
}
