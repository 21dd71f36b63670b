import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHUNK_BYTES } from '../../src/records/ingest/reading/hash.ts';
import { assertAsFiled, readPieces } from '../../src/store/history/filed-reports.ts';

const CONTENT = Buffer.alloc(CHUNK_BYTES + 3, 'report');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-filed-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function collect(report: Parameters<typeof readPieces>[0]): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  for await (const piece of readPieces(report)) pieces.push(piece);
  return pieces;
}

/** Files a content, and returns its report. */
function file(content: Buffer) {
  const path = join(folder, 'report.csv');
  writeFileSync(path, content);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { title: 'report.csv of march@1', path, filed: { name: 'files/report.csv', bytes: content.length, sha256 } };
}

describe('a filed report', () => {
  it.each([CONTENT, Buffer.alloc(0)])('is read in pieces, byte for byte', async (content) => {
    const report = file(content);
    await assertAsFiled(report);
    const pieces = await collect(report);
    expect(Buffer.concat(pieces).equals(content)).toBe(true);
    expect(Math.max(0, ...pieces.map(({ length }) => length))).toBeLessThanOrEqual(CHUNK_BYTES);
  });

  it.each<[string, (path: string) => void]>([
    ['has grown', (path) => writeFileSync(path, Buffer.concat([CONTENT, Buffer.from('x')]))],
    ['was cut off', (path) => writeFileSync(path, CONTENT.subarray(0, -1))],
    ['was changed', (path) => writeFileSync(path, Buffer.concat([CONTENT.subarray(0, -1), Buffer.from('x')]))],
    ['is gone', (path) => unlinkSync(path)],
  ])('that %s is refused, also after its first pieces', async (_, damage) => {
    const report = file(CONTENT);
    damage(report.path);
    const refusal = { code: 'storage', message: 'The file report.csv of march@1 is not as it was filed' };
    await expect(assertAsFiled(report)).rejects.toMatchObject(refusal);
    await expect(collect(report)).rejects.toMatchObject(refusal);
  });
});
