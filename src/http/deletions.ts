import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../error.ts';
import {
  DEFAULT_DELETIONS,
  DELETION_HOURS,
  DELETION_RESOURCES,
  type DeletionCursor,
  formatCursor,
  isExpired,
  MAX_DELETIONS,
  parseCursor,
  readDeletions,
} from '../record/deletions.ts';
import type { Store } from '../record/store.ts';
import { httpError } from './errors.ts';
import { answerNode } from './nodes.ts';

/** Adds the lists of what was deleted, at paths with hyphens and with underscores. @param options Who may read them. */
export function registerDeletions(app: FastifyInstance, store: Store, options: object): void {
  for (const resource of DELETION_RESOURCES)
    for (const path of deletionPaths(resource))
      app.get(path, options, (request, reply) => answerDeletions(request, reply, store, resource));
}

/** The paths of a resource's deletions: /v3/deleted/logged-time and /v3/deleted/logged_time. */
export function deletionPaths(resource: string): string[] {
  return [...new Set([`/v3/deleted/${resource.replaceAll('_', '-')}`, `/v3/deleted/${resource}`])];
}

async function answerDeletions(
  request: FastifyRequest,
  reply: FastifyReply,
  store: Store,
  resource: string,
): Promise<FastifyReply> {
  const { limit, cursor } = readQuery(request.query as Readonly<Record<string, unknown>>, resource);
  const now = store.now();
  if (cursor && (await isExpired(store.reader, cursor, now)))
    throw httpError(
      410,
      `The cursor is older than ${DELETION_HOURS} hours, or of other data: deletions after it may be listed no more. Read all records again, then go on without a cursor`,
    );
  const { deletions, next, hasMore } = await readDeletions(store.reader, resource, cursor, limit, now);
  reply.headers({
    'x-pagination-next-cursor': formatCursor(next),
    'x-pagination-has-more': String(hasMore),
  });
  return answerNode(
    request,
    reply,
    deletions.map(({ id, timestamp }) => ({ id, timestamp })),
  );
}

/** @throws AppError usage naming every parameter that is wrong. */
function readQuery(
  query: Readonly<Record<string, unknown>>,
  resource: string,
): { readonly limit: number; readonly cursor: DeletionCursor | undefined } {
  const { limit = String(DEFAULT_DELETIONS), cursor } = query;
  const parsed = typeof cursor === 'string' ? parseCursor(resource, cursor) : undefined;
  const isLimit = /^\d{1,3}$/.test(String(limit)) && Number(limit) >= 1 && Number(limit) <= MAX_DELETIONS;
  const faults = [
    ...Object.keys(query)
      .filter((name) => !['limit', 'cursor'].includes(name))
      .map((field) => ({ field, message: `${field}: there is no such parameter` })),
    ...(isLimit ? [] : [{ field: 'limit', message: `limit: not a whole number from 1 to ${MAX_DELETIONS}` }]),
    ...(cursor === undefined || parsed
      ? []
      : [{ field: 'cursor', message: `cursor: not one that /v3/deleted/${resource} has given` }]),
  ];
  if (faults.length > 0)
    throw new AppError('usage', faults.map(({ message }) => message).join('; '), { fields: faults });
  return { limit: Number(limit), cursor: parsed };
}
