import { findResource } from '../../../records/resource/index.ts';
import { DEFAULT_DELETIONS, DELETION_HOURS, MAX_DELETIONS } from '../../../store/record/index.ts';
import { errors } from '../protocol/operations.ts';
import { answerContent, headersOf, LIST_HEADERS, READ_HEADERS } from './record-operations.ts';
import { nameParameters, pageParameters } from './record-parameters.ts';

/** Describes the list of a resource's deletions. @param others The other paths of the list. */
export function describeDeletions(resource: string, others: readonly string[]): object {
  const also = others.length > 0 ? ` Also at ${others.join(', ')}.` : '';
  const { id: ownId } = findResource(resource);
  const id = { type: resource === 'logged_time' ? 'string' : 'integer' };
  const properties = { id, [ownId]: id, timestamp: { type: 'string', description: 'YYYY-MM-DD HH:MM:SS, UTC.' } };
  return {
    operationId: `deleted.${resource}`,
    summary: `List deleted records of ${resource}`,
    description: `Deletions of the last ${DELETION_HOURS} hours, oldest first, each at least once.${also}`,
    parameters: [
      {
        name: 'limit',
        in: 'query',
        description: `The size of a page, before per-page. At most ${MAX_DELETIONS}; higher values count as ${MAX_DELETIONS}.`,
        schema: { type: 'integer', minimum: 1, default: DEFAULT_DELETIONS },
      },
      {
        name: 'cursor',
        in: 'query',
        description: 'X-Pagination-Next-Cursor of the previous answer.',
        schema: { type: 'string' },
      },
      ...pageParameters(DEFAULT_DELETIONS),
      ...nameParameters(Object.keys(properties), []),
    ],
    responses: {
      '200': {
        description: 'A page of the deletions after the cursor. Pages after the last are empty.',
        headers: headersOf([...LIST_HEADERS, 'X-Pagination-Next-Cursor', 'X-Pagination-Has-More', ...READ_HEADERS]),
        content: answerContent({ type: 'array', items: { type: 'object', properties } }),
      },
      ...errors([400, 401, 403, 406, 410, 414, 429, 500, 503]),
    },
  };
}
