import type { FastifyInstance } from 'fastify';
import { FORMATS } from '../../../numbers/write/index.ts';
import { findKeptState, spellKey, writeCloseMemo } from '../../../store/history/index.ts';
import { answerInTurn } from '../protocol/answer-in-turn.ts';
import { authorize, requires } from '../protocol/auth.ts';
import { describeMemo } from './closings-operations.ts';
import { type ClosingParts, openPresent } from './present-data.ts';

/** Adds the memo of a closing: one page of Excel, with costs. */
export function registerMemo(app: FastifyInstance, parts: ClosingParts): void {
  const { config, limits } = parts;
  const operations = { '/v3/closings/{name}/memo.xlsx': { get: describeMemo() } };
  app.get<{ Params: { name: string } }>(
    '/v3/closings/:name/memo.xlsx',
    { ...requires('reports'), config: { operations } },
    async (request, reply) => {
      authorize(request, reply, 'rates');
      const state = await findKeptState(config.database, request.params.name);
      const bytes = await answerInTurn(request, reply, limits.handlerTimeoutMs, async (turn) => {
        const { context, finish } = await openPresent(turn, parts);
        try {
          const data = { database: context.whole, now: context.now, signal: turn.signal };
          // One page: its bytes are few, and the data may be closed before they are sent.
          const pieces: Buffer[] = [];
          for await (const piece of await writeCloseMemo(config.database, data, state)) pieces.push(piece);
          return Buffer.concat(pieces);
        } finally {
          finish();
        }
      });
      if (!bytes) return reply.hijack();
      return reply
        .headers({
          'cache-control': 'no-store',
          'content-type': FORMATS.xlsx.mediaType,
          'content-disposition': `attachment; filename="memo-${spellKey(state)}.xlsx"`,
        })
        .send(bytes);
    },
  );
}
