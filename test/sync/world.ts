import { expect } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { type Served, serve } from '../http/served.ts';
import type { Prng } from '../oracle/prng.ts';
import { expectSameRecords, expectSameReports, readDigests } from './equal-source.ts';
import { type FaultySource, openFaultySource } from './faulty-source.ts';
import { type AnswerMemory, openAnswerMemory } from './remembered-answers.ts';
import { type CreatedIds, chooseWrite, LARGE, noteWrite, SMALL, steadyCompany } from './source-writes.ts';
import { openSyncedServer, type SyncedServer } from './synced-server.ts';

const LISTED = ['accounts', ...SMALL, ...LARGE];

/** The delay of work that no history waits for: a report refreshes the numbers that it shows. Unit: ms. */
const NEVER_MS = 86_400_000;

/** A source with faults before it, and a server that follows it. */
export interface World {
  readonly served: Served;
  readonly source: FaultySource;
  readonly synced: SyncedServer;
  readonly answers: AnswerMemory;
  readonly created: CreatedIds;
  /** The working database of the source. */
  readonly database: Database;
  /** Digests of the tables of both sides when they were last equal, by resource. */
  readonly equal: Map<string, string>;
  /** The offset of the source's clock. Unit: ms. */
  clockMs: number;
}

export async function openWorld(): Promise<World> {
  const clock = { ms: 0 };
  let database: Database | undefined;
  const served = await serve({
    write: true,
    inMemory: true,
    now: () => new Date(Date.now() + clock.ms),
    data: steadyCompany,
    limits: { refreshDelayMs: NEVER_MS, pollMs: NEVER_MS },
    async prepareSource(source) {
      database = source.database;
      return source;
    },
  });
  const source = await openFaultySource(served.url);
  return {
    served,
    source,
    synced: await openSyncedServer(source.url),
    answers: openAnswerMemory(),
    created: new Map(),
    equal: new Map(),
    database: database ?? expect.fail('The source has no database'),
    get clockMs() {
      return clock.ms;
    },
    set clockMs(ms) {
      clock.ms = ms;
    },
  };
}

export async function closeWorld({ synced, source, served }: World): Promise<void> {
  await synced.close();
  await source.close();
  await served.close();
}

/** Writes to the source. @returns the request and its status. */
export async function writeToSource(world: World, random: Prng, from: readonly string[]): Promise<string> {
  const { served, created, answers } = world;
  const chosen = chooseWrite(random, created, from);
  const { method, resource, id, body } = chosen;
  const path = `/v3/${resource.replaceAll('_', '-')}${id === undefined ? '' : `/${id}`}`;
  const answer = await fetch(`${served.url}${path}`, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  answers.forget(resource);
  const step = `${method} ${path} ${body ? JSON.stringify(body) : ''}: ${answer.status}`;
  // A record may be gone with another one, or be locked by it.
  expect([200, 201, 204, 404, 422], `${step} ${text}`).toContain(answer.status);
  const made =
    answer.status === 201 ? Object.values(JSON.parse(text) as Record<string, number | string>)[0] : undefined;
  if (method !== 'POST' || made !== undefined) noteWrite(created, chosen, made ?? 0);
  return step;
}

/**
 * Compares the records of each resource: if its tables differ, and have changed on either side since they were
 * equal, as both servers show them. Stored forms may differ: a person stored as a number comes back as a list.
 */
export async function expectEqualRecords({ served, synced, database, equal }: World, message: string): Promise<void> {
  const [found, wanted] = await Promise.all([synced.database, database].map(readDigests));
  for (const resource of LISTED) {
    const digests = [found, wanted].map((each) => each?.get(resource) ?? expect.fail(`${resource} has no digest`));
    const now = digests.join(' and ');
    if (digests[0] === digests[1] || equal.get(resource) === now) continue;
    await expectSameRecords(resource, synced.url, served.url, message);
    equal.set(resource, now);
  }
}

/** Compares every list and every report. */
export async function expectEqualWorld({ served, synced }: World, message: string): Promise<void> {
  for (const resource of LISTED) await expectSameRecords(resource, synced.url, served.url, message);
  await expectSameReports(synced.url, served.url, message);
}
