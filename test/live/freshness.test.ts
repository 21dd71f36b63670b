import { expect, it } from 'vitest';
import { assertFresh, freshnessOf, type SyncStatus } from '../../src/store/generation/sync-status.ts';

const NOW = new Date('2026-02-01T12:00:00Z');
const loadedAt = '2026-02-01T09:00:00Z';
const loaded = { dataVersion: 'a', syncedAt: null, loadedAt };
const failed: SyncStatus = {
  source: 'https://api.example.com',
  synced_at: null,
  data_version: null,
  last_run: { finished_at: loadedAt, result: 'failed', message: 'no', notes: [] },
};

it.each([
  ['a load', loaded, undefined, 'The records are 180 minutes old: they were last loaded at 2026-02-01T09:00:00Z'],
  [
    'a published sync',
    { ...loaded, syncedAt: '2026-02-01T10:00:00Z' },
    undefined,
    'The records are 120 minutes old: they were last synced at 2026-02-01T10:00:00Z',
  ],
  [
    'a later run that found nothing',
    { ...loaded, syncedAt: '2026-02-01T08:00:00Z' },
    { ...failed, data_version: 'a', synced_at: '2026-02-01T10:59:00Z' },
    'The records are 61 minutes old: they were last synced at 2026-02-01T10:59:00Z',
  ],
  ['a load whose sync has never succeeded', loaded, failed, 'The records have never been synced'],
])('the age of records counts from %s', (_, published, status, message) => {
  const freshness = freshnessOf(published, status);
  expect(() => assertFresh(freshness, 3600, NOW)).toThrow(message);
  if (freshness.at !== null) assertFresh(freshness, 4 * 3600, NOW);
});
