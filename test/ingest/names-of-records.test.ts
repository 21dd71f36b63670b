import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { SEED } from '../seed.ts';
import { type Files, withDataset } from './dataset.ts';

const WORK = 'logged_time_id: {row: true}, date: Day, hours: Hours';

/** Loads files, and returns the hours by person and project, with the notes on names. */
const hoursOf = (files: Files, entries: readonly string[], names = '{}') =>
  withDataset(
    files,
    async ({ rows }) => ({
      people: (await rows("SELECT regexp_replace(name, ' +', ' ', 'g') AS name FROM source.people ORDER BY name")).map(
        ({ name }) => name,
      ),
      work: (
        await rows(`SELECT concat_ws(' ', people_id, project_id, CAST(sum(hours) AS INTEGER)) AS work FROM source.logged_time
          GROUP BY people_id, project_id ORDER BY people_id, project_id`)
      ).map(({ work }) => work),
      found: (await rows("SELECT name FROM source.load_notes WHERE kind = 'found name'")).map(({ name }) => name),
      near: (await rows("SELECT name FROM source.load_notes WHERE kind = 'near name'")).map(({ name }) => name),
    }),
    { mapping: parseMapping(`names: ${names}\nfiles: [${entries.join(', ')}]`, 'mapping.yaml', inputResources) },
  );

/** Reads time by the names of people, who are records, too. @param who The source of their names. */
const timeBy = (who: string, name = who) => [
  `{file: t.csv, resource: people, fields: {people_id: {name: ${who}}, name: ${name}}}`,
  `{file: t.csv, resource: logged_time, fields: {people_id: {name: ${who}}, ${WORK}}}`,
];

const TIME = 'Who,Day,Hours\nAda  King,2026-03-02,5\nBo,2026-03-02,4\n';

/** Returns the questions of a load that is refused. */
const questionsOf = async (...load: Parameters<typeof hoursOf>): Promise<readonly string[]> => {
  const error = await hoursOf(...load).then(
    () => new Error('loaded'),
    (cause: Error) => cause,
  );
  const [first, ...questions] = error.message.split('\n').map((line) => line.trim());
  expect(first).toBe('Names could be those of one record or of several:');
  return questions;
};

describe('a name that one record has with another id', () => {
  const files = { 'people.csv': 'people_id,name,cost_rate\n1,Ada King,50\n', 't.csv': TIME };

  it('is that record, which is told', async () => {
    const { people, work, found } = await hoursOf(files, timeBy('Who'));
    expect(people).toEqual(['Ada King', 'Bo']);
    expect(work[0]).toBe('1 5');
    expect(found).toEqual(['names: {people: {"Ada King": 1}}']);
  });

  it('is another one if the mapping says so, or that of a further name', async () => {
    const own = await hoursOf(files, timeBy('Who'), '{people: {Ada King: Ada King}}');
    expect(own).toMatchObject({ people: ['Ada King', 'Ada King', 'Bo'], found: [], near: [] });
    const renamed = await hoursOf(files, timeBy('Who'), '{people: {Bo: Ada King}}');
    expect(renamed).toMatchObject({ people: ['Ada King'], work: ['1 9'] });
  });

  it('is that of a JSON file, whose values stay; more of it is refused', async () => {
    const json = { 'people.json': [{ people_id: 1, name: 'Ada King', cost_rate: 50 }], 't.csv': TIME };
    expect((await hoursOf(json, timeBy('Who'))).work[0]).toBe('1 5');
    const mailed = { ...json, 't.csv': 'Who,Day,Hours,Mail\nAda King,2026-03-02,5,a@x\n' };
    const entries = timeBy('Who').map((entry) => entry.replace('name: Who}}', 'name: Who, email: Mail}}'));
    await expect(hoursOf(mailed, entries)).rejects.toThrow("t.csv can't be joined to people.json");
  });

  it('is a project of a client, if another file names no client', { tags: ['slow'] }, async () => {
    const project = (source: string) => `project_id: {name: ${source}}, name: Project`;
    const entries = [
      `{file: a.csv, resource: projects, fields: {${project('[Client, Project]')}}}`,
      `{file: t.csv, resource: projects, fields: {${project('Project')}}}`,
      `{file: t.csv, resource: logged_time, fields: {people_id: {value: 1}, project_id: {name: Project}, ${WORK}}}`,
    ];
    const people = { 'people.csv': 'people_id,name\n1,Ada\n', 't.csv': 'Project,Day,Hours\nWeb,2026-03-02,5\n' };
    const one = { ...people, 'a.csv': 'Client,Project\nAcme,Web\nAcme,App\n' };
    expect((await hoursOf(one, entries)).found).toEqual(['names: {projects: {"Web": "Acme Web"}}']);
    const two = { ...people, 'a.csv': 'Client,Project\nAcme,Web\nBeta,Web\n' };
    expect(await questionsOf(two, entries)).toEqual([
      'projects: Web is the name of Acme Web and Beta Web: names: {projects: {"Web": "Acme Web"}} or names: {projects: {"Web": "Beta Web"}} if they are one, names: {projects: {"Web": "Web"}} if it is another',
    ]);
    const { work } = await hoursOf(two, entries, '{projects: {Web: Beta Web}}');
    expect(work).toHaveLength(1);
  });

  it('is asked if another spelling may be it', { tags: ['slow'] }, async () => {
    const turned = { ...files, 't.csv': 'Who,Day,Hours\n"King, Ada",2026-03-02,5\n' };
    expect(await hoursOf(turned, timeBy('Who'))).toMatchObject({
      found: [],
      near: ['names: {people: {"King, Ada": "Ada King"}}'],
    });
    const ordered = await hoursOf(
      turned,
      timeBy('{column: Who, order: last-first}').map((entry) =>
        entry.replaceAll('{name: {column: Who,', '{name: Who,').replace('}},', '},'),
      ),
    );
    expect(ordered.work).toEqual(['1 5']);
  });
});

