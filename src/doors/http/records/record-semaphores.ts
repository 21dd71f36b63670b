import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { takeTurn } from '../../../store/ask/index.ts';
import type { Store } from '../../../store/live/index.ts';
import { openDeadline } from '../protocol/answer-in-turn.ts';
import { readerKeyOf } from '../protocol/auth.ts';
import type { FairSemaphore } from '../protocol/fair-semaphore.ts';

/** Never aborted: a write that has begun is completed. */
const NEVER = new AbortController().signal;

/**
 * Limits concurrent reads of records on an app's routes.
 * A permit is held until the answer is computed, not until it is sent.
 */
export function limitReads(app: FastifyInstance, semaphore: FairSemaphore): void {
  const releases = new WeakMap<FastifyReply, () => void>();
  app.addHook('preHandler', async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return;
    const release = await semaphore.acquire(readerKeyOf(request), openDeadline(reply.raw).signal);
    releases.set(reply, release);
    reply.raw.once('close', release);
  });
  app.addHook('onSend', async (_request, reply) => releases.get(reply)?.());
}

export function limitWrites(store: Store, semaphore: FairSemaphore): Store {
  return {
    ...store,
    write: (writer, work) =>
      takeTurn({ reader: writer.id, seesRates: writer.seesRates, signal: NEVER }, async (turn) => {
        await turn.take(semaphore);
        return store.write(writer, work);
      }),
  };
}
