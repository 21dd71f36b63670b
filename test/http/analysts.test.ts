import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import type { Scope } from '../../src/doors/identity/tokens.ts';
import { companyFiles, writeFiles } from '../errors/gallery.ts';
import { eventually } from '../eventually.ts';
import { priced } from '../published/dataset.ts';
import { REVEALS_COST } from '../sql/company.ts';
import { QUARTER, type Reply, type Served, serve } from './served.ts';

const COSTS = 'SELECT cost FROM marts.ledger WHERE cost > 0';

let served: Served;
beforeAll(async () => {
  served = await serve({ data: priced, scopes: ['reports', 'rates', 'sql'] });
});
afterAll(() => served.close());

/** Makes a client with a new token of these scopes, once the server accepts it. */
async function asReader(...scopes: Scope[]) {
  const { header } = await served.token(scopes);
  const headers = { authorization: header };
  await eventually(async () => expect((await served.get('/v3/models', headers)).status).not.toBe(401));
  return {
    query: (sql: string) => served.post('/v3/sql', { sql }, headers),
    models: () => served.get('/v3/models', headers),
  };
}

/** Returns the columns of all models by full name. */
const columnsOf = ({ json }: Reply): string[] =>
  json().models.flatMap(({ name, columns }: { name: string; columns: { name: string }[] }) =>
    columns.map((column) => `${name}.${column.name}`),
  );

describe('SQL and the list of models', () => {
  it('are of all data beside readers of a part', { tags: ['slow'] }, async () => {
    const { header: authorization } = await served.tokenOfPart({ client_id: [1] });
    const path = '/v3/reports/projects?start_date=2026-01-01&end_date=2026-01-31';
    await eventually(async () => expect((await served.get(path, { authorization })).status).toBe(200));
    const { status, text } = await (await asReader('sql', 'rates')).models();
    expect([status, text.match(/"marts\.ledger"/g)]).toEqual([200, ['"marts.ledger"']]);
  });

  it('require the scope sql', async () => {
    const { query, models } = await asReader('reports', 'rates');
    for (const { status, json } of [await query('SELECT 1'), await models()]) {
      expect(status).toBe(403);
      expect(json()).toMatchObject({
        name: 'forbidden',
        code: 'forbidden',
        status: 403,
        message: expect.stringContaining('has no scope "sql"'),
      });
    }
  });

  it('hide cost columns without the scope rates', { tags: ['slow'] }, async () => {
    const { query, models } = await asReader('sql');
    expect((await query('SELECT hours, fee FROM marts.ledger')).json().rows.length).toBeGreaterThan(0);
    const refused = await query(COSTS);
    expect([refused.status, refused.json().message]).toEqual([400, expect.stringContaining('"cost" not found')]);
    const columns = columnsOf(await models());
    expect(columns).toContain('marts.ledger.fee');
    expect(columns.filter((column) => REVEALS_COST.test(column))).toEqual([]);
  });

  it('show cost columns with the scope rates', { tags: ['slow'] }, async () => {
    const { query, models } = await asReader('sql', 'rates');
    expect((await query(COSTS)).json().rows.length).toBeGreaterThan(0);
    const columns = columnsOf(await models()).filter((column) => REVEALS_COST.test(column));
    expect(columns).toEqual(expect.arrayContaining(['marts.ledger.cost', 'marts.ledger.cost_rate']));
  });

  it('move to a load published while the server runs, with and without the scope rates', {
    tags: ['slow'],
  }, async () => {
    const readers = [await asReader('sql'), await asReader('sql', 'rates')];
    const count = async ({ query }: (typeof readers)[number]) => {
      const { headers, json } = await query('SELECT COUNT(*) AS count FROM marts.people WHERE is_known');
      const { rows, data_version: version } = json();
      expect(headers.get('x-data-version')).toBe(version);
      return { people: rows[0].count, version };
    };
    const before = await Promise.all(readers.map(count));
    expect(before.map(({ people }) => people)).toEqual([4, 4]);
    const folder = join(served.database, '..', 'next');
    await writeFiles(folder, companyFiles('.'));
    const { dataVersion } = await loadDataset(folder, served.database, { acceptsShrink: true });
    for (const reader of readers) {
      await expect.poll(() => count(reader)).toEqual({ people: 1, version: dataVersion });
      expect((await reader.models()).json().data_version).toBe(dataVersion);
    }
    expect(before.map(({ version }) => version)).not.toContain(dataVersion);
  });
});

describe('a statement that takes too many resources', () => {
  /** Longest wait of other readers, on a busy machine. Unit: ms. */
  const SOON_MS = 5_000;

  it.each([
    "SELECT length(repeat(repeat('x', 40000), 40000))",
    'SELECT list_resize([1], 1000000000)',
    'SELECT SUM(a.range * b.range) FROM range(1000000) AS a, range(1000000) AS b',
  ])('is stopped, while other readers get answers: %s', { tags: ['slow'] }, async (sql) => {
    let isEnded = false;
    const ended = served.post('/v3/sql', { sql, timeout_ms: 2_000 }).finally(() => {
      isEnded = true;
    });
    do {
      const startedAt = performance.now();
      const replies = await Promise.all([served.get('/healthz'), served.get(`/v3/reports/projects?${QUARTER}`)]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
      expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
    } while (!isEnded);
    const { status, json } = await ended;
    expect([400, 422]).toContain(status);
    expect(json().message).toMatch(/needs more memory|was ended|Cannot create/);
    const next = await served.post('/v3/sql', { sql: 'SELECT 1 AS one' });
    expect([next.status, next.json().rows]).toEqual([200, [{ one: 1 }]]);
  });
});
