// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LiveSource } from '../../src/store/live/live-source.ts';
import { QUARTER, type Reply, type Served, serve } from '../http/served.ts';
import { COSTS, priced } from '../published/dataset.ts';

/** Costs in the damaged line and its check. */
const AMOUNTS = [COSTS.personRate, '46034', '44444', '99999999999999', '750000000000000'];

/** Matches the whole part of an amount. The metrics have long numbers with any digits after their points. */
const wholePart = (amount: string) => new RegExp(`(?<![\\d.])${amount.split('.')[0]}(?!\\d)`);

/** Damages that make a check fail, and the message that all readers get. */
const DAMAGES = [
  {
    what: 'rows that a check quotes',
    // The check covers all lines of the person on the day of the written record.
    sql: `UPDATE core.ledger SET cost = 44444.44 WHERE kind = 'scheduled' AND people_id = 1 AND date = DATE '2026-01-07'`,
    message: 'amounts_are_hours_times_rate.sql failed for 1 row',
    status: 500,
  },
  {
    what: 'an amount that overflows in a model',
    sql: `UPDATE source.people SET cost_rate = 99999999999999.9999 WHERE people_id = 1;
      INSERT INTO service.changes (change_id, changed_at, method, resource, record_id, after)
      VALUES (1, TIMESTAMP '2026-06-15 12:00:00', 'PATCH', 'people', '1', '{"people_id": 1}')`,
    message: 'be brought up to date',
    status: 503,
  },
];

describe.each(DAMAGES)('$what', ({ sql, message, status }) => {
  let served: Served;
  let answers: Record<string, Reply>;
  beforeAll(async () => {
    const prepareSource = async (source: LiveSource) => {
      await source.database.run(sql);
      return source;
    };
    served = await serve({ data: priced, write: true, inMemory: true, prepareSource, scopes: ['reports', 'write'] });
    await served.post('/v3/logged-time', { people_id: 1, project_id: 1, date: '2026-01-07', hours: 1 });
    const report = `/v3/reports/people?${QUARTER}`;
    answers = {
      report: await served.get(report),
      xml: await served.get(report, { accept: 'application/xml' }),
      xlsx: await served.get(report.replace('people', 'people.xlsx')),
      readyz: await served.get('/readyz', {}),
      metrics: await served.get('/metrics', {}),
      healthz: await served.get('/healthz', {}),
    };
  });
  afterAll(() => served.close());

  it('never reach an answer, with or without a token', () => {
    for (const [name, { text }] of Object.entries(answers))
      for (const amount of AMOUNTS) expect(text, name).not.toMatch(wholePart(amount));
  });

  it('would be found in an answer', () => {
    expect('cost 44444.44').toMatch(wholePart('44444'));
    expect('mean_seconds 0.012119836444444443').not.toMatch(wholePart('44444'));
  });

  it('are reported without values: the check and the number of rows', () => {
    expect(answers['report']?.status).toBe(status);
    expect(answers['readyz']?.status).toBe(503);
    expect(answers['report']?.json().message).toContain(message);
    expect(answers['readyz']?.json().message).toContain(message);
  });

  it('reach the log', async () => {
    await expect.poll(() => served.log()).toMatch(/44444\.44|750000000000000/);
  });
});
