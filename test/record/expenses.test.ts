import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openService, type Service } from './service.ts';

describe('project-expenses', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      projects: [
        { project_id: 7, name: 'Bridge' },
        { project_id: 8, name: 'Inner', non_billable: 1 },
      ],
      project_expenses: [
        { project_expense_id: 1, project_id: 8, date: '2026-01-05', cost: 10, billable: 1, markup: 5 },
        { project_expense_id: 2, project_id: 7, date: '2026-01-05', cost: 10, markup: 5 },
      ],
    });
  });
  afterAll(() => service.close());

  const make = (body: object) =>
    service.call('POST', '/v3/project-expenses', {
      name: 'Train',
      project_id: 7,
      date: '2026-01-05',
      cost: 100,
      ...body,
    });
  const change = (id: number, body: object) => service.call('PATCH', `/v3/project-expenses/${id}`, body);

  it('billable only on billable projects (422)', async () => {
    expect((await make({ billable: 1 })).status).toBe(201);
    const { status, json } = await make({ project_id: 8, billable: 1 });
    expect({ status, errors: json.errors }).toEqual({
      status: 422,
      errors: [{ field: 'billable', message: 'billable: project 8 is not billable, so its expenses cannot be' }],
    });
    const made = (await make({ billable: 1 })).json.project_expense_id;
    expect((await change(made, { project_id: 8 })).status).toBe(422);
    expect((await change(made, { project_id: 8, billable: 0 })).status).toBe(200);
    expect((await change(made, { billable: 1 })).status).toBe(422);
  });

  it('markup only on billable ones (422)', async () => {
    const { status, json } = await make({ markup: 5 });
    expect({ status, errors: json.errors }).toEqual({
      status: 422,
      errors: [{ field: 'markup', message: 'markup: only a billable expense can have one' }],
    });
    expect((await make({ markup: 0 })).status).toBe(201);
    const { json: made } = await make({ billable: 1, markup: '12.5', markup_type: 1 });
    expect(made).toMatchObject({ billable: 1, markup: '12.5000', markup_type: 1 });
    expect((await change(made.project_expense_id, { billable: 0 })).json.errors[0].field).toBe('markup');
    expect((await change(made.project_expense_id, { billable: 0, markup: null })).json).toMatchObject({
      billable: 0,
      markup: null,
    });
  });

  it('a credit note has a cost below 0, and the markup of any other expense', async () => {
    const { status, json } = await make({ cost: '-100.00', billable: 1, markup: 10 });
    expect({ status, cost: json.cost }).toEqual({ status: 201, cost: -100 });
    expect((await change(json.project_expense_id, { cost: -99.5 })).json.cost).toBe(-99.5);
    const fees = await service.rows(
      `SELECT fee FROM core.expenses WHERE project_expense_id = ${json.project_expense_id}`,
    );
    expect(fees).toEqual([{ fee: '-109.4500' }]);
    const refund = await make({ cost: '-100.00', billable: 1, markup: '-20', markup_type: 1 });
    expect({ status: refund.status, markup: refund.json.markup }).toEqual({ status: 201, markup: '-20.0000' });
    expect((await change(refund.json.project_expense_id, { cost: 100 })).status).toBe(422);
    const refused = [{ cost: '-100000000000' }, { markup: -1 }, { cost: '-99999999999', markup: '99999999999' }];
    const messages = [];
    for (const body of refused) messages.push((await make({ billable: 1, ...body })).json.errors[0].message);
    const BELOW_0 = 'markup is below 0, and neither fixed (markup_type 1) nor of a cost below 0';
    expect(messages).toEqual(['cost: not above -100000000000', BELOW_0, 'cost with its markup is too large']);
  });

  it('an expense loaded against these rules can be changed in all other fields', async () => {
    expect((await change(1, { cost: 20 })).status).toBe(200);
    expect((await change(2, { cost: 20 })).status).toBe(200);
    expect((await change(2, { markup: 6 })).status).toBe(422);
  });

  it('a project with billable expenses stays billable (422)', async () => {
    const { json } = await service.call('POST', '/v3/projects', {
      name: 'Road',
      expenses: [{ name: 'Train', date: '2026-01-05', cost: 5, billable: 1 }],
    });
    const set = () => service.call('PATCH', `/v3/projects/${json.project_id}`, { non_billable: 1 });
    const { status, json: refused } = await set();
    expect({ status, errors: refused.errors }).toEqual({
      status: 422,
      errors: [
        {
          field: 'non_billable',
          message: 'non_billable: some expenses of the project are billable (1); set their billable to 0 first',
        },
      ],
    });
    const [expense] = (await service.call('GET', `/v3/project-expenses?project_id=${json.project_id}`)).json;
    await change(expense.project_expense_id, { billable: 0 });
    expect((await set()).status).toBe(200);
  });

  it('a new project is created with all its expenses, or not at all', async () => {
    const post = (expenses: unknown) => service.call('POST', '/v3/projects', { name: 'Dam', expenses });
    const { json } = await post([{ date: '2026-01-05', cost: '5.5', name: 'Stones', project_id: 7 }]);
    expect((await service.call('GET', `/v3/projects/${json.project_id}?expand=expenses`)).json.expenses).toMatchObject([
      { project_id: json.project_id, name: 'Stones', cost: 5.5 },
    ]);
    const count = async () => (await service.rows('SELECT count(*) AS count FROM source.projects'))[0];
    const before = await count();
    for (const [expenses, field] of [
      [
        [
          { name: 'Stones', date: '2026-01-05', cost: 5 },
          { name: 'Sand', date: '2026-01-05', cost: 'x' },
        ],
        'expenses[2].cost',
      ],
      [[{ name: 'Sand', date: '2026-01-05' }], 'expenses[1].cost'],
      [[{ date: '2026-01-05', cost: 5 }], 'expenses[1].name'],
      [[5], 'expenses[1]'],
      [[[]], 'expenses[1]'],
      [{}, 'expenses'],
    ] as const) {
      const answer = await post(expenses);
      expect([answer.status, answer.json.errors[0].field], JSON.stringify(expenses)).toEqual([422, field]);
    }
    expect(await count()).toEqual(before);
  });

  it('costs and markups require the scope rates', async () => {
    service.allow(['reports', 'write']);
    const { json } = await service.call('GET', '/v3/project-expenses/1');
    service.allow(['reports', 'write', 'rates']);
    expect(Object.keys(json)).not.toEqual(expect.arrayContaining(['cost']));
    expect(json).not.toHaveProperty('markup');
  });
});
