import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import type { Generation } from '../../src/store/generation/generation-pool.ts';
import { holdGenerations, MAX_HELD_VERSIONS } from '../../src/store/generation/held-generations.ts';
import { writeRecords } from '../sql/company.ts';
import { type ServeOptions, serve } from './served.ts';

const WINDOW = 'start_date=2026-03-01&end_date=2026-03-31';

const logged = (count: number, date: string) =>
  Array.from({ length: count }, (_, index) => ({
    ...{ logged_time_id: `${date}-${String(index).padStart(3, '0')}`, people_id: 1, project_id: 1, date, hours: '1' },
  }));

const people = [{ people_id: 1, name: 'Ana' }];
const projects = [{ project_id: 1, name: 'Quay' }];
const data = { people, projects, logged_time: logged(30, '2026-03-10') };

const open = async (options: ServeOptions = {}) => {
  const server = await serve({ data, ...options });
  onTestFinished(async () => void (await server.close()));
  const read = async (path: string) => {
    const { status, json } = await server.get(path);
    return { status, ...json() };
  };
  const load = async () => {
    const folder = join(server.database, '..', 'next');
    mkdirSync(folder);
    writeRecords(folder, { ...data, logged_time: [...logged(5, '2026-03-09'), ...data.logged_time] });
    const { dataVersion } = await loadDataset(folder, server.database, {});
    await expect
      .poll(async () => (await read(`/v3/reports/lines?${WINDOW}&fields=line_id`)).meta.data_version)
      .toBe(dataVersion);
  };
  return { server, read, load };
};

describe('pages of lines', () => {
  it.each(['', '&measure=actual_hours&report=projects'])(
    'are all of the version of the first: %s',
    { tags: ['slow'] },
    async (number) => {
      const { read, load } = await open();
      const path = `/v3/reports/lines?${WINDOW}${number}&limit=10`;
      const pages = [await read(path)];
      await load();
      for (let page = 0; page < 2; page += 1) {
        const next = await read(`${path}&cursor=${pages[page].meta.next_cursor}`);
        expect(next.status).toBe(200);
        pages.push(next);
      }
      const ids = new Set(pages.flatMap(({ lines }) => lines.map((line: { line_id: string }) => line.line_id)));
      expect([ids.size, pages[2].meta.next_cursor]).toEqual([30, undefined]);
      expect(new Set(pages.map(({ meta }) => meta.data_version)).size).toBe(1);
    },
  );

  it('of a function of OData go on after a load, too', { tags: ['slow'] }, async () => {
    const { server, load } = await open();
    const headers = { prefer: 'odata.maxpagesize=20' };
    const path = '/odata/v4/report_lines(start_date=2026-03-01,end_date=2026-03-31)?$select=line_id';
    const first = (await server.get(path, headers)).json();
    await load();
    const next = (await server.get(first['@odata.nextLink'], headers)).json();
    expect([first.value.length, next.value.length]).toEqual([20, 10]);
  });

  it('of a version that is no longer held are refused with 410, and a sentence', { tags: ['slow'] }, async () => {
    const { read, load } = await open({ limits: { heldVersionMs: 1 } });
    const path = `/v3/reports/lines?${WINDOW}&limit=10`;
    const { next_cursor: cursor } = (await read(path)).meta;
    await load();
    const { status, name, code, message } = await read(`${path}&cursor=${cursor}`);
    expect([status, name, code]).toEqual([410, 'gone', 'gone']);
    expect(message).toMatch(/^The cursor is of the data version \S+.*read all pages again from the first$/);
  });

  it('of a server that takes changes end with the first change', { tags: ['slow'] }, async () => {
    const { server, read } = await open({ write: true, inMemory: true });
    const path = `/v3/reports/lines?${WINDOW}&limit=10`;
    const { next_cursor: cursor } = (await read(path)).meta;
    expect((await read(`${path}&cursor=${cursor}`)).status).toBe(200);
    await server.post('/v3/logged-time', { people_id: 1, project_id: 1, date: '2026-03-09', hours: 1 });
    expect((await read(`${path}&cursor=${cursor}`)).status).toBe(410);
  });
});

describe('held versions', () => {
  const generationOf = (dataVersion: string) => ({ company: { dataVersion } }) as unknown as Generation;

  it('are given up some time after their last page, and the oldest for a new one', async () => {
    const released: string[] = [];
    const lease = ({ company }: Generation) => ({
      open: () => expect.fail('nothing is read'),
      release: () => void released.push(company.dataVersion),
    });
    const held = holdGenerations({ lease }, 200);
    const versions = Array.from({ length: MAX_HELD_VERSIONS + 1 }, (_, index) => `v${index}`);
    for (const version of versions) held.hold(generationOf(version));
    expect(released).toEqual(['v0']);
    expect(held.find('v0')).toBeUndefined();
    held.hold(generationOf('v1'));
    expect(held.find('v1')?.company.dataVersion).toBe('v1');
    await expect.poll(() => released.toSorted()).toEqual(versions);
    expect(held.find('v1')).toBeUndefined();
    held.hold(generationOf('v1'));
    held.close();
    expect(released.at(-1)).toBe('v1');
  });
});
