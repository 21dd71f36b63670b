import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openServer } from '../../src/doors/http/server.ts';
import { createToken, type Scope } from '../../src/doors/identity/tokens.ts';
import { copyKeptCompany } from '../history/kept-company.ts';
import { serverConfig } from './server-config.ts';

const [CLOSED, LOADED, NOW] = ['2026-04-03T16:20:05Z', '2026-04-10T08:00:00Z', '2026-06-20T08:00:00Z'];

/** Requests that are refused: path, status, a part of the sentence. */
const REFUSED = [
  ['changes', 400, 'from is missing'],
  ['changes?from=2026-30', 404, 'from: There is no kept state \\"2026-30\\"'],
  ['changes?from=2026-03&to=x', 404, 'to: There is no kept state \\"x\\"'],
  ['changes?from=2026-03&from=later', 400, 'from is given twice'],
  ['changes?from=later&to=2026-03&start_date=2026-03-01&end_date=2026-03-31', 400, 'to: 2026-03 was kept at'],
  ['changes?from=2026-03&as_of=later', 400, 'a comparison names its states with from and to'],
  ['changes?from=later', 400, 'start_date is missing'],
  ['changed-lines?from=2026-03', 400, 'measure is missing'],
  ['changed-lines?from=2026-03&measure=actual_margin_percent', 400, 'is no sum of lines'],
  ['changed-lines?from=2026-03&measure=budget_total', 400, 'no line is a part of its difference'],
  ['changed-lines?from=closings&measure=budget_used', 400, 'over the days of several closings'],
  ['changed-lines?from=2026-03&measure=actual_cost&cause=luck', 400, 'cause'],
  ['projects?from=2026-03&period=2026-03', 400, 'from is not a parameter of projects'],
] as const;

/** The longest duration of some loads on a busy machine. Unit: ms. */
const LOADS_MS = 400_000;

describe('changes over HTTP', () => {
  it('compares two states in every format', { timeout: LOADS_MS, tags: ['slow'] }, async () => {
    const company = await copyKeptCompany();
    await company.run(CLOSED, 'close', '2026-03');
    await company.load(2, LOADED);
    await company.run(LOADED, 'keep', 'later');
    await company.load(3, NOW);
    const tokens = join(company.folder, 'tokens.json');
    const createOne = async (scopes: Scope[]) =>
      (await createToken(tokens, { label: 'test', scopes, expires: null, numbers: false }, new Date(NOW))).token;
    const [blind, seeing] = [await createOne(['reports']), await createOne(['reports', 'rates'])];
    const config = serverConfig({ database: company.database, tokens });
    const server = await openServer(config, { log: () => {}, now: () => new Date(NOW) });
    onTestFinished(async () => void (await server.close()));
    const get = (path: string, token = seeing, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/v3/reports/${path}`, { headers: { authorization: `Bearer ${token}`, ...headers } });

    const ofClosings = await get('changes?from=closings&group_by=month,project&measures=actual_hours');
    expect(await ofClosings.json()).toMatchObject({
      changes: [{ month: '2026-03-01', value_then: 9, value_now: 4, difference: -5 }],
      meta: {
        from: { state: 'closings', closings: [{ state: '2026-03', start_date: '2026-03-01', end_date: '2026-03-31' }] },
        notes: [],
      },
    });

    const linesOfClosings = await get('changed-lines?from=closings&measure=actual_hours&limit=1');
    expect(await linesOfClosings.json()).toMatchObject({
      'changed-lines': [
        { line_id_now: 'a:a', closing: '2026-03@1', closing_start_date: '2026-03-01', contribution: -5 },
      ],
      totals: { contribution: -5 },
      meta: { from: { state: 'closings', closings: [{ state: '2026-03', start_date: '2026-03-01' }] } },
    });

    const path = 'changes?from=2026-03&group_by=project&measures=actual_hours,actual_cost';
    const answer = await get(path);
    expect(await answer.json()).toMatchObject({
      changes: [
        { project: 'Bridge', measure: 'actual_hours', value_then: 9, value_now: 4, difference: -5, hours: -5, rate: 0 },
        { project: 'Bridge', measure: 'actual_cost', value_then: 450, value_now: 200, difference: -250, hours: -250 },
      ],
      totals: [
        { measure: 'actual_hours', difference: -5 },
        { measure: 'actual_cost', difference: -250 },
      ],
      meta: { from: { state: '2026-03', cutoff_date: '2026-03-31' }, to: { state: 'now', cutoff_date: '2026-03-31' } },
    });
    const etag = answer.headers.get('etag') ?? '';
    for (let count = 0; count < 2; count += 1)
      expect((await get(path, seeing, { 'if-none-match': etag })).status).toBe(304);
    const between = await (await get(`${path}&to=later`)).json();
    expect(between).toMatchObject({
      changes: [{ value_now: 3 }, { value_now: 150 }],
      meta: { to: { state: 'later' } },
    });
    for (const format of ['csv', 'ndjson', 'xlsx', 'parquet', 'arrow'])
      for (const name of [`changes.${format}?`, `changed-lines.${format}?measure=actual_cost&`]) {
        const { status, headers } = await get(`${name}from=2026-03`);
        expect([name, status, headers.get('content-type')?.includes('json') && format !== 'ndjson']).toEqual([
          name,
          200,
          false,
        ]);
      }
    const lines = await (await get('changed-lines?from=2026-03&measure=actual_cost')).json();
    expect(lines).toMatchObject({
      'changed-lines': [{ line_id_then: 'a:a', hours_then: 8, hours_now: 3, amount_then: 400, contribution: -250 }],
      totals: { contribution: -250 },
    });

    expect((await get(path, blind)).status).toBe(403);
    const hidden = await (await get('changes?from=2026-03', blind)).text();
    expect(hidden).toContain('"measure":"actual_hours"');
    expect(hidden).not.toContain('"measure":"actual_cost"');
    const hours = await (await get('changed-lines?from=2026-03&measure=actual_hours', blind)).text();
    expect(hours).toContain('"contribution":-5.00');
    expect(hours).not.toContain('cost_rate_then":');
    for (const [refused, status, sentence] of REFUSED) {
      const { status: found, text } = await get(refused).then(async (got) => ({
        status: got.status,
        text: await got.text(),
      }));
      expect([refused, found, text]).toEqual([refused, status, expect.stringContaining(sentence)]);
    }

    writeFileSync(join(company.folder, 'data', 'settings.json'), '{"currency": "EUR"}');
    expect((await company.load(3, NOW)).code).toBe(0);
    const sentence = "The amounts can't be compared: those of 2026-03 are in USD with 2 decimals, the others in EUR";
    for (const name of ['changes?', 'changed-lines?measure=actual_cost&']) {
      await expect.poll(async () => (await get(`${name}from=2026-03`)).status).toBe(422);
      expect(await (await get(`${name}from=2026-03`)).text()).toContain(sentence);
    }
  });
});
