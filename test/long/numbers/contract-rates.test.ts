import { expect, it } from 'vitest';
import { openService, type Service } from '../../record/service.ts';
import { openCompany } from '../../sql/company.ts';

const roles = [
  {
    role_id: 1,
    name: 'Designer',
    default_hourly_rate: 90,
    cost_rate_history: [{ rate: 40 }, { rate: 45, effective_date: '2026-03-01' }],
  },
  {
    role_id: 2,
    name: 'Engineer',
    cost_rate_history: [
      { rate: 60, effective_date: '2025-02-01' },
      { rate: null, effective_date: '2026-04-01' },
    ],
  },
  { role_id: 3, name: 'Intern' },
];

const STARTS = [undefined, '2025-06-01', '2026-09-01'];
const ROLES = [undefined, 1, 2];
const COST_FACTS = [
  {},
  { cost_rate: 50 },
  { cost_rate: 50, effective_date: '2026-01-01' },
  {
    contracts: [
      { role_id: 2, cost_rate: 55 },
      { effective_date: '2026-03-15', role_id: 1 },
    ],
  },
  {
    contracts: [
      { effective_date: '2025-03-01', role_id: 1, cost_rate: 40, cost_rate_from: 'role' },
      { effective_date: '2026-07-01', role_id: 99, cost_rate: 80 },
    ],
  },
  { contracts: [{ effective_date: '2025-01-15', role_id: 1, cost_rate: 41, cost_rate_from: 'role' }] },
];

/** People with every combination of start, role and cost facts in a dataset. */
const people = STARTS.flatMap((start_date) =>
  ROLES.flatMap((role_id) => COST_FACTS.map((facts) => ({ start_date, role_id, ...facts }))),
).map((facts, index) => ({ people_id: index + 1, name: `Person ${index + 1}`, ...facts }));

/** Days before and after every date of a change. */
const DAYS = [
  '1970-01-01', '2025-01-14', '2025-01-15', '2025-01-31', '2025-02-01', '2025-02-28', '2025-03-01', '2025-05-31', '2025-06-01', '2025-12-31', '2026-01-01', '2026-01-31',
  '2026-02-01', '2026-02-28', '2026-03-01', '2026-03-14', '2026-03-15', '2026-03-31', '2026-04-01', '2026-05-19', '2026-05-20',
  '2026-06-15', '2026-06-30', '2026-07-01', '2026-08-31', '2026-09-01', '2099-12-31',
]; // biome-ignore format: a list of days

const RATES = `
  SELECT people_id, CAST(days.day AS VARCHAR) AS day, role_id, cost_rate, cost_rate_source, role_bill_rate
  FROM core.person_rates
  JOIN (SELECT UNNEST([${DAYS.map((day) => `DATE '${day}'`).join(', ')}]) AS day) AS days ON days.day >= valid_from AND days.day < valid_to
  WHERE people_id <= ${people.length}
  ORDER BY people_id, day`;

interface Rate {
  readonly people_id: number;
  readonly day: string;
  readonly role_id: number | null;
  readonly cost_rate: string | null;
}

const ratesOf = async (service: Service) => (await service.built(RATES)) as unknown as Rate[];

const changeAll = async (service: Service, body: object) => {
  for (const { people_id } of people) {
    const { status } = await service.call('PATCH', `/v3/people/${people_id}`, body);
    expect(status).toBe(200);
  }
};

it('a new contract applies from its date; earlier days keep the costs of the dataset', async () => {
  const service = await openService({ roles, people });
  const before = await ratesOf(service);
  await changeAll(service, { cost_rate: 77, effective_date: '2026-05-20' });
  const after = await ratesOf(service);
  const early = ({ day }: Rate) => day < '2026-05-20';
  expect(after.filter(early)).toEqual(before.filter(early));
  const onTheDay = after.filter(({ day }) => day === '2026-05-20');
  expect(onTheDay.map(({ cost_rate }) => cost_rate)).toEqual(people.map(() => '77.0000'));
  const roleOf = (rates: Rate[]) => rates.filter(({ day }) => day === '2026-05-20').map(({ role_id }) => role_id);
  expect(roleOf(after)).toEqual(roleOf(before));

  await changeAll(service, { role_id: 3, effective_date: '2026-02-01' });
  const moved = await ratesOf(service);
  const earlier = ({ day }: Rate) => day < '2026-02-01';
  expect(moved.filter(earlier)).toEqual(after.filter(earlier));
  expect(moved.filter(({ day }) => day === '2026-02-01').map(({ role_id }) => role_id)).toEqual(people.map(() => 3));
  const later = ({ day }: Rate) => day >= '2026-05-20';
  expect(moved.filter(later)).toEqual(after.filter(later));
  await service.close();
});

it('people loaded with their contracts cost and are billed the same on every day', async () => {
  const service = await openService({ roles, people });
  const halves = [
    { cost_rate: 77, effective_date: '2026-05-20' },
    { role_id: 3, effective_date: '2026-02-01' },
    { cost_rate: null, effective_date: '2026-06-30' },
    { role_id: 2 },
    { cost_rate: 33 },
  ];
  for (const { people_id } of people)
    for (const [index, body] of halves.entries())
      if ((people_id + index) % 3 === 0) await service.call('PATCH', `/v3/people/${people_id}`, body);
  const ours = await ratesOf(service);
  const answer = async (path: string) => (await service.call('GET', path)).json;
  const company = await openCompany({
    people: await answer('/v3/people?per-page=200&expand=contracts'),
    roles: await answer('/v3/roles?expand=cost_rate_history'),
  });
  const plain = (rates: object[]) => JSON.parse(JSON.stringify(rates).replaceAll('.0000"', '"'));
  expect(plain(await company.rows(RATES))).toEqual(plain(ours));
  await company.close();
  await service.close();
});

it('a contract with the rate of its role on its first day follows the role (R1, R3)', async () => {
  const contracts = [{ role_id: 2, cost_rate: 60, cost_rate_from: 'role' }];
  const service = await openService({
    roles,
    people: ['2025-06-01', '2024-01-01'].map((start_date, index) => ({ people_id: index + 1, start_date, contracts })),
  });
  const stored = await service.rows(
    'SELECT people_id, cost_rate FROM source.contracts WHERE role_id = 2 ORDER BY people_id',
  );
  expect(stored).toEqual([
    { people_id: 1, cost_rate: null },
    { people_id: 2, cost_rate: '60.0000' },
  ]);
  await service.close();
});
