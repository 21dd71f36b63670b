import { beforeEach, describe, expect, it } from 'vitest';
import { type Gate, type GateOptions, makeGate } from '../../src/http/protocol/gate.ts';

const NEVER = new AbortController().signal;
const OPTIONS: GateOptions = {
  room: 2,
  roomEach: 1,
  line: 100,
  lineEach: 10,
  rememberedMs: 1_000,
  retryAfterSeconds: 2,
};

let time = 0;
let gate: Gate;
let came: string[];
let leaves: (() => void)[];

const open = (options: Partial<GateOptions> = {}) => makeGate({ ...OPTIONS, ...options }, () => time);

beforeEach(() => {
  time = 0;
  gate = open();
  came = [];
  leaves = [];
});

/** Requests a place; notes the reader once admitted. */
function ask(reader: string, signal = NEVER): Promise<void> {
  return gate.enter(reader, signal).then((leave) => {
    came.push(reader);
    leaves.push(leave);
  });
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Releases the first place taken. */
async function leave(): Promise<void> {
  leaves.shift()?.();
  await settle();
}

describe('a gate', () => {
  it('gives a lone reader all places', async () => {
    for (const _ of [1, 2, 3]) void ask('a');
    await settle();
    expect([came.length, gate.inside(), gate.waiting()]).toEqual([2, 2, 1]);
    await leave();
    expect([came.length, gate.inside(), gate.waiting()]).toEqual([3, 2, 0]);
  });

  it('alternates between readers, whatever their order and number of requests', async () => {
    gate = open({ room: 1 });
    for (let count = 0; count < 6; count += 1) void ask('much');
    for (const reader of ['b', 'c', 'b']) void ask(reader);
    await settle();
    while (leaves.length > 0) await leave();
    expect(came).toEqual(['much', 'much', 'b', 'c', 'much', 'b', 'much', 'much', 'much']);
    expect([gate.inside(), gate.waiting()]).toEqual([0, 0]);
  });

  it('keeps places for other active readers: a busy reader gets only its share', async () => {
    for (let count = 0; count < 6; count += 1) void ask('much');
    void ask('little');
    await settle();
    expect(came).toEqual(['much', 'much']);
    await leave();
    expect(came.slice(2)).toEqual(['little']);
    await leave();
    expect(came.slice(3)).toEqual(['much']);
    // The quiet reader’s place stays free for its next request.
    leaves.shift()?.();
    await settle();
    expect(gate.inside()).toBe(1);
    await ask('little');
    expect(gate.inside()).toBe(2);
  });

  it('gives a reader all places again when others have been idle for a while', async () => {
    void ask('little');
    await settle();
    await leave();
    for (let count = 0; count < 6; count += 1) void ask('much');
    await settle();
    expect(gate.inside()).toBe(1);
    time = 1_001;
    await leave();
    expect(gate.inside()).toBe(2);
  });

  it('refuses only the reader whose share of the queue is full', async () => {
    for (let count = 0; count < 12; count += 1) void ask('much');
    await expect(ask('much')).rejects.toMatchObject({ statusCode: 503, headers: { 'retry-after': '2' } });
    void ask('little');
    await settle();
    expect(gate.waiting()).toBe(11);
  });

  it('drops aborted requests, and frees each place only once', async () => {
    gate = open({ room: 1 });
    const gone = new AbortController();
    void ask('a');
    const waiting = ask('b', gone.signal);
    void ask('c');
    gone.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    const [first] = leaves;
    await leave();
    first?.();
    await settle();
    expect([came, gate.inside(), gate.waiting()]).toEqual([['a', 'c'], 1, 0]);
    await expect(ask('d', AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late');
  });
});

it('a reader with endless requests delays another by one turn, not by the whole queue', async () => {
  gate = open({ room: 1, line: 1_000, lineEach: 500 });
  for (let count = 0; count < 500; count += 1) void ask('much');
  for (let round = 0; round < 20; round += 1) {
    const before = came.length;
    void ask('little');
    await settle();
    while (came.at(-1) !== 'little') await leave();
    expect(came.length - before).toBeLessThanOrEqual(2 + (round === 0 ? 1 : 0));
    await leave();
  }
});
