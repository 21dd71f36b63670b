// @module-tag slow
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { makeFileReader } from '../../src/store/loads/file-reader.ts';
import { HOSTILE_FILES } from './hostile-files.ts';

/** The part of each file: the whole ones are sent to a server in test/long. */
const SIZE = 0.002;

/** The longest time for a small file, on a busy machine. Unit: ms. */
const MAX_MS = 10_000;

it.each(Object.entries(HOSTILE_FILES))('is understood, or refused with a sentence: %s', async (_, { name, make }) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-hostile-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = join(folder, 'new');
  mkdirSync(files);
  const content = make(SIZE);
  writeFileSync(join(files, name), content);
  const job = {
    folder: files,
    files: [{ name, bytes: content.length, sha256: '' }],
    given: undefined,
    known: [],
    settings: { folder: join(folder, 'settings'), settings: {} },
    seesRates: true,
    mayBeOpen: true,
  };
  const start = performance.now();
  const error = await makeFileReader()
    .understand(job)
    .then(
      () => undefined,
      (refused: unknown) => refused,
    );
  expect(performance.now() - start).toBeLessThan(MAX_MS);
  if (error === undefined) return;
  expect(error).toBeInstanceOf(AppError);
  expect(['input', 'limit']).toContain((error as AppError).code);
  expect((error as AppError).hint).toBeTruthy();
});
