import { beforeEach, describe, expect, it } from 'vitest';
import {
  type FairSemaphore,
  makeFairSemaphore,
  type SemaphoreOptions,
} from '../../src/doors/http/protocol/fair-semaphore.ts';

/** Makes the signal of a request, as each has its own. */
const neverAborted = () => new AbortController().signal;
const OPTIONS: SemaphoreOptions = {
  permits: 2,
  permitsEach: 1,
  queueLength: 100,
  queueLengthEach: 10,
  activeMs: 1_000,
  retryAfterSeconds: 2,
};

let time = 0;
let semaphore: FairSemaphore;
let admitted: string[];
let releases: (() => void)[];

const open = (options: Partial<SemaphoreOptions> = {}) => makeFairSemaphore({ ...OPTIONS, ...options }, () => time);

beforeEach(() => {
  time = 0;
  semaphore = open();
  admitted = [];
  releases = [];
});

/** Requests a place; notes the reader once admitted. */
function enter(reader: string, signal = neverAborted()): Promise<void> {
  return semaphore.acquire(reader, signal).then((leave) => {
    admitted.push(reader);
    releases.push(leave);
  });
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Releases the first place taken. */
async function leave(): Promise<void> {
  releases.shift()?.();
  await settle();
}

describe('a semaphore', () => {
  it('gives a lone reader all places', async () => {
    for (const _ of [1, 2, 3]) void enter('a');
    await settle();
    expect([admitted.length, semaphore.held(), semaphore.waiting()]).toEqual([2, 2, 1]);
    await leave();
    expect([admitted.length, semaphore.held(), semaphore.waiting()]).toEqual([3, 2, 0]);
  });

  it('gives a lone reader no more than the share of one, and the rest to the next reader at once', async () => {
    semaphore = open({ permits: 3, permitsAlone: 2 });
    for (const _ of [1, 2, 3, 4]) void enter('a');
    await settle();
    expect([admitted, semaphore.waiting()]).toEqual([['a', 'a'], 2]);
    void enter('b');
    await settle();
    expect([admitted, semaphore.waiting()]).toEqual([['a', 'a', 'b'], 2]);
  });

  it('alternates between readers, whatever their order and number of requests', async () => {
    semaphore = open({ permits: 1 });
    for (let count = 0; count < 6; count += 1) void enter('much');
    for (const reader of ['b', 'c', 'b']) void enter(reader);
    await settle();
    while (releases.length > 0) await leave();
    expect(admitted).toEqual(['much', 'much', 'b', 'c', 'much', 'b', 'much', 'much', 'much']);
    expect([semaphore.held(), semaphore.waiting()]).toEqual([0, 0]);
  });

  it('weighs turns by the time that they take', async () => {
    semaphore = open({ permits: 1 });
    for (let count = 0; count < 4; count += 1) void enter('long');
    for (let count = 0; count < 3; count += 1) void enter('short');
    await settle();
    while (releases.length > 0) {
      time += admitted.at(-1) === 'long' ? 7_000 : 10;
      await leave();
    }
    expect(admitted).toEqual(['long', 'short', 'short', 'short', 'long', 'long', 'long']);
  });

  it('saves up no time for a reader that comes late or again', async () => {
    semaphore = open({ permits: 1, activeMs: 1_000_000, queueLengthEach: 20 });
    void enter('again');
    for (let count = 0; count < 20; count += 1) void enter('long');
    await settle();
    time += 10;
    await leave();
    for (let count = 0; count < 8; count += 1) {
      time += 7_000;
      await leave();
    }
    admitted = [];
    for (const reader of ['late', 'again']) for (let count = 0; count < 3; count += 1) void enter(reader);
    for (let count = 0; count < 6; count += 1) {
      time += 7_000;
      await leave();
    }
    expect(admitted).toEqual(['again', 'late', 'long', 'again', 'late', 'long']);
  });

  it('lets those wait that give way, whoever asks', async () => {
    semaphore = open({ permits: 1 });
    const giveWay = (reader: string) =>
      semaphore.acquire(reader, neverAborted(), true).then((release) => {
        admitted.push(`${reader} gives way`);
        releases.push(release);
      });
    for (const reader of ['a', 'a', 'b']) void giveWay(reader);
    for (const reader of ['a', 'c', 'c']) void enter(reader);
    await settle();
    while (releases.length > 0) await leave();
    expect(admitted).toEqual(['a gives way', 'a', 'c', 'c', 'b gives way', 'a gives way']);
  });

  it('keeps places for other active readers: a busy reader gets only its share', async () => {
    for (let count = 0; count < 6; count += 1) void enter('much');
    void enter('little');
    await settle();
    expect(admitted).toEqual(['much', 'much']);
    await leave();
    expect(admitted.slice(2)).toEqual(['little']);
    await leave();
    expect(admitted.slice(3)).toEqual(['much']);
    // The quiet reader’s place stays free for its next request.
    releases.shift()?.();
    await settle();
    expect(semaphore.held()).toBe(1);
    await enter('little');
    expect(semaphore.held()).toBe(2);
  });

  it('gives a reader all places again when others have been idle for a while', async () => {
    void enter('little');
    await settle();
    await leave();
    for (let count = 0; count < 6; count += 1) void enter('much');
    await settle();
    expect(semaphore.held()).toBe(1);
    time = 1_001;
    await leave();
    expect(semaphore.held()).toBe(2);
  });

  it('refuses only the reader whose share of the queue is full', async () => {
    for (let count = 0; count < 12; count += 1) void enter('much');
    await expect(enter('much')).rejects.toMatchObject({ statusCode: 503, headers: { 'retry-after': '2' } });
    void enter('little');
    await settle();
    expect(semaphore.waiting()).toBe(11);
  });

  it('drops aborted requests, and frees each place only once', async () => {
    semaphore = open({ permits: 1 });
    const gone = new AbortController();
    void enter('a');
    const waiting = enter('b', gone.signal);
    void enter('c');
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    const [first] = releases;
    await leave();
    first?.();
    await settle();
    expect([admitted, semaphore.held(), semaphore.waiting()]).toEqual([['a', 'c'], 1, 0]);
    await expect(enter('d', AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  });
});

it('a reader with endless requests delays another by one turn, not by the whole queue', async () => {
  semaphore = open({ permits: 1, queueLength: 1_000, queueLengthEach: 500 });
  for (let count = 0; count < 500; count += 1) void enter('much');
  for (let round = 0; round < 20; round += 1) {
    const before = admitted.length;
    void enter('little');
    await settle();
    while (admitted.at(-1) !== 'little') await leave();
    expect(admitted.length - before).toBeLessThanOrEqual(2 + (round === 0 ? 1 : 0));
    await leave();
  }
});
