import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { servedResources } from '../../src/store/record/served-resources.ts';
import { openService, type Reply, type Service } from './service.ts';

/** Property names of every object, found by careless lookups of client text. */
const NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'prototype'];

describe('property names of objects have no meaning', () => {
  let service: Service;
  beforeAll(async () => {
    service = await openService({ people: [{ people_id: 1, name: 'Ann' }], projects: [{ project_id: 1, name: 'P' }] });
  });
  afterAll(() => service.close());

  const expectIgnored = ({ status, headers, text }: Reply, header: string, name: string, expected: number) => {
    expect(status, `${name}: ${text}`).toBe(expected);
    expect(headers[header], name).toBe(name);
    expect(text).not.toMatch(/native code|\[object/);
  };
  const paths = [...servedResources.values()].map((resource) => `/v3/${resource.path.replaceAll('_', '-')}`);
  // An empty list of statuses has no body.
  const read = (path: string) => (path === '/v3/status' ? 204 : 200);

  it.each(paths)('as parameter, fields, expand and sort of %s', async (path) => {
    const all = NAMES.join(',');
    for (const query of [NAMES.map((name) => `${name}=1`).join('&'), `fields=${all}`, `expand=${all}`]) {
      const { status, headers } = await service.call('GET', `${path}?${query}`);
      expect([status, headers['x-ignored-parameters']], query).toEqual([read(path), NAMES.join(', ')]);
    }
    for (const name of NAMES) {
      const { status, json } = await service.call('GET', `${path}?sort=-${name}`);
      expect([status, json.errors[0].field], name).toEqual([400, 'sort']);
    }
  });

  it('as id, path and resource', async () => {
    for (const name of NAMES) {
      for (const path of [`people/${name}`, name, `deleted/${name}`, `${name}/1`])
        expect((await service.call('GET', `/v3/${path}`)).status, path).toBe(404);
      for (const query of [`cursor=${name}`, `limit=${name}`])
        expect((await service.call('GET', `/v3/deleted/tasks?${query}`)).status, query).toBe(400);
    }
  });

  it('as value of every filter', async () => {
    for (const resource of servedResources.values()) {
      for (const field of Object.keys(resource.fields)) {
        const { status } = await service.call('GET', `/v3/${resource.path}?${field}=__proto__,constructor`);
        expect([200, 204, 400], `${resource.path} ${field}`).toContain(status);
      }
    }
  });

  it('as field of a body, and inside one', { tags: ['slow'] }, async () => {
    for (const name of NAMES) {
      const body = JSON.parse(`{"name": "Bob", ${JSON.stringify(name)}: {"x": 1}}`);
      expectIgnored(await service.call('POST', '/v3/people', body), 'x-ignored-fields', name, 201);
      expectIgnored(await service.call('PATCH', '/v3/people/1', body), 'x-ignored-fields', name, 200);
      for (const inner of [`{${JSON.stringify(name)}: 1}`, `[${JSON.stringify(name)}]`]) {
        const team = JSON.parse(`{"project_team": ${inner}, "project_id": 1}`);
        expect((await service.call('PATCH', '/v3/projects/1', team)).status, name).toBe(422);
        const person = JSON.parse(
          `{"department": ${inner}, "contracts": ${inner}, "work_days_hours_history": ${inner}}`,
        );
        expect((await service.call('PATCH', '/v3/people/1', person)).status, name).toBe(422);
      }
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toContain('toString');
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('as headers', async () => {
    for (const name of NAMES) {
      const headers = { prefer: name, accept: `${name}/json, */*`, 'idempotency-key': name };
      expect((await service.call('POST', '/v3/people', { name: 'Cid' }, headers)).status, name).toBe(201);
    }
  });
});
