import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { buildModels } from '../../src/numbers/model/build.ts';
import { loadModels } from '../../src/numbers/model/models.ts';
import { openRefresher } from '../../src/numbers/model/refresh/refresh.ts';
import { openToWrites } from '../../src/numbers/model/working.ts';
import { findResource } from '../../src/records/resource/resources.ts';
import { readChanges } from '../../src/store/record/storage/changes.ts';
import { expectRebuilt, sqlFolder } from '../refresh/working.ts';
import { SEED } from '../seed.ts';
import { openService, type Service } from './service.ts';

/** Number of loaded records of each kind; writes use their ids and the next few. */
const COUNT = 6;

/** Number of writes between comparisons of the models. */
const COMPARE_EVERY = 10;

const id = fc.integer({ min: 1, max: COUNT });
const day = fc.constantFrom('2026-01-05', '2026-01-06', '2026-02-02', '2026-03-04', '2026-05-20', '2026-07-01');
const rate = fc.constantFrom(null, '0', '40', '55.5', '120');
const flag = fc.boolean();
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const body = (fields: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, optional(value)])));
const member = fc.oneof(id, body({ people_id: fc.option(id), role_id: id, hourly_rate: rate }));
const members = fc.array(member, { maxLength: 3 });
const team = fc.oneof(members, body({ add: members, del: fc.array(id, { maxLength: 2 }) }), body({ set: members }));
const status = fc.integer({ min: 0, max: 4 });

const BODIES: Record<string, fc.Arbitrary<object>> = {
  roles: body({
    name: fc.constantFrom('R', 'S'),
    default_hourly_rate: rate,
    cost_rate_history: fc.oneof(
      body({
        add: fc.array(body({ rate, effective_date: day }), { maxLength: 2 }),
        del: fc.array(day, { maxLength: 1 }),
      }),
      fc.array(body({ rate, effective_date: day }), { maxLength: 2 }),
    ),
  }),
  people: body({
    name: fc.constant('P'),
    role_id: fc.option(id),
    cost_rate: rate,
    effective_date: day,
    default_hourly_rate: rate,
    start_date: fc.option(day),
    contracts: body({ del: fc.array(fc.option(day), { maxLength: 1 }) }),
    department: fc.option(fc.constant(1)),
  }),
  projects: body({
    name: fc.constant('J'),
    status,
    tentative: flag,
    stage_id: fc.option(id),
    non_billable: flag,
    default_hourly_rate: rate,
    project_team: team,
    start_date: fc.option(day),
  }),
  phases: body({
    project_id: id,
    name: fc.constant('F'),
    start_date: fc.constant('2026-01-01'),
    end_date: fc.constant('2026-06-30'),
    status,
    non_billable: flag,
    default_hourly_rate: rate,
    phase_team: team,
  }),
  tasks: body({
    project_id: id,
    people_ids: fc.array(id, { minLength: 1, maxLength: 3 }),
    start_date: day,
    end_date: fc.constant('2026-07-08'),
    hours: fc.constantFrom('4', '7.25'),
    phase_id: fc.option(id),
    task_meta_id: fc.option(id),
    status,
  }),
  'logged-time': body({
    people_id: id,
    project_id: fc.option(id),
    task_id: fc.option(id),
    phase_id: fc.option(id),
    task_meta_id: fc.option(id),
    date: day,
    hours: fc.constantFrom('3', '1.5', '0'),
    locked: fc.constantFrom(0, 0, 0, 1),
  }),
  timeoffs: body({
    people_ids: fc.array(id, { minLength: 1, maxLength: 2 }),
    start_date: day,
    end_date: fc.constant('2026-07-08'),
  }),
  holidays: body({ date: day, region_id: fc.option(id), dates: fc.array(day, { maxLength: 2 }) }),
  'project-tasks': body({ project_id: id, task_name: fc.constant('T'), billable: flag, phase_id: fc.option(id) }),
  'project-expenses': body({ project_id: id, date: day, cost: fc.constantFrom('10', '-10'), billable: flag }),
  'project-stages': body({ name: fc.constant('G'), status }),
};

