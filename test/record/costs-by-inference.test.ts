import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Value } from '../../src/base/database/database.ts';
import { servedResources } from '../../src/store/record/served-resources.ts';
import { openService, type Service } from './service.ts';

/** Costs hidden from readers without rates, and a fee that would reveal them. */
const COSTS = {
  ownRate: '6137.91',
  contractRate: '7351.83',
  roleRate: '8269.47',
  markedUp: '9433.19',
  hidden: '5867.13',
} as const;

const MARKUP = '17';

/** Digits of the costs, and of their fees with the own markup, none, and 5. */
const REVEALING = [
  ...Object.values(COSTS),
  ...[COSTS.markedUp, COSTS.hidden].flatMap((cost) =>
    [17, 5].flatMap((markup) => [(Number(cost) * (1 + markup / 100)).toFixed(2), (Number(cost) + markup).toFixed(2)]),
  ),
].map((text) => text.slice(0, -1));

let service: Service;
beforeAll(async () => {
  service = await openService({
    roles: [
      { role_id: 1, name: 'Engineer', cost_rate_history: [{ rate: COSTS.roleRate, effective_date: '2026-01-01' }] },
    ],
    people: [
      { people_id: 1, name: 'Ann', cost_rate: COSTS.ownRate },
      {
        people_id: 2,
        name: 'Ben',
        role_id: 1,
        contracts: [{ effective_date: '2026-02-01', role_id: 1, cost_rate: COSTS.contractRate }],
      },
    ],
    projects: [
      { project_id: 1, name: 'Billed' },
      { project_id: 2, name: 'Internal', non_billable: 1 },
    ],
    phases: [
      { phase_id: 1, project_id: 1, name: 'Phase', start_date: '2026-01-01', end_date: '2026-12-31', non_billable: 1 },
    ],
    tasks: [{ task_id: 1, project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 8 }],
    logged_time: [{ logged_time_id: 'a', people_id: 2, project_id: 1, date: '2026-03-02', hours: 7 }],
    project_expenses: [
      { project_expense_id: 1, project_id: 1, name: 'Own', date: '2026-01-07', cost: COSTS.markedUp, billable: 0 },
      // The project is not billable, so the expense isn't either.
      {
        project_expense_id: 2,
        project_id: 2,
        name: 'Other',
        date: '2026-01-07',
        cost: COSTS.hidden,
        billable: 1,
        markup: MARKUP,
      },
    ],
  });
});
afterAll(() => service.close());

const asWriter = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  service.allow(['reports', 'write']);
  return work().finally(() => service.allow(['reports', 'rates', 'write']));
};

/** Changes that show or guess a cost: path, field, and values, one of which may be right. */
const REFUSED: readonly (readonly [string, string, readonly unknown[]])[] = [
  ['/v3/project-expenses/1', 'cost', [COSTS.markedUp, '1.00', null, 'x']],
  ['/v3/project-expenses/1', 'markup', [null, 5]],
  ['/v3/project-expenses/1', 'markup_type', [0, 1]],
  ['/v3/project-expenses/1', 'billable', [1, true]],
  ['/v3/project-expenses/2', 'billable', [0]],
  ['/v3/project-expenses/2', 'project_id', [1]],
  ['/v3/projects/2', 'non_billable', [0, false, null]],
  ['/v3/people/1', 'cost_rate', [COSTS.ownRate, '1.00', null, '']],
  ['/v3/people/2', 'contracts', [{ del: ['2026-02-01'] }, { del: ['2026-02-02'] }, {}]],
  [
    '/v3/roles/1',
    'cost_rate_history',
    [{ add: [{ rate: COSTS.roleRate, effective_date: '2026-01-01' }] }, { del: ['2026-01-01'] }, []],
  ],
];

