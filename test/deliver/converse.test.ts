import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Conversation, converse } from '../../src/doors/counterpart/converse.ts';
import { TIME_LIMITS } from '../../src/doors/counterpart/time-limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const forever = () => new Promise<never>(() => undefined);

/** Starts a conversation of 60 s in all, and returns what becomes of it. */
function start(talk: (conversation: Conversation) => Promise<string>, signal = new AbortController().signal) {
  return converse('db:5432', { limits: TIME_LIMITS, signal }, 60_000, talk).catch((error: Error) => error.message);
}

it('a step that takes too long is named, with its limit, and what is under way is cut off', async () => {
  let signal: AbortSignal | undefined;
  const outcome = start((conversation) => {
    signal = conversation.signal;
    conversation.step('to take the connection', 20_000);
    return forever();
  });
  await vi.advanceTimersByTimeAsync(19_999);
  expect(signal?.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(signal?.aborted).toBe(true);
  expect(await outcome).toBe('db:5432 took longer than 20 s to take the connection');
});

it('a counterpart that does a little in each step meets the limit of the whole', async () => {
  const outcome = start(async ({ step }) => {
    for (;;) {
      step('to take rows', 20_000);
      await new Promise((resolve) => setTimeout(resolve, 19_000));
    }
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await outcome).toBe('db:5432 took longer than 60 s to take everything');
});

it('what the program itself does has no limit, and nothing is timed after the end', async () => {
  const outcome = start(async ({ step, rest }) => {
    step('to answer', 20_000);
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    rest();
    await new Promise((resolve) => setTimeout(resolve, 1_000_000));
    step('to answer', 20_000);
    return 'done';
  });
  await vi.advanceTimersByTimeAsync(1_010_000);
  expect(await outcome).toBe('done');
  expect(vi.getTimerCount()).toBe(0);
});

it('a stop ends a conversation at once, also one that goes on by itself', async () => {
  const stopping = new AbortController();
  const outcome = start(({ step }) => {
    step('to answer', 20_000);
    return forever();
  }, stopping.signal);
  stopping.abort(new Error('The server is stopping'));
  expect(await outcome).toBe('The server is stopping');
  expect(vi.getTimerCount()).toBe(0);
  expect(await start(forever, stopping.signal)).toBe('The server is stopping');
});
