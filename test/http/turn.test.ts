import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { beforeEach, describe, expect, it } from 'vitest';
import { inTurns, mapInTurns } from '../../src/base/pace.ts';
import { answerInTurn } from '../../src/doors/http/protocol/answer-in-turn.ts';
import { makeFairSemaphore } from '../../src/doors/http/protocol/fair-semaphore.ts';
import type { Turn } from '../../src/store/ask/turn.ts';

const semaphore = makeFairSemaphore({ permits: 1, queueLength: 9, activeMs: 0, retryAfterSeconds: 1 });
const request = { ip: '127.0.0.1', reader: undefined } as unknown as FastifyRequest;
const generations = {
  lease: () => ({ open: () => Promise.reject(new Error('Not needed')), release: () => events.push('lease') }),
};

let events: string[] = [];
let response: EventEmitter & { destroyed: boolean };
beforeEach(() => {
  events = [];
  response = Object.assign(new EventEmitter(), { destroyed: false });
});

const answer = <T>(use: (turn: Turn, begin: () => void) => Promise<T>, timeoutMs?: number) =>
  answerInTurn(request, { raw: response } as unknown as FastifyReply, timeoutMs, use);

/** Takes a lease, a permit and two more things, whose names are noted when they are given back. */
async function takeAll(turn: Turn): Promise<void> {
  turn.lease(generations.lease);
  await turn.take(semaphore);
  turn.atEnd(() => events.push(`permits ${semaphore.held()}`));
  turn.atEnd(() => events.push('last'));
}

/** Closes the connection as its client does. */
function leave(): void {
  response.destroyed = true;
  response.emit('close');
}

describe('a turn', () => {
  it('gives everything back in the reverse order, and nothing is held afterwards', async () => {
    expect(await answer(async (turn) => takeAll(turn).then(() => 'answered'))).toBe('answered');
    expect(events).toEqual(['last', 'permits 1', 'lease']);
    expect(semaphore.held()).toBe(0);
  });

  it('gives back the rest when its answer fails, and when giving back fails', async () => {
    const fail = (turn: Turn) => takeAll(turn).then(() => Promise.reject(new Error('No answer')));
    await expect(answer(fail)).rejects.toThrow('No answer');
    const failLater = (turn: Turn) => takeAll(turn).then(() => turn.atEnd(() => Promise.reject(new Error('No end'))));
    await expect(answer(failLater)).rejects.toThrow('No end');
    expect(events).toEqual(['last', 'permits 1', 'lease', 'last', 'permits 1', 'lease']);
    expect(semaphore.held()).toBe(0);
  });

  it('ends its wait with its deadline, unless the answer has begun', async () => {
    const release = await semaphore.acquire('another', new AbortController().signal);
    await expect(answer(takeAll, 1)).rejects.toMatchObject({ statusCode: 503 });
    expect([events, semaphore.waiting()]).toEqual([['lease'], 0]);
    release();
    const begun = answer(async ({ signal }, begin) => {
      begin();
      await new Promise((resolve) => setTimeout(resolve, 5));
      return signal.aborted;
    }, 1);
    expect(await begun).toBe(false);
  });

  it('ends the work on rows with its deadline, and when its client leaves', async () => {
    // Without a signal this takes a second.
    const hold = () => {
      for (const end = performance.now() + 5; performance.now() < end; );
    };
    const work = () => mapInTurns(Array.from({ length: 200 }), hold);
    const write = async () => {
      for await (const _ of inTurns(Readable.from([Array.from({ length: 5_000 })]))) hold();
    };
    const works: readonly (() => Promise<unknown>)[] = [work, write];
    for (const each of works) await expect(answer(each, 1)).rejects.toMatchObject({ statusCode: 503 });
    const working = answer(work);
    setImmediate(leave);
    expect(await working).toBeUndefined();
  });

  it('ends its wait when its client leaves', async () => {
    const release = await semaphore.acquire('another', new AbortController().signal);
    const waiting = answer(takeAll);
    leave();
    expect(await waiting).toBeUndefined();
    expect([events, semaphore.waiting()]).toEqual([['lease'], 0]);
    release();
  });

  it('is not taken for a client that has left', async () => {
    leave();
    expect(await answer(takeAll)).toBeUndefined();
    expect([events, semaphore.held()]).toEqual([[], 0]);
  });
});
