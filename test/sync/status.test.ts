import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { syncFolder } from '../../src/store/generation/generation-files.ts';
import { assertFresh, readSyncStatus } from '../../src/store/generation/sync-status.ts';
import { noteFailure } from '../../src/store/sync/history.ts';

const NOW = new Date('2026-04-03T12:00:00Z');

it('the status of a failed sync has the way out', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-status-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'company.duckdb');
  mkdirSync(syncFolder(file));
  const place = { puller: { url: 'https://a.example/v3' }, live: { store: { now: () => NOW } }, file };
  const error = new AppError('source', "a.example doesn't accept the token (401)", { hint: 'Make a new one there.' });
  await noteFailure(place as Parameters<typeof noteFailure>[0], error);
  expect(readSyncStatus(file)?.last_run.message).toBe(
    "a.example doesn't accept the token (401). Make a new one there.",
  );
});

describe('the age of records', () => {
  const check = (at: string) => () => assertFresh({ at, by: 'sync' }, 7200, NOW);

  it('is refused when it is too old', () => expect(check('2026-04-03T09:59:00Z')).toThrow('121 minutes old'));

  it('is unknown when they come from the future', () =>
    expect(check('2026-04-05T12:00:00Z')).toThrow(
      "The records were last synced at 2026-04-05T12:00:00Z, which this machine's clock has not reached",
    ));

  it('may differ by what clocks differ', () =>
    expect(['2026-04-03T10:01:00Z', '2026-04-03T12:04:00Z'].map((at) => check(at)())).toEqual([undefined, undefined]));
});
