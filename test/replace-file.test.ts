import { pbkdf2 } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeBeside, writeBytes } from '../src/base/replace-file.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumbline-replace-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('leaves no file whose bytes fail before a busy machine has opened it', async () => {
  async function* fail(): AsyncGenerator<string> {
    yield* [];
    throw new Error('no rows');
  }
  for (let number = 0; number < 50; number += 1) {
    // Files are opened by the four threads that are busy now.
    for (let thread = 0; thread < 4; thread += 1) pbkdf2('word', 'salt', 3_000, 32, 'sha256', () => undefined);
    const file = join(folder, `answer-${number}.csv`);
    await expect(makeBeside(file, () => writeBytes(file, fail()))).rejects.toThrow('no rows');
  }
  await wait(50);
  expect(await readdir(folder)).toEqual([]);
});

it('tells how many bytes a file has', async () => {
  const file = join(folder, 'word.txt');
  expect(await writeBytes(file, ['Zürich', '\n'])).toBe(8);
  expect(await readFile(file, 'utf8')).toBe('Zürich\n');
});
