import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PartFilters } from '../../src/numbers/report/source/part-views.ts';
import { eventually } from '../eventually.ts';
import { Prng } from '../oracle/prng.ts';
import { SEED, takePart } from '../seed.ts';
import { type ClosableServer, serveClosable } from './closable-server.ts';

/*
 * Between a closing and now, projects go to other clients and managers, people to other departments, a client is merged into
 * another, somebody leaves, and lines come, change and go. A line is of a part by the records of its own state.
 */

const MARCH = 'start_date=2026-03-01&end_date=2026-03-31&cutoff_date=2026-03-20';

const CLIENTS = [1, 2, 3];
const DEPARTMENTS = [1, 2, 3];
const MANAGERS = [1, 2];
const PEOPLE = [1, 2, 3, 4, 5];
const PROJECTS = [1, 2, 3, 4, 5, 6, 7];

/** Names that no other text has. */
const nameOf = (kind: string, id: number) => `${kind}-canary-${id}`;

interface Line {
  readonly id: string;
  readonly project_id: number;
  readonly people_id: number;
  readonly hours: number;
  readonly date: string;
}

/** The records of a state that decide what is in a part. */
interface World {
  readonly clientOf: Map<number, number>;
  readonly managerOf: Map<number, number>;
  readonly departmentOf: Map<number, number>;
  readonly logged: Map<string, Line>;
  readonly planned: Map<string, Line>;
}

const random = new Prng(SEED);

function makeWorld(): World {
  const of = (ids: readonly number[], choices: readonly number[]) =>
    new Map(ids.map((id) => [id, random.pick(choices)]));
  const lines = (count: number) =>
    new Map(
      Array.from({ length: count }, (_, index): [string, Line] => {
        const [project_id, people_id] = [random.pick(PROJECTS), random.pick(PEOPLE)];
        const date = `2026-03-${String(2 + (index % 28)).padStart(2, '0')}`;
        return [
          String(index + 1),
          { id: String(index + 1), project_id, people_id, hours: random.int(1, 24) / 4, date },
        ];
      }),
    );
  return {
    clientOf: of(PROJECTS, CLIENTS),
    managerOf: of(PROJECTS, MANAGERS),
    departmentOf: of(PEOPLE, DEPARTMENTS),
    logged: lines(24),
    planned: lines(20),
  };
}

const [then, now] = [makeWorld(), {} as World];

let server: ClosableServer;

/** Changes a record on the server. */
async function write(method: string, path: string, body?: object): Promise<string> {
  const answer = await server.send(method, path, body);
  expect([method, path, answer]).toMatchObject([method, path, { status: expect.toSatisfy((status) => status < 300) }]);
  return answer.body;
}

/** Moves projects and people, and returns where they are then. */
async function moveAll(
  before: ReadonlyMap<number, number>,
  choices: readonly number[],
  path: (id: number) => string,
  field: string,
): Promise<Map<number, number>> {
  const after = new Map(before);
  for (const [id, where] of before) {
    // The last one is merged into the first, where it is a client.
    const next = field === 'client_id' && where === 3 ? 1 : random.chance(0.5) ? random.pick(choices) : where;
    if (next !== where) await write('PATCH', path(id), { [field]: next });
    after.set(id, next);
  }
  return after;
}

async function changeLines(before: ReadonlyMap<string, Line>, path: string): Promise<Map<string, Line>> {
  const after = new Map(before);
  for (const [id, line] of before) {
    if (random.chance(0.25)) {
      await write('DELETE', `${path}/${id}`);
      after.delete(id);
    } else if (random.chance(0.4)) {
      const change = {
        hours: random.int(1, 24) / 4,
        people_id: random.pick(PEOPLE),
        project_id: random.pick(PROJECTS),
      };
      await write('PATCH', `${path}/${id}`, change);
      after.set(id, { ...line, ...change });
    }
  }
  return after;
}

const plannedOf = ({ id, project_id, people_id, hours, date }: Line) => ({
  ...{ task_id: Number(id), project_id, people_id, hours, start_date: date, end_date: date },
});

