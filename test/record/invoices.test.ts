import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

describe('invoices', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      people: [{ people_id: 1, name: 'Ana', default_hourly_rate: '100' }],
      projects: [{ project_id: 1, name: 'Website' }],
      logged_time: [{ logged_time_id: 't1', people_id: 1, project_id: 1, date: '2026-03-02', hours: 8 }],
    });
  });
  afterAll(() => service.close());

  const read = async (id: number) => (await service.call('GET', `/v3/invoices/${id}?expand=lines`)).json;

  it('are written with their lines, which a change replaces', async () => {
    const { status, json } = await service.call('POST', '/v3/invoices', {
      ...{ number: 'INV-1', issue_date: '2026-03-31', due_date: '2026-04-30' },
      lines: [
        { project_id: 1, amount: '700.00', kind: 'time', covers: [{ logged_time_id: 't1', value: 800 }] },
        { project_id: 1, amount: 50, kind: 'other', name: 'Licence' },
      ],
    });
    expect([status, json.number, json.status]).toEqual([201, 'INV-1', null]);
    const first = await read(json.invoice_id);
    expect(first.lines.map((line: Record<string, unknown>) => [line['amount'], line['kind'], line['covers']])).toEqual([
      [700, 'time', [{ logged_time_id: 't1', project_expense_id: null, amount: null, value: 800 }]],
      [50, 'other', []],
    ]);
    const [kept] = first.lines;
    const change = {
      lines: [
        { invoice_line_id: kept.invoice_line_id, amount: 720 },
        { project_id: 1, amount: -20 },
      ],
    };
    expect((await service.call('PATCH', `/v3/invoices/${json.invoice_id}`, change)).status).toBe(200);
    const second = await read(json.invoice_id);
    expect(
      second.lines.map((line: Record<string, unknown>) => [
        line['invoice_line_id'] === kept.invoice_line_id,
        line['amount'],
        line['kind'],
      ]),
    ).toEqual([
      [true, 720, 'time'],
      [false, -20, null],
    ]);
    expect((await service.call('DELETE', `/v3/invoices/${json.invoice_id}`)).status).toBe(204);
    expect((await service.call('GET', '/v3/invoice-lines')).json).toEqual([]);
  });

  it.each([
    [{ lines: [{ project_id: 1, amount: 'much' }] }, 'lines[1].amount', 'lines[1]: amount: not a number'],
    [{ lines: [{ project_id: 1 }] }, 'lines[1].amount', 'lines[1]: amount: missing'],
    [
      { lines: [{ project_id: 1, amount: 1, kind: 'tax' }] },
      'lines[1].kind',
      'lines[1]: kind: not one of other, time, expense, fixed, retainer, discount',
    ],
    [{ lines: 5 }, 'lines', 'lines: not a list'],
    [{ status: 'sent' }, 'status', 'status: not one of issued, draft, void'],
  ])('refuse %j', async (body, field, message) => {
    const { status, json } = await service.call('POST', '/v3/invoices', { issue_date: '2026-03-31', ...body });
    expect([status, json.errors]).toEqual([422, [{ field, message }]]);
    expect((await service.call('GET', '/v3/invoices')).json).toEqual([]);
  });

  it('take write-offs beside them', async () => {
    const body = { project_id: 1, date: '2026-03-31', amount: -10, covers: [{ logged_time_id: 't1' }] };
    const { status, json } = await service.call('POST', '/v3/write-offs', { ...body, reason: 'Written up' });
    expect([status, json.amount, json.reason]).toEqual([201, -10, 'Written up']);
    const both = { ...body, covers: [{ logged_time_id: 't1', project_expense_id: 1 }] };
    const refused = await service.call('POST', '/v3/write-offs', both);
    expect([refused.status, refused.json.message]).toEqual([
      422,
      'covers: item 1: logged_time_id is given beside project_expense_id, and only one of them can be',
    ]);
  });
});
