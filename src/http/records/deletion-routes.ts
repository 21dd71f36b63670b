import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Store } from '../../live/store.ts';
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
} from '../../record/deletions.ts';
import { collectFaults } from '../../record/faults.ts';
import { type SentParameters, textOf } from '../../record/query-string.ts';
import { findResource } from '../../resource/resources.ts';
import { httpError } from '../protocol/errors.ts';
import { reportIgnored } from '../protocol/ignored.ts';
import { answerNode } from '../protocol/nodes.ts';
import { sentOf } from '../protocol/sent.ts';
import { describeDeletions } from './deletion-operations.ts';

/**
 * Adds the lists of deletions, at paths with hyphens and with underscores.
 * @param options Route options with the required scope.
 */
export function registerDeletions(app: FastifyInstance, store: Store | undefined, options: object): void {
  for (const resource of DELETION_RESOURCES) {
    const [first = '', ...others] = deletionPaths(resource);
    const operations = store && { [first]: { get: describeDeletions(resource, others) } };
    for (const path of [first, ...others])
      app.get(
        path,
        { ...options, config: { operations: path === first ? operations : undefined } },
        (request, reply) => {
          if (store) return answerDeletions(request, reply, store, resource);
          throw httpError(404, 'Deletions are listed by a server that takes changes: serve --write');
        },
      );
  }
}

/** Returns the paths of a resource's deletions: /v3/deleted/logged-time and /v3/deleted/logged_time. */
function deletionPaths(resource: string): string[] {
  return [...new Set([`/v3/deleted/${resource.replaceAll('_', '-')}`, `/v3/deleted/${resource}`])];
}

async function answerDeletions(
  request: FastifyRequest,
  reply: FastifyReply,
  store: Store,
  resource: string,
): Promise<FastifyReply> {
  const { limit, cursor, ignored } = parseDeletionQuery(sentOf(request), resource);
  reportIgnored(request, reply, { parameters: ignored, fields: [] });
  const { id: ownId } = findResource(resource);
  const now = store.now();
  if (cursor && (await isExpired(store.reader, cursor, now)))
    throw httpError(
      410,
      `The cursor is older than ${DELETION_HOURS} hours or belongs to other data, so some later deletions may be missing. Read all records again, then continue without a cursor`,
    );
  const { deletions, next, hasMore } = await readDeletions(store.reader, resource, cursor, limit, now);
  reply.headers({
    'x-pagination-next-cursor': formatCursor(next),
    'x-pagination-has-more': String(hasMore),
  });
  return answerNode(
    request,
    reply,
    deletions.map(({ id, timestamp }) => ({ id, [ownId]: id, timestamp })),
  );
}

/** Parses a query of deletions. @throws AppError usage naming every wrong parameter. */
function parseDeletionQuery(
  sent: SentParameters,
  resource: string,
): { readonly limit: number; readonly cursor: DeletionCursor | undefined; readonly ignored: readonly string[] } {
  const faults = collectFaults();
  const limit = faults.collect('limit', () => parseLimit(textOf(sent, 'limit') ?? String(DEFAULT_DELETIONS)));
  const cursor = faults.collect('cursor', () => parseSentCursor(resource, textOf(sent, 'cursor')));
  faults.throwAll();
  const ignored = [...sent.keys()].filter((name) => name !== 'limit' && name !== 'cursor');
  return { limit: limit ?? DEFAULT_DELETIONS, cursor, ignored };
}

/** Parses a limit; one above the maximum is served as the maximum, as in every list (4.1). */
function parseLimit(text: string): number {
  if (/^\d{1,15}$/.test(text) && Number(text) >= 1) return Math.min(MAX_DELETIONS, Number(text));
  throw new Error(`${JSON.stringify(text)} is not a whole number from 1`);
}

function parseSentCursor(resource: string, text: string | undefined): DeletionCursor | undefined {
  const cursor = text === undefined ? undefined : parseCursor(resource, text);
  if (text === undefined || cursor) return cursor;
  throw new Error(`not a cursor of /v3/deleted/${resource}`);
}
