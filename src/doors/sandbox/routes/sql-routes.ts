import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { AppError } from '../../../base/index.ts';
import { type Company, describeLoading } from '../../../numbers/report/catalogue/index.ts';
import { FORMATS, SQL_FORMATS, writeSqlAnswer } from '../../../numbers/write/index.ts';
import { chooseOffer } from '../../http/protocol/accept.ts';
import { httpError } from '../../http/protocol/errors.ts';
import type { ServerParts } from '../../http/protocol/server-parts.ts';
import { streamAnswer } from '../../http/protocol/stream-answer.ts';
import { tableOf } from '../result-table.ts';
import { sqlBody } from '../sql-body.ts';
import { describeSqlOperation } from './sql-operations.ts';
import type { StatementRunner } from './statements.ts';

export interface SqlParts extends Pick<ServerParts, 'catalogues' | 'kept' | 'limits' | 'now'> {
  readonly run: StatementRunner;
  /** Options of routes that need the scope `sql`. */
  readonly guard: RouteShorthandOptions;
  readonly company: () => Pick<Company, 'currency' | 'minorUnits' | 'loadedAt' | 'sourceUrl' | 'syncedAt'>;
}

/** Adds POST /v3/sql. */
export function registerSql(app: FastifyInstance, parts: SqlParts): void {
  const { guard, catalogues, run, kept, company, limits, now } = parts;
  const operations = { '/v3/sql': { post: describeSqlOperation(catalogues.full) } };
  app.post(
    '/v3/sql',
    { ...guard, config: { operations, takesSession: true, loggedAs: 'export' } },
    async (request, reply) => {
      const { mediaType, format } = chooseFormat(request.headers.accept);
      const body = sqlBody.read(request.body);
      const { files, opened } = await kept.files(body.named);
      const answer = await run(request, reply, body, files).catch(nameField);
      if (!answer) return reply.hijack();
      const known = opened?.company ?? company();
      const table = tableOf(answer, { ...body, company: known, loading: describeLoading(known), now: now() });
      reply.headers({
        'cache-control': 'no-store',
        'content-type': mediaType,
        'x-data-version': answer.dataVersion,
        'x-truncated': String(answer.isTruncated),
      });
      const pieces = writeSqlAnswer(format, table, answer)[Symbol.asyncIterator]();
      return streamAnswer(request, reply, { pieces, first: await pieces.next() }, limits);
    },
  );
}

const OFFERS = SQL_FORMATS.map((format) => ({ format, mediaType: FORMATS[format].mediaType }));

/** @throws an error of status 406 when a client accepts none. */
function chooseFormat(accept: string | undefined): (typeof OFFERS)[number] {
  const chosen = chooseOffer(accept, OFFERS);
  if (chosen) return chosen;
  const known = OFFERS.map(({ mediaType }) => mediaType.split(';')[0]).join(', ');
  throw httpError(406, `None of the types in Accept is available. The formats are ${known}`);
}

/** @throws the error of a statement, with the field that it concerns. */
function nameField(error: unknown): never {
  if (!(error instanceof AppError) || error.fields.length > 0) throw error;
  const { code, message, hint } = error;
  // Any error without a field concerns the statement.
  throw new AppError(code, message, {
    fields: [{ field: 'sql', message }],
    ...(hint === undefined ? {} : { hint }),
    cause: error,
  });
}
