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

/** Asks for a place; who comes in is noted. */
function ask(reader: string, signal = NEVER): Promise<void> {
  return gate.enter(reader, signal).then((leave) => {
    came.push(reader);
    leaves.push(leave);
  });
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** The first that is inside leaves. */
async function leave(): Promise<void> {
  leaves.shift()?.();
  await settle();
}

describe('a gate', () => {
  it('lets a reader who is alone have all of the room', async () => {
    for (const _ of [1, 2, 3]) void ask('a');
    await settle();
    expect([came.length, gate.inside(), gate.waiting()]).toEqual([2, 2, 1]);
    await leave();
    expect([came.length, gate.inside(), gate.waiting()]).toEqual([3, 2, 0]);
  });

  it('lets readers take turns, whoever asked first and how often', async () => {
    gate = open({ room: 1 });
    for (let count = 0; count < 6; count += 1) void ask('much');
    for (const reader of ['b', 'c', 'b']) void ask(reader);
    await settle();
    while (leaves.length > 0) await leave();
    expect(came).toEqual(['much', 'much', 'b', 'c', 'much', 'b', 'much', 'much', 'much']);
    expect([gate.inside(), gate.waiting()]).toEqual([0, 0]);
  });

  it('keeps room for others once they ask: one who asks for much has his part of it', async () => {
    for (let count = 0; count < 6; count += 1) void ask('much');
    void ask('little');
    await settle();
    expect(came).toEqual(['much', 'much']);
    await leave();
    expect(came.slice(2)).toEqual(['little']);
    await leave();
    expect(came.slice(3)).toEqual(['much']);
    // The place of the one who asks for little is free for his next request.
    leaves.shift()?.();
    await settle();
    expect(gate.inside()).toBe(1);
    await ask('little');
    expect(gate.inside()).toBe(2);
  });

  it('gives all of the room back to one when the others have asked no more for a while', async () => {
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

  it('refuses a reader whose part of the line is full, and nobody else', async () => {
    for (let count = 0; count < 12; count += 1) void ask('much');
    await expect(ask('much')).rejects.toMatchObject({ statusCode: 503, headers: { 'retry-after': '2' } });
    void ask('little');
    await settle();
    expect(gate.waiting()).toBe(11);
  });

  it('forgets those who have gone, and counts a place as free once', async () => {
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

it('one who asks without end makes another wait for one turn, and not for the whole line', async () => {
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
