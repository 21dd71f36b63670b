import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  formatNames,
  MAX_IGNORED_CHARACTERS,
  MAX_PREFER_CHARACTERS,
  parseHandling,
} from '../../src/doors/http/protocol/ignored.ts';
import { openService, type Service } from './service.ts';

const STRICT = { prefer: 'handling=strict' };

const TASK = { people_id: 1, project_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 8 };

const EXPENSE = { name: 'Travel', date: '2026-01-05', cost: 10 };

const PHASE = { project_id: 1, name: 'Piers', start_date: '2026-01-01', end_date: '2026-06-30' };

describe('unknown names are ignored and reported', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({
      departments: [{ department_id: 1, name: 'Art' }],
      roles: [{ role_id: 1, name: 'Builder', cost_rate_history: [{ rate: 1, effective_date: null }] }],
      people: [
        { people_id: 1, name: 'Ann', department_id: 1, role_id: 1 },
        { people_id: 2, name: 'Bob' },
      ],
      projects: [1, 2].map((project_id) => ({
        project_id,
        name: `Bridge ${project_id}`,
        project_team: [{ people_id: 1 }],
      })),
      phases: [{ phase_id: 1, ...PHASE, phase_team: [{ people_id: 2 }] }],
      project_expenses: [{ project_expense_id: 1, project_id: 1, ...EXPENSE }],
      tasks: [{ task_id: 1, ...TASK }],
    });
  });
  afterAll(() => service.close());

  const REQUESTS: readonly (readonly [string, string, object | undefined])[] = [
    ['GET', 'tasks', undefined],
    ['GET', 'tasks/1', undefined],
    ['POST', 'tasks', TASK],
    ['PATCH', 'tasks/1', { name: 'x' }],
    ['PUT', 'tasks/1', { name: 'y' }],
  ];

  describe('an unknown parameter, or name in fields or expand, is ignored and named', () => {
    it.each(REQUESTS)('%s /v3/%s', async (method, path, body) => {
      const query = 'colour=red&fields=task_id,shade&expand=people,tint';
      const { status, headers, json } = await service.call(method, `/v3/${path}?${query}`, body);
      expect(status).toBe(method === 'POST' ? 201 : 200);
      expect(headers['x-ignored-parameters']).toBe('colour, shade, tint');
      const [record] = [json].flat();
      expect(Object.keys(record)).toEqual(['task_id']);
    });

    it('known filters beside it still apply', async () => {
      const { json } = await service.call('GET', '/v3/tasks?task_id=1&colour=red');
      expect(json).toHaveLength(1);
    });

    it('also a field that the reader may not see', async () => {
      service.allow(['reports']);
      const { headers, json } = await service.call('GET', '/v3/project-expenses?fields=cost,name&cost=5&sort=name');
      expect([headers['x-ignored-parameters'], json]).toEqual(['cost', [{ name: 'Travel' }]]);
      service.allow(['reports', 'rates', 'write']);
    });

    it('only unknown names in fields give records without fields', async () => {
      expect((await service.call('GET', '/v3/people/1?fields=shade')).json).toEqual({});
    });

    it('DELETE', async () => {
      const { json } = await service.call('POST', '/v3/tasks', TASK);
      const answer = await service.call('DELETE', `/v3/tasks/${json.task_id}?colour=red`);
      expect([answer.status, answer.headers['x-ignored-parameters']]).toEqual([204, 'colour']);
    });

    it('lists of deletions', async () => {
      const { status, headers } = await service.call('GET', '/v3/deleted/tasks?colour=red&page=2&limit=5');
      expect([status, headers['x-ignored-parameters']]).toEqual([200, 'colour']);
    });
  });

  describe('an unknown field of a body', () => {
    it.each(REQUESTS.filter(([, , body]) => body))('%s /v3/%s ignores and names it', async (method, path, body) => {
      const { status, headers } = await service.call(method, `/v3/${path}`, { ...body, colour: 'red', shade: [1] });
      expect(status).toBe(method === 'POST' ? 201 : 200);
      expect(headers['x-ignored-fields']).toBe('colour, shade');
    });

    it.each([
      [
        'projects',
        'project_team',
        { name: 'A', project_team: [1, 2].map((people_id) => ({ people_id, colour: people_id, shade: 1 })) },
      ],
      ['projects', 'expenses', { name: 'B', project_team: [1], expenses: [{ ...EXPENSE, colour: 'red', shade: 1 }] }],
      ['projects', 'tags', { name: 'C', tags: [{ name: 'new', colour: 'red', shade: 1 }, 'old'] }],
      ['people', 'department', { name: 'D', department: { department_id: 1, name: 'Art', colour: 'red', shade: 1 } }],
      ['phases', 'phase_team', { ...PHASE, phase_team: [{ people_id: 1, colour: 'red', shade: 1 }] }],
      [
        'roles',
        'cost_rate_history',
        { name: 'E', cost_rate_history: [{ rate: 1, effective_date: '2026-01-01', colour: 'red', shade: 1 }] },
      ],
      [
        'projects/2',
        'project_team',
        { project_team: { add: [{ people_id: 2, colour: 'red' }], del: [{ people_id: 1, shade: 1 }] } },
      ],
      ['projects/2', 'project_team', { project_team: { set: [{ people_id: 1, colour: 'red', shade: 1 }] } }],
      [
        'roles/1',
        'cost_rate_history',
        { cost_rate_history: { add: [{ rate: 2, colour: 'red' }], del: [], shade: [1] } },
      ],
      ['people/1', 'contracts', { contracts: { del: [], colour: [], shade: [1] } }],
    ])('of %s: in %s, each name in %j is ignored and named once', async (path, place, body) => {
      const method = path.includes('/') ? 'PATCH' : 'POST';
      const strict = await service.call(method, `/v3/${path}`, body, STRICT);
      expect([strict.status, strict.json.errors.map(({ field }: { field: string }) => field).toSorted()]).toEqual([
        400,
        [`${place}.colour`, `${place}.shade`],
      ]);
      const { status, headers, text } = await service.call(method, `/v3/${path}`, body);
      expect(status, text).toBe(method === 'POST' ? 201 : 200);
      expect(String(headers['x-ignored-fields']).split(', ').toSorted()).toEqual([`${place}.colour`, `${place}.shade`]);
    });

    it('does not occur when a record is sent back with all of expand', async () => {
      for (const path of [
        'people/1?expand=contracts',
        'projects/1?expand=project_tasks,project_team,expenses',
        'phases/1?expand=phase_team,phase_tasks',
        'roles/1?expand=cost_rate_history',
        'tasks/1?expand=people,client_id',
      ]) {
        const { json } = await service.call('GET', `/v3/${path}`);
        const { status, headers, text } = await service.call('PUT', `/v3/${path}`, json, STRICT);
        expect([status, headers['x-ignored-fields']], text).toEqual([200, undefined]);
      }
    });
  });

  describe('Prefer: handling=strict', () => {
    it.each(REQUESTS)('%s /v3/%s with an unknown name is 400, names it, and writes nothing', async (...request) => {
      const [method, path, body] = request;
      const changes = () => service.rows('SELECT count(*) AS count FROM service.changes');
      const before = await changes();
      for (const query of ['colour=red', 'fields=colour', 'expand=colour']) {
        const { status, json, headers } = await service.call(method, `/v3/${path}?${query}`, body, STRICT);
        expect([status, json.errors]).toEqual([
          400,
          [{ field: 'colour', message: 'colour: there is no such parameter' }],
        ]);
        expect(headers['preference-applied']).toBe('handling=strict');
      }
      if (body) {
        const { status, json } = await service.call(method, `/v3/${path}`, { ...body, colour: 1 }, STRICT);
        expect([status, json.errors]).toEqual([400, [{ field: 'colour', message: 'colour: there is no such field' }]]);
      }
      expect(await changes()).toEqual(before);
    });

    it('is applied when all names are known', async () => {
      const { status, headers } = await service.call('GET', '/v3/tasks?task_id=1', undefined, STRICT);
      expect([status, headers['preference-applied']]).toEqual([200, 'handling=strict']);
    });

    it('a preference that nobody knows changes nothing, and is not said to be applied', async () => {
      const prefer = { prefer: 'handling=severe, colour=red, respond-async' };
      const { status, headers } = await service.call('GET', '/v3/tasks?task_id=1&colour=red', undefined, prefer);
      expect([status, headers['preference-applied'], headers['x-ignored-parameters']]).toEqual([
        200,
        undefined,
        'colour',
      ]);
    });

    it.each([
      ['handling=strict', 'strict'],
      ['Handling = strict', 'strict'],
      ['respond-async, handling="strict"; wait=5', 'strict'],
      ['handling=lenient, handling=strict', 'lenient'],
      ['note="a, handling=strict"', undefined],
      ['handling', undefined],
      ['handling=STRICT!', undefined],
      ['toString, __proto__=1, constructor', undefined],
      [`${'x'.repeat(MAX_PREFER_CHARACTERS)}, handling=strict`, undefined],
      [undefined, undefined],
    ])('%s is %s', (header, expected) => {
      expect(parseHandling(header)).toBe(expected);
    });
  });

  describe('the headers are safe for any input', () => {
    it.each([
      [['a\r\nSet-Cookie: x=1'], 'a%0D%0ASet-Cookie%3A%20x%3D1'],
      [['größe', '日本'], 'gr%C3%B6%C3%9Fe, %E6%97%A5%E6%9C%AC'],
      [['a,b', 'a,b', '\ud800'], 'a%2Cb, %EF%BF%BD'],
    ])('%j', (names, header) => {
      expect(formatNames(names)).toBe(header);
    });

    it('they are short', async () => {
      const many = Array.from({ length: 2_000 }, (_, index) => `name${index}`);
      for (const names of [many, ['x'.repeat(100_000)], ['日'.repeat(5_000)]]) {
        const header = formatNames(names);
        expect(header.length).toBeLessThanOrEqual(MAX_IGNORED_CHARACTERS);
        expect(header).toMatch(/\.\.\.$/);
      }
    });

    it('over HTTP', async () => {
      const { status, headers } = await service.call('PATCH', '/v3/people/1?%0d%0aX-Evil:1=2', {
        'a\r\nb: c': 1,
        é: 2,
      });
      expect([status, headers['x-ignored-parameters'], headers['x-ignored-fields']]).toEqual([
        200,
        '%0D%0AX-Evil%3A1',
        'a%0D%0Ab%3A%20c, %C3%A9',
      ]);
    });
  });
});
