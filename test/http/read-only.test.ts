import { copyFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { servedResources } from '../../src/store/record/served-resources.ts';
import { eventually } from '../eventually.ts';
import { loadBundled } from '../sql/company.ts';
import { type Served, serve } from './served.ts';

/** Removes the fields that a server with --write sets when a contract comes into force. */
function lasting({ role_id, job_title, modified, ...record }: Record<string, unknown>): object {
  return 'people_code' in record ? record : { ...record, role_id, job_title, modified };
}

describe('records of a server without --write', () => {
  let served: Served;
  let live: Served;
  beforeAll(async () => {
    [served, live] = await Promise.all([
      serve({ scopes: ['reports', 'rates', 'write'] }),
      serve({ write: true, inMemory: true }),
    ]);
  });
  afterAll(() => Promise.all([served.close(), live.close()]));

  it.each([...servedResources.values()])('equal those of a server with --write: $name', async (resource) => {
    const path = `/v3/${resource.name.replaceAll('_', '-')}`;
    const expand = Object.keys(resource.rules.expands ?? {}).filter((name) => name !== 'contracts');
    const query = `?per-page=200&sort=${resource.id}${expand.length > 0 ? `&expand=${expand}` : ''}`;
    const read = await served.get(`${path}${query}`);
    expect(read.headers.get('x-ignored-parameters'), read.text).toBeNull();
    // The company has no statuses, and an empty list has no body.
    if (resource.name === 'status') {
      expect([read.status, (await live.get(`${path}${query}`)).status]).toEqual([204, 204]);
      return;
    }
    expect(read.status, read.text).toBe(200);
    expect(read.json().map(lasting)).toEqual((await live.get(`${path}${query}`)).json().map(lasting));
    const [record] = read.json();
    if (record)
      expect((await served.get(`${path}/${record[resource.id]}`)).json()[resource.id]).toBe(record[resource.id]);
  });

  it('can be filtered, sorted and paged', async () => {
    const window = 'start_date=2026-01-01&end_date=2026-03-31&sort=-hours,created&per-page=20&page=2';
    for (const query of [
      `tasks?${window}`,
      `timeoffs?${window}`,
      `logged-time?${window}`,
      'projects?active=1&expand=project_team',
    ])
      expect((await served.get(`/v3/${query}`)).json(), query).toEqual((await live.get(`/v3/${query}`)).json());
  });

  it('hide costs without the scope rates', async () => {
    const { header } = await served.token(['reports']);
    const read = () => served.get('/v3/project-expenses?per-page=1', { authorization: header });
    await expect.poll(async () => (await read()).status).toBe(200);
    expect((await read()).json()[0]).not.toHaveProperty('cost');
  });

  it("can't be changed: 405 names --write", async () => {
    for (const [path, method] of [
      ['people', 'POST'],
      ['people/1', 'PATCH'],
      ['people/1', 'PUT'],
      ['people/1', 'DELETE'],
    ] as const) {
      const { status, text, headers } = await served.get(`/v3/${path}`, undefined, method);
      expect([status, headers.get('allow')], text).toEqual([405, 'GET, HEAD']);
      expect(text).toContain('serve --write');
    }
  });

  it('have no list of deletions: the error names the server that has it', async () => {
    const { status, text } = await served.get('/v3/deleted/tasks');
    expect([status, text.includes('serve --write')]).toEqual([404, true]);
  });
});

it('a server on a copy without rates, by any name, answers 503 and names the way out', async () => {
  const [served, company] = await Promise.all([serve({ data: 'nothing' }), loadBundled()]);
  copyFileSync(fileWithoutRates(company.file), served.database);
  company.remove();
  const message = `${served.database} is a copy without rates, which only status and sql read`;
  await eventually(async () => {
    const ready = await served.get('/readyz');
    expect([ready.status, ready.json()]).toEqual([
      503,
      { status: 'not ready', message: expect.stringContaining(`${message}. Name the database`) },
    ]);
  });
  const window = 'start_date=2026-01-01&end_date=2026-01-31';
  for (const path of [`/v3/reports/projects?${window}`, `/v3/reports/lines?${window}`, '/v3/projects']) {
    const { status, text } = await served.get(path);
    expect([status, text], path).toEqual([503, expect.stringContaining(`${message}. Name the database`)]);
  }
  await served.close();
});
