import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { collectFaults } from '../../../base/index.ts';
import { findResource } from '../../../records/resource/index.ts';
import type { Store } from '../../../store/live/index.ts';
import {
  chooseNames,
  DEFAULT_DELETIONS,
  DELETION_HOURS,
  DELETION_RESOURCES,
  type DeletionCursor,
  formatCursor,
  isCursorExpired,
  MAX_DELETIONS,
  PAGE_PARAMETERS,
  type PageBounds,
  parseCursor,
  parseWholeNumber,
  readDeletions,
  readPageBounds,
  type SentParameters,
  sentOf,
  textOf,
  type View,
} from '../../../store/record/index.ts';
import { httpError } from '../protocol/errors.ts';
import { pageHeaders } from '../protocol/headers.ts';
import { reportIgnored } from '../protocol/ignored.ts';
import { answerNode } from '../protocol/nodes.ts';
import { describeDeletions } from './deletion-operations.ts';

/** Parameters of a list of deletions. `limit` takes the place of `per-page`. */
const DELETION_PARAMETERS: ReadonlySet<string> = new Set([...PAGE_PARAMETERS, 'limit', 'cursor', 'fields', 'expand']);

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
  const { id: ownId } = findResource(resource);
  const query = parseDeletionQuery(sentOf(request), resource, ['id', ownId, 'timestamp']);
  const { page, perPage, cursor } = query;
  reportIgnored(request, reply, { parameters: query.ignored, fields: [] });
  const now = store.now();
  if (cursor && (await isCursorExpired(store.reader, cursor, now)))
    throw httpError(
      410,
      `The cursor is older than ${DELETION_HOURS} hours or belongs to other data, so some later deletions may be missing. Read all records again, then continue without a cursor`,
    );
  const { deletions, total, next, hasMore } = await readDeletions(store.reader, resource, cursor, query, now);
  reply.headers({
    ...pageHeaders(page, perPage, total),
    'x-pagination-next-cursor': formatCursor(next),
    'x-pagination-has-more': String(hasMore),
  });
  const isChosen = (name: string) => query.fields?.includes(name) ?? true;
  return answerNode(
    request,
    reply,
    deletions.map(({ id, timestamp }) =>
      Object.fromEntries(Object.entries({ id, [ownId]: id, timestamp }).filter(([name]) => isChosen(name))),
    ),
  );
}

interface DeletionQuery extends PageBounds, View {
  readonly cursor: DeletionCursor | undefined;
}

/** Parses a query of deletions with these fields. @throws AppError usage naming every wrong parameter. */
function parseDeletionQuery(sent: SentParameters, resource: string, shown: readonly string[]): DeletionQuery {
  const faults = collectFaults();
  const { page, perPage } = readPageBounds(sent, DEFAULT_DELETIONS, faults);
  const limit = faults.collect('limit', () => parseLimit(textOf(sent, 'limit')));
  const cursor = faults.collect('cursor', () => parseSentCursor(resource, textOf(sent, 'cursor')));
  const view = chooseNames(sent, shown, [], faults);
  faults.throwAll();
  const unknown = [...sent.keys()].filter((name) => !DELETION_PARAMETERS.has(name));
  return { ...view, page, perPage: limit ?? perPage, cursor, ignored: [...unknown, ...view.ignored] };
}

/** Parses a limit; one above the maximum is served as the maximum, as in every list (4.1). */
function parseLimit(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Math.min(MAX_DELETIONS, parseWholeNumber(text, 1));
}

function parseSentCursor(resource: string, text: string | undefined): DeletionCursor | undefined {
  const cursor = text === undefined ? undefined : parseCursor(resource, text);
  if (text === undefined || cursor) return cursor;
  throw new Error(`not a cursor of /v3/deleted/${resource}`);
}