describe('a writer without the scope rates', () => {
  it.each(REFUSED.flatMap(([path, field, values]) => values.map((value) => [path, field, value] as const)))(
    "can't change %s: %s to %j, and learns nothing by trying",
    async (path, field, value) => {
      const before = await service.call('GET', path);
      for (const method of ['PATCH', 'PUT']) {
        const reply = await asWriter(() => service.call(method, path, { [field]: value }));
        expect(reply.status).toBe(403);
        expect(reply.json.message).toContain(`${field}: `);
        expect(reply.json.message).toContain('"rates"');
      }
      expect((await service.call('GET', path)).json).toEqual(before.json);
    },
  );

  it('gets the same answer for a right guess as for a wrong one', async () => {
    const [right, wrong] = await Promise.all(
      [COSTS.markedUp, '1.23'].map((cost) => asWriter(() => service.call('PATCH', '/v3/project-expenses/1', { cost }))),
    );
    expect(right?.text).toBe(wrong?.text);
  });

  it('can send back a record unchanged, and change fields that reveal no cost', async () => {
    for (const path of [
      '/v3/project-expenses/1',
      '/v3/project-expenses/2',
      '/v3/people/2',
      '/v3/roles/1',
      '/v3/projects/2',
    ]) {
      const given = await asWriter(() => service.call('GET', `${path}?expand=contracts`));
      const reply = await asWriter(() => service.call('PATCH', path, { ...given.json, name: 'Renamed' }));
      expect([path, reply.status]).toEqual([path, 200]);
    }
  });

  it('can create a record with a known cost', async () => {
    const own = { project_id: 1, name: 'Mine', date: '2026-01-07', cost: '12.34', billable: 1, markup: '5' };
    const reply = await asWriter(() => service.call('POST', '/v3/project-expenses', own));
    expect(reply.status).toBe(201);
    expect(reply.json).not.toHaveProperty('cost');
    // The author has no special rights to the written record.
    const again = await asWriter(() =>
      service.call('PATCH', `/v3/project-expenses/${reply.json.id}`, { cost: '12.34' }),
    );
    expect(again.status).toBe(403);
  });

  it('finds no cost through filters, sorting, expansions or fields', async () => {
    for (const resource of servedResources.values()) {
      const path = `/v3/${resource.name}`;
      const hidden = [...resource.needsRates, ...(resource.name === 'people' ? ['cost_rate'] : [])];
      const { text: all } = await asWriter(() => service.call('GET', `${path}?sort=${resource.id}`));
      for (const name of hidden) {
        const filtered = await asWriter(() =>
          service.call('GET', `${path}?sort=${resource.id}&${name}=${COSTS.markedUp}`),
        );
        const sorted = await asWriter(() => service.call('GET', `${path}?sort=${name},${resource.id}`));
        const shown = await asWriter(() => service.call('GET', `${path}?fields=${resource.id},${name}&expand=${name}`));
        for (const { status, text } of [filtered, sorted]) expect([400, all]).toContain(status === 200 ? text : status);
        expect(REVEALING.filter((each) => shown.text.includes(each))).toEqual([]);
      }
    }
  });
});

/** Returns values that differ from a field's current one, so that the change has an effect. */
function otherValues(type: string, value: unknown): unknown[] {
  if (type === 'boolean') return [value ? 0 : 1];
  if (type === 'id' || type === 'integer') return [1, 2, null];
  if (type === 'date') return ['2026-02-03', null];
  if (type === 'hours' || type === 'rate' || type === 'amount') return ['5', null];
  return ['Other', null];
}

it('no change of any field without the scope rates reveals a cost in an answer or a fee', {
  tags: ['slow'],
}, async () => {
  const fees = () =>
    service.built(
      "SELECT project_expense_id, fee FROM core.ledger WHERE kind = 'expense' AND project_expense_id < 3 ORDER BY 1",
    );
  const before = await fees();
  const leaks: string[] = [];
  const see = (where: string, text: string) => {
    for (const each of REVEALING) if (text.includes(each)) leaks.push(`${where}: ${each}`);
  };
  for (const { name: resource, fields, id } of servedResources.values()) {
    const path = `/v3/${resource}`;
    const [record] = (await service.call('GET', `${path}?sort=${id}&people_type_id=1`)).json ?? [];
    if (!record) continue;
    for (const [name, { type }] of Object.entries(fields)) {
      for (const value of otherValues(type, record[name])) {
        const one = `${path}/${record[id]}`;
        const reply = await asWriter(() => service.call('PATCH', one, { [name]: value }));
        see(`PATCH ${one} ${name}`, `${reply.text} ${JSON.stringify(reply.headers)}`);
      }
    }
    const expand = 'contracts,cost_rate_history,expenses,project_team,project_tasks';
    see(path, (await asWriter(() => service.call('GET', `${path}?expand=${expand}`))).text);
  }
  expect(leaks).toEqual([]);
  const after: Record<string, Value>[] = await fees();
  expect(after).toEqual(before);
});