describe('names that only a person can give to a record are asked, all at once', () => {
  it('those that several records have', { tags: ['slow'] }, async () => {
    const files = { 'people.csv': 'people_id,name\n1,Ada King\n2,Ada King\n3,Bo\n4,Bo\n', 't.csv': TIME };
    expect(await questionsOf(files, timeBy('Who'))).toHaveLength(2);
    const { work } = await hoursOf(files, timeBy('Who'), '{people: {Ada King: 2, Bo: Bo}}');
    expect(work[0]).toBe('2 5');
    expect(work).toHaveLength(2);
  });

  const MAILS =
    'Who,Mail,Day,Hours\nAda King,ada@x,2026-03-02,5\nAda Lovelace,ADA@x ,2026-03-03,4\nBo,bo@x,2026-03-03,1\n';
  const byName = timeBy('Who').map((entry) => entry.replace('name: Who}}', 'name: Who, email: Mail}}'));

  it('those of one e-mail', { tags: ['slow'] }, async () => {
    const files = { 't.csv': MAILS };
    expect(await questionsOf(files, byName)).toEqual([
      'people: Ada Lovelace has the e-mail ada@x of Ada King: names: {people: {"Ada Lovelace": "Ada King"}} if they are one, names: {people: {"Ada Lovelace": "Ada Lovelace"}} if it is another',
    ]);
    expect((await hoursOf(files, byName, '{people: {Ada Lovelace: Ada King}}')).people).toHaveLength(2);
    expect((await hoursOf(files, byName, '{people: {Ada Lovelace: Ada Lovelace}}')).people).toHaveLength(3);
  });

  it('and not those whose ids are all their own', async () => {
    const files = { 'people.csv': 'people_id,name,email\n1,Ada,office@x\n2,Bo,office@x\n', 't.csv': TIME };
    expect((await hoursOf(files, timeBy('Who'))).people).toHaveLength(3);
  });

  it('and people of one name whom an e-mail tells apart are told', async () => {
    const files = { 't.csv': 'Who,Mail,Day,Hours\nAda,a@x,2026-03-02,5\nAda,b@x,2026-03-02,4\n' };
    expect(await hoursOf(files, timeBy('[Who, Mail]', 'Who'))).toMatchObject({
      people: ['Ada', 'Ada'],
      near: ['names: {people: {"Ada b@x": "Ada a@x"}}'],
    });
  });
});

/** Names with accents, of one word and of several. */
const NAMES = [
  'José Núñez',
  'Zoë',
  'Łukasz Żak',
  'Ngô Thị Hà',
  'Anne-Marie O’Neil',
  "D'Arcy Q",
  '李小龙',
  'Ada King',
  'İpek Şen',
];

describe('random companies', () => {
  it(`have the hours of each person, or ask (seed ${SEED})`, { tags: ['slow'] }, async () => {
    const company = fc.record({
      people: fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 8 }),
      work: fc.array(
        fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom('NFC', 'NFD'), fc.integer({ min: 1, max: 9 })),
        {
          minLength: 1,
          maxLength: 12,
        },
      ),
    });
    await fc.assert(
      fc.asyncProperty(company, async ({ people, work }) => {
        const files = {
          'people.csv': `people_id,name\n${people.map((name, at) => `${at + 1},${name}\n`).join('')}`,
          't.csv': `Who,Day,Hours\n${work.map(([name, form, hours], day) => `${name.normalize(form)},2026-03-${day + 10},${hours}\n`).join('')}`,
        };
        const idsOf = (name: string) => people.flatMap((each, at) => (each === name ? [at + 1] : []));
        const named = [...new Set(work.map(([name]) => name))];
        const asked = named.filter((name) => idsOf(name).length > 1);
        if (asked.length > 0) expect(await questionsOf(files, timeBy('Who'))).toHaveLength(asked.length);
        const answers = Object.fromEntries(asked.map((name) => [name, idsOf(name).at(-1)]));
        const found = await hoursOf(files, timeBy('Who'), JSON.stringify({ people: answers }));
        const expected = named.flatMap((name) => {
          const id = idsOf(name).at(-1);
          const hours = work.filter(([each]) => each === name).reduce((sum, [, , each]) => sum + each, 0);
          return id === undefined ? [] : [`${id} ${hours}`];
        });
        expect(found.work.filter((each) => !/^[0-9]{15} /.test(String(each))).sort()).toEqual(expected.sort());
        expect(found.people).toHaveLength(people.length + named.filter((name) => idsOf(name).length === 0).length);
      }),
      { seed: SEED, numRuns: 6 },
    );
  });
});
