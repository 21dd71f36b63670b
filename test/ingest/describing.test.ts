// @module-tag slow
import { describe, expect, it } from 'vitest';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { type Files, withDataset } from './dataset.ts';

/** Loads files by the entries of a mapping. */
const load = <T>(files: Files, entries: string, work: Parameters<typeof withDataset<T>>[1], strict = false) =>
  withDataset(files, work, { mapping: parseMapping(`files: [${entries}]`, 'mapping.yaml', inputResources), strict });

/** The files that describe a record, and the ids of the records that stay: rows 1 and 3 know theirs, row 2 doesn't. */
const DESCRIBING: readonly [resource: string, owner: Files, describing: Files, entries: string, known: string][] = [
  [
    'contracts',
    { 'people.csv': 'people_id,name\n1,Ada\n2,Bo\n' },
    { 'r.csv': 'Who,Rate\n1,50\n9,51.5\n2,52\n' },
    '{file: r.csv, resource: contracts, fields: {people_id: Who, cost_rate: Rate}}',
    'people_id FROM source.people',
  ],
  [
    'project_team',
    { 'projects.csv': 'project_id,name\n1,Web\n2,App\n' },
    { 'r.csv': 'P,Who,Rate\n1,1,50\n9,1,51.5\n2,1,52\n' },
    '{file: r.csv, resource: project_team, fields: {project_id: P, people_id: Who, hourly_rate: Rate}}',
    'project_id FROM source.projects',
  ],
  [
    'phase_team',
    { 'phases.csv': 'phase_id,name,project_id\n1,Web,1\n2,App,1\n', 'projects.csv': 'project_id,name\n1,Web\n' },
    { 'r.csv': 'P,Who,Rate\n1,1,50\n9,1,51.5\n2,1,52\n' },
    '{file: r.csv, resource: phase_team, fields: {phase_id: P, people_id: Who, hourly_rate: Rate}}',
    'phase_id FROM source.phases',
  ],
  [
    'cost_rate_history',
    { 'roles.csv': 'role_id,name\n1,Dev\n2,Lead\n' },
    { 'r.csv': 'R,Day,Rate\n1,2026-01-01,50\n9,2026-01-01,51.5\n2,2026-01-01,52\n' },
    '{file: r.csv, resource: cost_rate_history, fields: {role_id: R, effective_date: Day, rate: Rate}}',
    'role_id FROM source.roles',
  ],
  [
    'people',
    { 'staff.csv': 'Id,Name\n1,Ada\n2,Bo\n' },
    { 'r.csv': 'Who,Rate,Dept\n1,50,3\n9,51.5,3\n2,52,3\n' },
    `{file: staff.csv, resource: people, fields: {people_id: Id, name: Name}},
     {file: r.csv, resource: people, fields: {people_id: Who, cost_rate: Rate, department_id: Dept}}`,
    'people_id FROM source.people',
  ],
];