beforeAll(async () => {
  server = await serveClosable({
    data: {
      clients: CLIENTS.map((id) => ({ client_id: id, name: nameOf('client', id) })),
      departments: DEPARTMENTS.map((id) => ({ department_id: id, name: nameOf('department', id) })),
      accounts: MANAGERS.map((id) => ({ account_id: id, name: nameOf('manager', id) })),
      people: PEOPLE.map((id) => ({
        ...{ people_id: id, name: nameOf('person', id), cost_rate: 50 + id, department_id: then.departmentOf.get(id) },
        work_days_hours: [8, 8, 8, 8, 8, 8, 8],
      })),
      projects: PROJECTS.map((id) => ({
        ...{ project_id: id, name: nameOf('project', id), client_id: then.clientOf.get(id) },
        ...{ project_manager: then.managerOf.get(id), budget_type: 1, budget_total: 100 + id },
      })),
      logged_time: [...then.logged.values()].map(({ id, ...line }) => ({ logged_time_id: id, ...line })),
      tasks: [...then.planned.values()].map(plannedOf),
    },
  });
  await write('POST', '/v3/closings', { period: '2026-03', confirm: true });
  const moved = {
    clientOf: await moveAll(then.clientOf, [1, 2], (id) => `/v3/projects/${id}`, 'client_id'),
    managerOf: await moveAll(then.managerOf, MANAGERS, (id) => `/v3/projects/${id}`, 'project_manager'),
    departmentOf: await moveAll(then.departmentOf, DEPARTMENTS, (id) => `/v3/people/${id}`, 'department_id'),
    logged: await changeLines(then.logged, '/v3/logged-time'),
    planned: await changeLines(then.planned, '/v3/tasks'),
  };
  await write('DELETE', '/v3/clients/3');
  await write('PATCH', '/v3/people/5', { end_date: '2026-03-31', active: 0 });
  Object.assign(now, moved);
}, 240_000);
afterAll(() => server?.served.close());

type Rows = readonly Readonly<Record<string, unknown>>[];

async function read(path: string, authorization?: string): Promise<{ rows: Rows; text: string }> {
  const { status, text } = await server.served.get(
    `/v3/reports/${path}`,
    authorization ? { authorization } : undefined,
  );
  expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, '']);
  return { rows: Object.values(JSON.parse(text))[0] as Rows, text };
}

/** Tests by a plain rule whether a line is of a part. */
function isSeen({ project_id, people_id }: Line, part: PartFilters, world: World): boolean {
  const found: Readonly<Record<keyof PartFilters, number | undefined>> = {
    project_id,
    people_id,
    client_id: world.clientOf.get(project_id),
    project_manager: world.managerOf.get(project_id),
    department_id: world.departmentOf.get(people_id),
  };
  return Object.entries(part).every(([name, ids]) => ids.includes(found[name as keyof PartFilters] ?? -1));
}

const linesOf = ({ logged, planned }: World) => [...logged.values(), ...planned.values()];

/** Sums the hours of the lines of a part by project. */
function sumSeen(lines: ReadonlyMap<string, Line>, part: PartFilters, world: World): Map<number, number> {
  const sums = new Map<number, number>();
  for (const line of lines.values())
    if (isSeen(line, part, world)) sums.set(line.project_id, (sums.get(line.project_id) ?? 0) + line.hours);
  return sums;
}

const isToDate = (lines: ReadonlyMap<string, Line>) =>
  new Map([...lines].filter(([, { date }]) => date <= '2026-03-20'));

/** The hours of each project that aren't 0, by a column. */
function valuesOf(rows: Rows, column: string): Map<number, number> {
  const values = rows.map((row): [number, number] => [Number(row['project_id']), Number(row[column])]);
  return new Map(values.filter(([, value]) => value !== 0).sort());
}

const sorted = (sums: ReadonlyMap<number, number>) => new Map([...sums].filter(([, sum]) => sum !== 0).sort());

/** Names of projects and people of which a part has no line in any of some states. */
function namesOutside(part: PartFilters, worlds: readonly World[]): string[] {
  const seen = worlds.flatMap((world) => linesOf(world).filter((line) => isSeen(line, part, world)));
  const [projects, people] = [
    new Set(seen.map((line) => line.project_id)),
    new Set(seen.map((line) => line.people_id)),
  ];
  return [
    ...PROJECTS.filter((id) => !projects.has(id)).map((id) => nameOf('project', id)),
    ...PEOPLE.filter((id) => !people.has(id)).map((id) => nameOf('person', id)),
  ];
}

const PARTS: readonly PartFilters[] = [
  ...CLIENTS.map((id) => ({ client_id: [id] })),
  { client_id: [1, 3] },
  { department_id: [1] },
  { department_id: [2, 3] },
  { project_manager: [1] },
  { people_id: [1, 5] },
  { project_id: [2, 3, 4] },
  { client_id: [1], department_id: [1, 2] },
  // None of these was ever there.
  { client_id: [98, 99] },
];

