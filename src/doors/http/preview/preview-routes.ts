import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../base/index.ts';
import { type DecimalStyle, writePreviewJson } from '../../../numbers/write/index.ts';
import { readPreviewBody } from '../../../store/ask/index.ts';
import { answerInTurn } from '../protocol/answer-in-turn.ts';
import { readerKeyOf, requires } from '../protocol/auth.ts';
import { streamAnswer, writeAhead } from '../protocol/stream-answer.ts';
import { describePreviewOperation } from './preview-operation.ts';
import { type PreviewParts, previewFor } from './run-preview.ts';

/** Adds POST /v3/preview. */
export function registerPreview(app: FastifyInstance, parts: PreviewParts): void {
  const { catalogues, limits } = parts;
  const operations = { '/v3/preview': { post: describePreviewOperation(catalogues.full) } };
  app.post(
    '/v3/preview',
    { ...requires('reports'), config: { operations, takesSession: true, loggedAs: 'preview' } },
    async (request, reply) => {
      const body = readPreviewBody(request.body);
      const decimals = readDecimals(request.query);
      const answered = await answerInTurn(request, reply, limits.handlerTimeoutMs, async (turn, begin) => {
        const taker = { reader: readerKeyOf(request), signal: turn.signal, hasAliases: true };
        const { tables, notes } = await previewFor(request, reply, parts, body, taker);
        reply.headers({
          'cache-control': 'no-store',
          'content-type': 'application/json; charset=utf-8',
          'x-data-version': tables.before.meta.data_version,
        });
        const answer = await writeAhead(turn, writePreviewJson(tables, notes, decimals)[Symbol.asyncIterator]());
        begin();
        return streamAnswer(request, reply, answer, limits);
      });
      return answered ?? reply.hijack();
    },
  );
}

/** Reads the parameter for the form of decimals, the only one. @throws AppError usage for another parameter or value. */
function readDecimals(query: unknown): DecimalStyle {
  const { decimals = 'number', ...others } = query as Readonly<Record<string, unknown>>;
  const [other] = Object.keys(others);
  if (other === undefined && (decimals === 'number' || decimals === 'string')) return decimals;
  const field = other ?? 'decimals';
  const message =
    other === undefined
      ? `decimals: "${String(decimals)}" is not number or string`
      : `${other}: there is no such parameter; it takes decimals`;
  throw new AppError('usage', message, { fields: [{ field, message }] });
}
