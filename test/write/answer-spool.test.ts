import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeAhead } from '../../src/doors/http/protocol/stream-answer.ts';
import { openSpool, type Piece, SPOOL_PIECE_BYTES } from '../../src/numbers/write/answer-spool.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-spool-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Makes a text of some MiB, and notes each that was made. */
async function* makeText(mib: number, made: number[] = [], failure?: Error): AsyncGenerator<Piece> {
  for (let index = 0; index < mib; index += 1) {
    yield String.fromCharCode(97 + index).repeat(SPOOL_PIECE_BYTES / 2);
    yield Buffer.alloc(SPOOL_PIECE_BYTES / 2, String.fromCharCode(65 + index));
    made.push(index);
  }
  if (failure) throw failure;
}

const textOf = (mib: number) =>
  Array.from({ length: mib }, (_, index) =>
    [97, 65].map((code) => String.fromCharCode(code + index).repeat(SPOOL_PIECE_BYTES / 2)).join(''),
  ).join('');

async function readText(pieces: AsyncIterator<Piece>): Promise<string> {
  let text = '';
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) text += piece.value;
  return text;
}

/** Takes a turn that notes what ends with it. */
function takeTurn() {
  const ends: (() => unknown)[] = [];
  return {
    turn: { atEnd: (end: () => unknown) => void ends.push(end) },
    endAll: () => Promise.all(ends.map((end) => end())),
  };
}

describe('an answer written ahead', () => {
  it('is made to its end though nobody reads it, and is read whole later', async () => {
    const { turn, endAll } = takeTurn();
    let resolve = () => {};
    const written = new Promise<void>((done) => {
      resolve = done;
    });
    const made: number[] = [];
    const { first, pieces } = await writeAhead(turn, makeText(5, made), resolve);
    await written;
    expect(made).toEqual([0, 1, 2, 3, 4]);
    const text = `${first.value}${await readText(pieces)}`;
    expect(text === textOf(5)).toBe(true);
    await endAll();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('takes no file while it is small, and is written when it begins', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'missing'));
    const { turn, endAll } = takeTurn();
    const onWritten = vi.fn();
    const { first, pieces } = await writeAhead(
      turn,
      (async function* () {
        yield 'a';
        yield 'b';
      })(),
      onWritten,
    );
    expect(onWritten).toHaveBeenCalledOnce();
    expect([String(first.value), await readText(pieces)]).toEqual(['ab', '']);
    await endAll();
  });

  it('fails before it begins if it fails early, or finds no room', async () => {
    const { turn, endAll } = takeTurn();
    await expect(writeAhead(turn, makeText(0, [], new Error('No rows')))).rejects.toThrow('No rows');
    vi.stubEnv('TMPDIR', join(folder, 'missing'));
    await expect(writeAhead(turn, makeText(2))).rejects.toMatchObject({ code: 'storage' });
    await endAll();
  });
});

describe('a spool', () => {
  it('gives what was written before a failure, then the failure', async () => {
    const onWritten = vi.fn();
    const { pieces, end } = await openSpool(makeText(2, [], new Error('No more rows')), onWritten);
    const read: number[] = [];
    const readAll = async () => {
      for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) read.push(piece.value.length);
    };
    await expect(readAll()).rejects.toThrow('No more rows');
    expect(read.reduce((sum, size) => sum + size, 0)).toBe(2 * SPOOL_PIECE_BYTES);
    expect(onWritten).toHaveBeenCalledOnce();
    await end();
  });

  it('stops its writing at its end', async () => {
    const made: number[] = [];
    const onWritten = vi.fn();
    const { end } = await openSpool(makeText(100, made), onWritten);
    await end();
    expect(made.length).toBeLessThan(3);
    expect(onWritten).toHaveBeenCalledOnce();
    expect(readdirSync(folder)).toEqual([]);
  });
});