describe('rows that only describe', () => {
  it.each(DESCRIBING)('records never make them: %s', async (resource, owner, describing, entries, known) => {
    await load({ ...owner, ...describing }, entries, async ({ rows, summary }) => {
      const ids = await rows(`SELECT ${known.replace(' ', ' AS id ')} ORDER BY id`);
      expect(ids.map(({ id }) => Number(id))).toEqual([1, 2]);
      const aside = await rows('SELECT file, position, record_id, reasons[1] AS reason FROM source.rejected');
      expect(aside).toEqual([
        {
          file: 'r.csv',
          position: 2,
          record_id: '9',
          reason: expect.stringMatching(/_id: unknown_reference, no record/),
        },
      ]);
      expect(summary.controls.filter(({ file }) => file === 'r.csv')).toMatchObject([
        { resource, read: 3, records: 2, setAside: 1, sums: [{ total: '153.5', setAside: '51.5' }] },
      ]);
      expect(await rows("SELECT records, set_aside FROM source.files WHERE file = 'r.csv'")).toEqual([
        { records: 3, set_aside: 1 },
      ]);
      expect(summary.resources.every(({ read, ...to }) => read === to.loaded + to.setAside + to.duplicates)).toBe(true);
    });
    const strict = load({ ...owner, ...describing }, entries, async () => undefined, true);
    await expect(strict).rejects.toMatchObject({ message: expect.stringContaining('1 record would be set aside:') });
  });

  it.each(DESCRIBING)('are refused if no record has an id of theirs: %s', async (_, owner, describing, entries) => {
    const lost = Object.fromEntries(
      Object.entries(describing).map(([name, text]) => [name, String(text).replaceAll(/^[0-9]+,/gm, '77,')]),
    );
    await expect(load({ ...owner, ...lost }, entries, async () => undefined)).rejects.toMatchObject({
      message: expect.stringMatching(/^r\.csv has nothing to use as \w+: all of its 3 rows would be set aside:\n.*77/),
      hint: expect.stringContaining('Map the column with the ids'),
    });
  });

  it('make records where no file has names, if they tell more than rates', async () => {
    const entry = (fields: string) => `{file: r.csv, resource: people, fields: {people_id: Who, ${fields}}}`;
    const files = { 'r.csv': 'Who,Rate,Dept\n1,50,3\n' };
    const count = (fields: string) =>
      load(files, entry(fields), ({ rows }) => rows('SELECT people_id FROM source.people'));
    expect(await count('cost_rate: Rate, department_id: Dept')).toEqual([{ people_id: 1 }]);
    await expect(count('cost_rate: Rate')).rejects.toThrow('r.csv has nothing to use as people');
  });

  it('are named by their own file and row if they are wrong, not by that of the record', async () => {
    const files = {
      'people.csv': 'people_id,name\n1,Ada\n2,Bo\n',
      'c.csv': 'Who,Day,Rate\n2,2026-01-01,50\n1,2026-02-01,52\n1,2026-01-01,x\n',
      'r.csv': 'Who,Rate\n1,50\n2,y\n',
    };
    const entries = `{file: c.csv, resource: contracts, fields: {people_id: Who, effective_date: Day, cost_rate: Rate}},
      {file: r.csv, resource: people, fields: {people_id: Who, default_hourly_rate: Rate}}`;
    await load(files, entries, async ({ rows, summary }) => {
      expect(await rows('SELECT file, position, record_id, item, reasons[1] AS reason FROM source.rejected')).toEqual([
        { file: 'r.csv', position: 2, record_id: '2', item: null, reason: 'default_hourly_rate: not a number' },
        { file: 'c.csv', position: 3, record_id: '1', item: 'contracts[1]', reason: 'cost_rate: not a number' },
      ]);
      expect(summary.controls).toMatchObject([
        { file: 'c.csv', read: 3, setAside: 1, people: 2 },
        { file: 'r.csv', read: 2, setAside: 1 },
      ]);
    });
  });

  it('are told with a blank id as rows without one', async () => {
    const files = { 'people.csv': 'people_id,name\n1,Ada\n', 'r.csv': 'Who,Rate\n1,50\n,51\n' };
    const entry = '{file: r.csv, resource: contracts, fields: {people_id: Who, cost_rate: Rate}}';
    await load(files, entry, async ({ summary }) => {
      expect(summary.reasons).toMatchObject([
        { reason: 'people_id: missing', count: 1, example: { file: 'r.csv', position: 2 } },
      ]);
    });
  });

  it('are refused beside records that they cannot be joined to', async () => {
    const files = { 'people.json': [{ people_id: 1, name: 'Ada' }], 'r.csv': 'Who,Rate\n1,50\n' };
    const entry = '{file: r.csv, resource: people, fields: {people_id: Who, cost_rate: Rate}}';
    await expect(load(files, entry, async () => undefined)).rejects.toThrow("r.csv can't be joined to people.json");
  });
});
