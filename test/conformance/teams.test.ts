import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Json, openApi } from './api.ts';

const [DESIGNER, ENGINEER, UNHELD] = [1, 2, 3];
const [ANN, BOB, CID] = [1, 2, 3];
const DAYS = { start_date: '2026-07-06', end_date: '2026-07-10', hours: 4 };

let api: Api;
beforeAll(async () => {
  api = await openApi({
    roles: [
      { role_id: DESIGNER, name: 'Designer', default_hourly_rate: '90' },
      { role_id: ENGINEER, name: 'Engineer' },
      { role_id: UNHELD, name: 'Sculptor' },
    ],
    people: [
      { people_id: ANN, name: 'Ann', role_id: DESIGNER },
      { people_id: BOB, name: 'Bob', role_id: ENGINEER },
      { people_id: CID, name: 'Cid' },
    ],
  });
});
afterAll(() => api.close());

const kinds = [
  { kind: 'project_team', path: 'projects', id: 'project_id' },
  { kind: 'phase_team', path: 'phases', id: 'phase_id' },
] as const;

/** Creates a project, or a phase of a new one, with a team of these people. */
async function create({ kind, path }: (typeof kinds)[number], members: unknown[] = []): Promise<Json> {
  const project = await api.create('projects', {
    name: 'Bridge',
    ...(kind === 'project_team' ? { [kind]: members } : {}),
  });
  if (path === 'projects') return project;
  const { start_date, end_date } = DAYS;
  return api.create('phases', { project_id: project.project_id, name: 'Build', start_date, end_date, [kind]: members });
}

describe.each(kinds)('$kind', (team) => {
  const { kind, path, id } = team;
  const title = (ids: string, text: string) =>
    kind === 'project_team' ? `${ids}: ${text}` : `API 2.3-15, S 4.2-45, IN phases.phase_team: ${text}`;
  const change = async (owner: Json, actions: object): Promise<Json[]> =>
    (await api.change(`${path}/${owner[id]}?expand=${kind}`, { [kind]: actions }))[kind];
  const read = async (owner: Json): Promise<Json[]> => (await api.read(`${path}/${owner[id]}?expand=${kind}`))[kind];
  const people = (members: Json[]) => members.map(({ people_id }) => people_id).sort((one, other) => one - other);
  const schedule = async (owner: Json, person: number) => {
    const where = {
      people_id: person,
      project_id: owner.project_id,
      ...(kind === 'phase_team' ? { phase_id: owner.phase_id } : {}),
    };
    const { task_id } = await api.create('tasks', { ...where, ...DAYS });
    const { logged_time_id } = await api.create('logged-time', { ...where, date: DAYS.start_date, hours: 2 });
    return [`tasks/${task_id}`, `logged-time/${logged_time_id}`];
  };
  const statuses = (paths: string[]) => Promise.all(paths.map(async (each) => (await api.send('GET', each)).status));

  it(
    title('API 2.3-1, API 4.2-13, S 4.2-29, IN projects.project_team', 'create takes an array of ids, also as strings'),
    async () => {
      expect(people(await read(await create(team, [ANN, String(BOB)])))).toEqual([ANN, BOB]);
    },
  );

  it(title('API 2.3-2, API 4.2-13, S 4.2-29', 'add leaves other members as they are'), async () => {
    const owner = await create(team);
    const before = await change(owner, { add: [{ people_id: ANN, role_id: DESIGNER, hourly_rate: '80' }] });
    const members = await change(owner, { add: [{ people_id: BOB, role_id: null, hourly_rate: null }] });
    expect(people(members)).toEqual([ANN, BOB]);
    expect(members).toEqual(expect.arrayContaining(before));
  });

  it(
    title('API 2.3-4, API 2.3-5, S 4.2-34, API 2-5', 'hourly_rate is optional, and role_id can accompany people_id'),
    async () => {
      const owner = await create(team);
      await change(owner, {
        add: [
          { people_id: ANN, role_id: DESIGNER, hourly_rate: 82.5 },
          { people_id: BOB, hourly_rate: null },
          { people_id: CID },
        ],
      });
      const members = await read(owner);
      const rateOf = (person: number) => members.find(({ people_id }) => people_id === person)?.hourly_rate;
      expect([ANN, BOB, CID].map(rateOf)).toEqual(['82.5000', null, null]);
      expect(members.find(({ people_id }) => people_id === ANN)?.role_id).toBe(DESIGNER);
    },
  );

  it(title('API 2.3-6, API 4.2-13, S 4.2-30', 'set replaces the whole team'), async () => {
    const owner = await create(team, [ANN, BOB]);
    expect(people(await change(owner, { set: [{ people_id: BOB }, { people_id: CID }] }))).toEqual([BOB, CID]);
  });

  it(title('API 2.3-9, S 4.2-30', 'with set, add and del are ignored'), async () => {
    const owner = await create(team, [ANN]);
    expect(people(await change(owner, { set: [{ people_id: ANN }], add: [{ people_id: BOB }], del: [ANN] }))).toEqual([
      ANN,
    ]);
  });

  it(
    title('API 2.3-7, S 4.2-31', 'members missing from set lose their allocations and logged time there'),
    async () => {
      const owner = await create(team, [ANN, BOB]);
      const [gone, kept] = [await schedule(owner, ANN), await schedule(owner, BOB)];
      await change(owner, { set: [{ people_id: BOB }] });
      expect(await statuses([...gone, ...kept])).toEqual([404, 404, 200, 200]);
    },
  );

  it(
    title(
      'API 2.3-8, API 4.2-13, S 4.2-31',
      'del removes members with their allocations and logged time in this project only',
    ),
    async () => {
      const [owner, other] = [await create(team, [ANN, BOB]), await create(team, [ANN])];
      const [gone, kept, elsewhere] = [
        await schedule(owner, ANN),
        await schedule(owner, BOB),
        await schedule(other, ANN),
      ];
      expect(people(await change(owner, { del: [ANN] }))).toEqual([BOB]);
      expect(await statuses([...gone, ...kept, ...elsewhere])).toEqual([404, 404, 200, 200, 200, 200]);
    },
  );

  it(
    title(
      'API 1-7, API 1-8, API 2.1-17, API 2.3-3, API 2.3-11, API 3.2-3, S 4.2-32',
      'a role without a person creates a placeholder',
    ),
    async () => {
      const owner = await create(team);
      const [member] = await change(owner, { add: [{ people_id: null, role_id: DESIGNER, hourly_rate: null }] });
      expect(member).toMatchObject({ role_id: DESIGNER, people_id: expect.any(Number) });
      expect(await api.read(`people/${member.people_id}`)).toMatchObject({ people_type_id: 4, role_id: DESIGNER });
    },
  );

  it(title('API 2.3-12, S 4.2-32', 'each mention of a role creates another placeholder'), async () => {
    const owner = await create(team);
    await change(owner, { add: [{ role_id: DESIGNER }, { people_id: null, role_id: DESIGNER }] });
    const members = await change(owner, { add: [{ people_id: null, role_id: DESIGNER }] });
    expect(new Set(people(members)).size).toBe(3);
  });

  it(
    title('API 2.3-13, API 7-6, S 4.2-33', 'a role without a holder is refused (422) until a person holds it'),
    async () => {
      const owner = await create(team);
      const sent = { [kind]: { add: [{ people_id: null, role_id: UNHELD }] } };
      const { status, json } = await api.send('PATCH', `${path}/${owner[id]}`, sent);
      expect([status, JSON.stringify(json())]).toEqual([
        422,
        expect.stringMatching(/at least one person|nobody|somebody/i),
      ]);
      expect(await read(owner)).toEqual([]);
    },
  );

  it(title('API 2.3-13, API 7-6', 'a role without a holder is refused (422) for a person, too'), async () => {
    const owner = await create(team);
    for (const items of [
      { add: [{ people_id: ANN, role_id: UNHELD }] },
      { set: [{ people_id: ANN, role_id: UNHELD }] },
    ])
      expect((await api.send('PATCH', `${path}/${owner[id]}`, { [kind]: items })).status).toBe(422);
    expect(await read(owner)).toEqual([]);
  });
});