describe.each(takePart(PARTS))(`the part $# (PLUMBLINE_SEED=${SEED})`, { tags: ['slow'] }, (part) => {
  let reader: string;
  beforeAll(async () => {
    const { header } = await server.served.tokenOfPart(part);
    reader = header;
    await eventually(async () =>
      expect((await server.served.get('/v3/reports', { authorization: reader })).status).toBe(200),
    );
  });

  const named = (text: string, worlds: readonly World[]) =>
    namesOutside(part, worlds).filter((name) => text.includes(name));

  it.each([
    ['', () => now],
    ['&as_of=2026-03', () => then],
  ] as const)('is decided by the records of the state that is asked%s', async (asOf, worldOf) => {
    const world = worldOf();
    const pivot = `pivot?${MARCH}${asOf}&group_by=project&measures=actual_hours,scheduled_hours`;
    const { rows } = await read(pivot, reader);
    expect(valuesOf(rows, 'actual_hours')).toEqual(sorted(sumSeen(isToDate(world.logged), part, world)));
    expect(valuesOf(rows, 'scheduled_hours')).toEqual(sorted(sumSeen(world.planned, part, world)));
    for (const path of [
      ...[pivot, `people?${MARCH}${asOf}`, `lines?${MARCH}${asOf}`, `board?${MARCH}${asOf}`],
      ...['client', 'person,project', 'department', 'project_manager'].map(
        (group) => `pivot?${MARCH}${asOf}&group_by=${group}&measures=actual_hours,actual_cost&links=1`,
      ),
    ])
      expect([path, named((await read(path, reader)).text, [world])]).toEqual([path, []]);
  });

  it.each([
    ['', () => now],
    ['&as_of=2026-03', () => then],
  ] as const)('says if nothing that it names is there%s', async (asOf, worldOf) => {
    const world = worldOf();
    const isThere = linesOf(world).some((line) => isSeen(line, part, world));
    const { text } = await read(`projects?${MARCH}${asOf}`, reader);
    expect(text.includes('Nothing that your part names has lines in these data')).toBe(!isThere);
  });

  it('compares what it has in each of two states', async () => {
    const window = 'start_date=2026-03-01&end_date=2026-03-31';
    const changes = `changes?${window}&from=2026-03&group_by=project&measures=actual_hours&only_changed=0`;
    const { rows } = await read(changes, reader);
    expect(valuesOf(rows, 'value_then')).toEqual(sorted(sumSeen(then.logged, part, then)));
    expect(valuesOf(rows, 'value_now')).toEqual(sorted(sumSeen(now.logged, part, now)));
    for (const path of [
      changes,
      `changes?${window}&from=2026-03&group_by=client,person`,
      `changed-lines?${window}&from=2026-03&measure=forecast_cost`,
    ])
      expect([path, named((await read(path, reader)).text, [then, now])]).toEqual([path, []]);
  });

  it('compares its plan of a baseline with its work', async () => {
    const pivot = `pivot?${MARCH}&baseline=2026-03&group_by=project&measures=actual_hours,scheduled_hours,baseline_hours`;
    const { rows } = await read(pivot, reader);
    expect(valuesOf(rows, 'scheduled_hours')).toEqual(sorted(sumSeen(then.planned, part, then)));
    expect(valuesOf(rows, 'actual_hours')).toEqual(sorted(sumSeen(isToDate(now.logged), part, now)));
    for (const path of [pivot, `people?${MARCH}&baseline=2026-03`, `lines?${MARCH}&baseline=2026-03`])
      expect([path, named((await read(path, reader)).text, [then, now])]).toEqual([path, []]);
  });

  it('explains what it shows of a whole project', async () => {
    const asked = `${MARCH}&baseline=2026-03`;
    const { rows } = await read(`projects?${asked}&fields=project_id,planned_value,budget_used`, reader);
    for (const row of rows) {
      for (const measure of ['planned_value', 'budget_used']) {
        const path = `/v3/explain?report=projects&project_id=${row['project_id']}&measure=${measure}&${asked}`;
        const { status, text } = await server.served.get(path, { authorization: reader });
        const { value } = JSON.parse(text).explain ?? {};
        expect([path, status, value === null ? null : Number(value)]).toEqual([path, 200, row[measure]]);
      }
    }
  });

  it.each(['', '&baseline=2026-03', '&as_of=2026-03'])(
    'has what is of a whole project or person, or a blank%s',
    async (state) => {
      for (const [group, key, measures] of [
        ['project', 'project_id', 'planned_value,actual_to_date,earned_value,budget_used,budget_remaining'],
        [
          'person',
          'people_id',
          'unlogged_hours,missing_hours,overtime_hours,unscheduled_hours,plan_error_percent,capacity_hours,balance_hours',
        ],
      ] as const) {
        const path = `pivot?${MARCH}${state}&group_by=${group}&measures=${measures}`;
        const all = new Map((await read(path)).rows.map((row) => [row[key], row]));
        for (const row of (await read(path, reader)).rows) {
          const whole = all.get(row[key]);
          const wrong = measures.split(',').filter((name) => row[name] !== null && row[name] !== whole?.[name]);
          const told = wrong.map((name) => `${name} ${row[name]}, whole ${whole?.[name]}`);
          expect([group, row[key], told]).toEqual([group, row[key], []]);
        }
      }
    },
  );
});
