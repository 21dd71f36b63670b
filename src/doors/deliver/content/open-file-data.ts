import { type Permits, servedStates } from '../../../store/ask/index.ts';
import {
  freshnessOf,
  openGenerations,
  type PublishedGenerations,
  readCatalogues,
  readSyncStatus,
} from '../../../store/generation/index.ts';
import {
  type KeptGenerations,
  loggedStates,
  openKeptGenerations,
  readWholeLog,
  spellKey,
} from '../../../store/history/index.ts';
import type { DeliverableClosing, DeliveryData } from './delivery-data.ts';

/** Returns the data of published generations that somebody holds open. */
export function deliveryData(
  database: string,
  generations: PublishedGenerations,
  kept: KeptGenerations,
  permits: readonly Permits[],
): DeliveryData {
  const company = () => generations.current().company;
  return {
    database,
    catalogues: readCatalogues(),
    states: servedStates(generations, kept),
    permits,
    company,
    freshness: () => freshnessOf(company(), readSyncStatus(database)),
    closings: () => readClosings(database),
  };
}

/** The time between two looks for a new load. Unit: ms. */
const POLL_MS = 1_000;

/** Opens the data of a database for a process that delivers without a server. @throws AppError storage when there are none. */
export async function openFileData(
  database: string,
  memoryLimitMib: number,
): Promise<{ data: DeliveryData; close: () => Promise<void> }> {
  const limits = { pollMs: POLL_MS, heldVersionMs: POLL_MS };
  const generations = await openGenerations(database, memoryLimitMib, limits, { moved() {}, failed() {} });
  const kept = openKeptGenerations(database, memoryLimitMib);
  const close = async () => {
    await Promise.all([generations.close(true), kept.close(true)]);
  };
  try {
    generations.current();
    return { data: deliveryData(database, generations, kept, []), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Lists the closings of a database that are there and not reopened, in their order. @throws AppError storage if the log is broken. */
async function readClosings(database: string): Promise<DeliverableClosing[]> {
  const log = await readWholeLog(database);
  const open = new Set(loggedStates(log).flatMap((state) => (state.isReopened ? [] : [spellKey(state)])));
  return log.events.flatMap((event) =>
    event.event === 'closed' && open.has(spellKey(event)) ? [{ reference: spellKey(event), closedAt: event.at }] : [],
  );
}
