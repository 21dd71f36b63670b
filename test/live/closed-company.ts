import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS, type Limits } from '../../src/doors/http/protocol/limits.ts';
import { type Live, openLive } from '../../src/store/live/live.ts';
import type { LiveSource } from '../../src/store/live/live-source.ts';
import { BUNDLED, buildDataset, LOADED } from '../sql/company.ts';
import { NOW } from './data.ts';
import { openMemorySource } from './memory-source.ts';

export const FEBRUARY = { startDate: '2026-02-01', endDate: '2026-02-28', closing: '2026-02', closedBy: 'finance' };

/** Opens the bundled company as live data in memory, with February closed hard. */
export async function openClosed(
  wrap = (source: LiveSource) => source,
  limits: Partial<Limits> = {},
): Promise<{ live: Live; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-closed-'));
  const none = () => undefined;
  const source = await openMemorySource(await buildDataset(BUNDLED, LOADED), join(folder, 'company.duckdb'), NOW);
  const live = await openLive(wrap(source), {
    limits: { ...LIMITS, ...limits },
    publishEveryMs: 60_000,
    now: () => NOW,
    listener: { refreshed: none, refreshFailed: none, published: none, publishFailed: none, dayFailed: none },
  });
  live.guard([FEBRUARY]);
  return {
    live,
    async close() {
      await live.close();
      rmSync(folder, { recursive: true });
    },
  };
}
