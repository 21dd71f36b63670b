import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Served, serve } from '../../http/served.ts';
import { company } from '../../sync/company.ts';
import { expectSameReports } from '../../sync/equal-source.ts';
import { openSyncedServer, type SyncedServer } from '../../sync/synced-server.ts';

const SETTINGS = {
  name: 'Bridges',
  currency: 'SEK',
  time_zone: 'Europe/Stockholm',
  week_starts_on: 0,
  fiscal_year_starts_in: 4,
  work_days_hours: [0, 8, 8, 8, 8, 5, 0],
};

describe('GET /v3/settings', () => {
  let served: Served;

  beforeAll(async () => {
    served = await serve({
      write: true,
      inMemory: true,
      data: { ...company, settings: SETTINGS },
      scopes: ['reports'],
    });
  });
  afterAll(() => served.close());

  it('answers the settings of the company', async () => {
    const reply = await served.get('/v3/settings');
    expect(reply.status).toBe(200);
    expect(reply.json()).toEqual(SETTINGS);
  });

  it('needs the scope reports', async () => {
    const { header } = await served.token(['write']);
    // The server notices a new token a moment later.
    await expect.poll(async () => (await served.get('/v3/settings', { authorization: header })).status).toBe(403);
    expect((await served.get('/v3/settings', {})).status).toBe(401);
  });
});

describe('a sync without a settings file', () => {
  let origin: Served;
  let synced: SyncedServer;

  beforeAll(async () => {
    origin = await serve({
      write: true,
      inMemory: true,
      now: () => new Date(),
      data: { ...company, settings: SETTINGS },
    });
    synced = await openSyncedServer(origin.url);
  });
  afterAll(async () => {
    await synced.close();
    await origin.close();
  });

  it('takes the settings of its source, so that every report is the same', async () => {
    // Data quality compares days with that of the last load or change, so the source has one today as well.
    expect((await origin.post('/v3/clients', { name: 'Harbor' })).status).toBe(201);
    await synced.sync();
    expect(await synced.database.rows('FROM source.settings')).toMatchObject([{ currency: 'SEK', name: 'Bridges' }]);
    await expectSameReports(synced.url, origin.url, 'with the settings of the source');
  });

  it('is stopped when they would change the currency, unless that is accepted', async () => {
    await synced.database.run("UPDATE source.settings SET currency = 'NOK'");
    await expect(synced.sync({ isFull: true })).rejects.toMatchObject({
      message: 'The source has the currency SEK, and the amounts in the database are in NOK',
      hint: expect.stringContaining('--accept-shrink'),
    });
    expect(await synced.database.rows('FROM source.settings')).toMatchObject([{ currency: 'NOK' }]);
    await synced.sync({ isFull: true, acceptsShrink: true });
    expect(await synced.database.rows('FROM source.settings')).toMatchObject([{ currency: 'SEK' }]);
  });
});