describe('expand=project_team', () => {
  it('API 2.3-10: lists people_id, role_id, hourly_rate and phase_id, 0 for members of the project', async () => {
    const { project_id } = await api.create('projects', { name: 'Bridge', project_team: [ANN] });
    const { project_team: team } = await api.read(`projects/${project_id}?expand=project_team`);
    expect(team.map((member: Json) => Object.keys(member).sort())).toEqual([
      ['hourly_rate', 'people_id', 'phase_id', 'role_id'],
    ]);
    expect(team).toMatchObject([{ people_id: ANN, hourly_rate: null, phase_id: 0 }]);
  });

  it('S 4.2-41: lists members of phases, each with its phase_id', async () => {
    const { project_id } = await api.create('projects', { name: 'Bridge', project_team: [ANN] });
    const { start_date, end_date } = DAYS;
    const { phase_id } = await api.create('phases', {
      project_id,
      name: 'Build',
      start_date,
      end_date,
      phase_team: [BOB],
    });
    const { project_team: team } = await api.read(`projects/${project_id}?expand=project_team`);
    expect(team.map((member: Json) => [member.people_id, member.phase_id])).toEqual(
      expect.arrayContaining([
        [ANN, 0],
        [BOB, phase_id],
      ]),
    );
  });
});

it('API 2.3-14, S 4.2-58: a role is scheduled through its placeholder, and not by itself', async () => {
  const { project_id } = await api.create('projects', { name: 'Bridge' });
  expect((await api.send('POST', 'tasks', { project_id, role_id: DESIGNER, ...DAYS })).status).toBe(422);
});

it('API 4.4-1, API 4.4-2: the steps of scheduling a role', async () => {
  const { project_id } = await api.create('projects', { name: 'Bridge' });
  const add = [{ people_id: null, role_id: DESIGNER, hourly_rate: '85' }];
  const { project_team: team } = await api.change(`projects/${project_id}?expand=project_team`, {
    project_team: { add },
  });
  const [{ people_id: placeholder }] = team;
  const { task_id } = await api.create('tasks', { project_id, people_id: placeholder, ...DAYS });
  const found = `tasks?people_id=${placeholder}&start_date=2026-07-06&end_date=2026-07-06`;
  expect(await api.column(found, 'task_id')).toEqual([task_id]);
  expect(await api.column(`tasks?project_id=${project_id}`, 'task_id')).toEqual([task_id]);
  const { project_team: read } = await api.read(`projects/${project_id}?expand=project_team`);
  expect(read).toEqual([{ people_id: placeholder, role_id: DESIGNER, hourly_rate: '85.0000', phase_id: 0 }]);
});
