import { DEFAULT_DELETIONS, DELETION_HOURS, MAX_DELETIONS } from '../../record/deletions.ts';
import { findResource } from '../../resource/resources.ts';
import { errors, reference } from '../protocol/operations.ts';

/** Describes the list of a resource's deletions. @param others The other paths of the list. */
export function describeDeletions(resource: string, others: readonly string[]): object {
  const also = others.length > 0 ? ` Also at ${others.join(', ')}.` : '';
  const { id: ownId } = findResource(resource);
  const id = { type: resource === 'logged_time' ? 'string' : 'integer' };
  const item = {
    type: 'object',
    required: ['id', ownId, 'timestamp'],
    properties: { id, [ownId]: id, timestamp: { type: 'string', description: 'YYYY-MM-DD HH:MM:SS, UTC.' } },
  };
  return {
    operationId: `deleted.${resource}`,
    summary: `List deleted records of ${resource}`,
    description: `Deletions of the last ${DELETION_HOURS} hours, oldest first, each at least once.${also}`,
    parameters: [
      {
        name: 'limit',
        in: 'query',
        description: `At most ${MAX_DELETIONS}; higher values count as ${MAX_DELETIONS}.`,
        schema: { type: 'integer', minimum: 1, default: DEFAULT_DELETIONS },
      },
      {
        name: 'cursor',
        in: 'query',
        description: 'X-Pagination-Next-Cursor of the previous answer.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      '200': {
        description: 'Deletions after the cursor.',
        headers: Object.fromEntries(
          ['X-Pagination-Next-Cursor', 'X-Pagination-Has-More'].map((header) => [header, reference('headers', header)]),
        ),
        content: {
          'application/json': { schema: { type: 'array', items: item } },
          'application/xml': { schema: {} },
        },
      },
      ...errors([400, 401, 403, 406, 410, 414, 429, 500, 503]),
    },
  };
}