const NEW: Record<string, object> = {
  roles: { name: 'R' },
  people: { name: 'P' },
  projects: { name: 'J' },
  phases: { project_id: 1, name: 'F', start_date: '2026-01-01', end_date: '2026-06-30' },
  tasks: { project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-07-08', hours: 1 },
  'logged-time': { people_id: 1, date: '2026-01-05', hours: 1 },
  timeoffs: { people_id: 1, start_date: '2026-01-05', end_date: '2026-01-05' },
  holidays: { name: 'H', date: '2026-01-05' },
  'project-tasks': { project_id: 1, task_name: 'T' },
  'project-expenses': { project_id: 1, date: '2026-01-05', cost: 10 },
  'project-stages': { name: 'G', status: 2 },
};

const write = fc
  .constantFrom(...Object.keys(BODIES))
  .chain((path) =>
    fc.record({
      path: fc.constant(path),
      method: fc.constantFrom('POST', 'POST', 'POST', ...Array(12).fill('PATCH'), 'DELETE'),
      id: fc.integer({ min: 1, max: COUNT + 3 }),
      body: BODIES[path] as fc.Arbitrary<object>,
    }),
  )
  .map(({ body, ...rest }) => ({
    ...rest,
    body: rest.method === 'POST' ? { ...NEW[rest.path], ...withoutUndefined(body) } : body,
  }));

function withoutUndefined(sent: object): object {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
}

/** Compares the models with a rebuild after random writes. @param count Number of writes; PLUMBLINE_WRITES overrides it. */
export function testHistory(count: number): void {
  const writes = Number(process.env['PLUMBLINE_WRITES'] ?? count);
  it(
    `the models after any ${writes} writes over the API, refreshed after each, equal a rebuild, PLUMBLINE_SEED=${SEED}`,
    {
      timeout: writes * 2_000,
    },
    () => runHistory(writes),
  );
}

async function runHistory(count: number): Promise<void> {
  const numbers = Array.from({ length: COUNT }, (_, index) => index + 1);
  const service = await openService({
    departments: [{ department_id: 1, name: 'Studio' }],
    roles: numbers.map((role_id) => ({
      role_id,
      name: `Role ${role_id}`,
      cost_rate_history: [{ rate: role_id * 10 }],
    })),
    people: numbers.map((people_id) => ({
      people_id,
      name: `Person ${people_id}`,
      role_id: people_id,
      cost_rate: people_id === 1 ? 70 : undefined,
    })),
    project_stages: numbers.map((stage_id) => ({ stage_id, name: `Stage ${stage_id}`, status: stage_id })),
    projects: numbers.map((project_id) => ({
      project_id,
      name: `Project ${project_id}`,
      project_team: [{ people_id: 1, hourly_rate: 90 }],
    })),
    phases: numbers.map((phase_id) => ({
      phase_id,
      project_id: 1,
      name: `Phase ${phase_id}`,
      start_date: '2026-01-01',
      end_date: '2026-06-30',
    })),
    project_tasks: numbers.map((task_meta_id) => ({ task_meta_id, project_id: 1, task_name: `Work ${task_meta_id}` })),
    tasks: numbers.map((task_id) => ({
      task_id,
      project_id: task_id,
      people_ids: [task_id, 1],
      start_date: '2026-01-05',
      end_date: '2026-01-09',
      hours: 4,
    })),
    logged_time: numbers.map((number) => ({
      logged_time_id: `${number}`,
      people_id: number,
      task_id: number,
      date: '2026-01-05',
      hours: 2,
    })),
  });
  // A refresh brings built models up to date.
  await buildModels(service.database, sqlFolder);
  await openToWrites(service.database, sqlFolder);
  const refresher = await openRefresher(service.database, sqlFolder);
  const stored = (await loadModels(service.database, sqlFolder)).filter(({ storage }) => storage === 'table');
  let seen = 0;
  const refresh = async () => {
    // Applies the journal first, like a reader of the server.
    await service.rows('SELECT 1');
    await refresher.refresh({
      async readChanges(session) {
        const changes = await readChanges(session, `change_id > ${seen}`);
        seen = changes.at(-1)?.change_id ?? seen;
        return changes;
      },
      finish: async () => undefined,
    });
  };
  await refresh();
  const writes = fc.sample(write, { numRuns: count, seed: SEED });
  for (const [index, { path, method, id: number, body: sent }] of writes.entries()) {
    const resource = findResource(path.replace('-', '_'));
    const ids = await service.rows(`SELECT ${resource.id} AS id FROM ${resource.table} ORDER BY 1`);
    const chosen = ids[number % Math.max(1, ids.length)]?.['id'] ?? 1;
    if (method === 'DELETE' && chosen === 1) continue;
    const target = method === 'POST' ? `/v3/${path}` : `/v3/${path}/${chosen}`;
    const { status, text } = await service.call(method, target, method === 'DELETE' ? undefined : sent);
    const what = `seed ${SEED}, write ${index}: ${method} ${target} ${JSON.stringify(sent)}: ${status} ${text}`;
    expect([200, 201, 204, 404, 422], what).toContain(status);
    if (status >= 300) continue;
    await refresh();
    if (index % COMPARE_EVERY === 0) await expectRebuilt(service.database, stored, what);
  }
  await expectRebuilt(service.database, stored, `seed ${SEED}`);
  await expectPendingEqual(service);
  await refresher.close();
  await service.close();
}

/** Compares the pending changes with those in the table, without reading the table for them. */
async function expectPendingEqual({ database, pending }: Service): Promise<void> {
  const read: string[] = [];
  const rows: Database['rows'] = (sql, ...more) => {
    read.push(sql);
    return database.rows(sql, ...more);
  };
  const pendingChanges = await pending.read({ rows });
  expect(read.join()).not.toContain('before');
  expect(pendingChanges).toEqual(await readChanges(database, 'TRUE'));
}
