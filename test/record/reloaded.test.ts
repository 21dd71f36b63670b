import { describe, expect, it } from 'vitest';
import { lists } from '../../src/pull/source-lists.ts';
import type { RawRecord } from '../oracle/dataset.ts';
import { Prng } from '../oracle/prng.ts';
import { randomDataset } from '../oracle/random.ts';
import { SEED } from '../seed.ts';
import { buildCompany, type Records } from '../sql/company.ts';
import { openService, type Service } from './service.ts';

/*
 * Records that are read over the API and loaded elsewhere have the same lines, with the same roles, rates and sources.
 * So a sync of a server leaves its numbers.
 */

const LINES = 'SELECT * FROM marts.ledger ORDER BY line_id';

/** Reads all lists as a sync does. */
async function readLists(service: Service): Promise<Records> {
  const read: Record<string, RawRecord[]> = {};
  for (const { resource, paths, queries } of lists) {
    const records: RawRecord[] = [];
    for (const query of queries) {
      for (let page = 1, count = 1; count > 0; page += 1) {
        const sent = new URLSearchParams({ ...query, page: String(page), 'per-page': '200' });
        const { status, json } = await service.call('GET', `/v3/${paths[0]}?${sent}`);
        expect([200, 204]).toContain(status);
        count = json?.length ?? 0;
        records.push(...(json ?? []));
      }
    }
    read[resource.name] = records;
  }
  return read;
}

/** Expects the lines of a company to be those of a company loaded from the answers of its API. */
async function expectSame(records: Records): Promise<void> {
  const service = await openService(records);
  try {
    const own = await service.built(LINES);
    const { settings } = records;
    const copy = await buildCompany({ ...(await readLists(service)), ...(settings && { settings }) });
    try {
      expect(own.length).toBeGreaterThan(0);
      expect(await copy.rows(LINES)).toEqual(own);
    } finally {
      await copy.close();
    }
  } finally {
    await service.close();
  }
}

const DAYS = [
  '1970-01-01',
  '2024-01-01',
  '2024-05-15',
  '2024-05-16',
  '2025-03-01',
  '2026-06-15',
  '2026-07-01',
  '2099-12-31',
];

/** Returns a company in which people with any contracts log time on each of the days, in projects with and without rates. */
function makeContracts(seed: number): Records {
  const random = new Prng(seed);
  const maybe = <T>(values: readonly T[]) => (random.chance(0.4) ? null : random.pick(values));
  const rate = () => maybe(['0', '28.3382', '80.2207', '99.9999']);
  const times = <T>(count: number, make: (index: number) => T) =>
    Array.from({ length: count }, (_, index) => make(index + 1));
  // Role 5 has no record.
  const role = () => maybe([1, 2, 3, 5]);
  const people = times(60, (people_id) => ({
    people_id,
    name: `Person ${people_id}`,
    people_type_id: random.pick([1, 2, 3, 4]),
    active: random.pick([0, 1]),
    start_date: maybe(DAYS.slice(1, -2)),
    end_date: random.chance(0.2) ? '2026-07-01' : null,
    role_id: role(),
    default_hourly_rate: rate(),
    cost_rate: rate(),
    effective_date: maybe(DAYS),
    contracts: times(random.int(0, 3), () => ({
      effective_date: maybe(DAYS),
      role_id: role(),
      cost_rate: rate(),
      cost_rate_from: maybe(['person', 'role', 'agency']),
    })),
  }));
  return {
    roles: times(3, (role_id) => ({
      role_id,
      name: `Role ${role_id}`,
      default_hourly_rate: rate(),
      cost_rate_history: times(random.int(0, 3), () => ({ effective_date: maybe(DAYS), rate: rate() })),
    })),
    people,
    projects: [{ project_id: 1, name: 'One' }],
    logged_time: people.flatMap(({ people_id }) =>
      DAYS.map((date, index) => ({
        logged_time_id: `${people_id}-${index}`,
        people_id,
        project_id: 1,
        date,
        hours: 1,
      })),
    ),
  };
}

describe(`records read over the API and loaded again, PLUMBLINE_SEED=${SEED}`, () => {
  it('contracts of every kind', { tags: ['slow'] }, () => expectSame(makeContracts(SEED)));
  it('a random company', { tags: ['slow'] }, () => expectSame(randomDataset(SEED) as Records));
});
