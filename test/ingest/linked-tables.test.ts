import { expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { ingestDirectory, inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { suggestMapping } from '../../src/records/ingest/proposal/suggest-mapping.ts';
import { type Files, withDirectory } from './dataset.ts';

/*
 * Folders of files that name each other's rows by ids, as the tables of a program do.
 */

interface Read {
  readonly mapping: string;
  /** Its logged time by names, and the rates of its teams. */
  readonly time: readonly string[];
  readonly teams: readonly string[];
}

/** Loads files by their proposed mapping, after the question about rates in hundredths is answered with yes. */
const load = (files: Files): Promise<Read> =>
  withDirectory(files, async (directory) => {
    const proposed = await suggestMapping(directory, inputResources);
    const asked = [...proposed.matchAll(/^ {4}open: "\S+ has [0-9]+: write amounts: cents .*$/gm)].map(
      ([line]) => line,
    );
    const mapping = asked.reduce((text, line) => text.replace(`${line}\n`, ''), proposed);
    const decided =
      asked.length === 0 ? mapping : mapping.replaceAll(/^( {4}resource: .*)$/gm, '$1\n    amounts: cents');
    const database = await openDatabase(':memory:');
    try {
      await ingestDirectory(database, directory, { mapping: parseMapping(decided, 'mapping.yaml', inputResources) });
      const time = await database.rows<{ text: string }>(`
        SELECT concat_ws(' | ', CAST(date AS VARCHAR), people.name, clients.name, projects.name, project_tasks.task_name, CAST(hours AS DECIMAL(9, 2))) AS text
        FROM source.logged_time LEFT JOIN source.people USING (people_id) LEFT JOIN source.projects USING (project_id)
          LEFT JOIN source.clients USING (client_id) LEFT JOIN source.project_tasks USING (task_meta_id)
        ORDER BY ALL`);
      const teams = await database.rows<{ text: string }>(`
        SELECT concat_ws(' | ', projects.name, people.name, CAST(team.hourly_rate AS DECIMAL(9, 2))) AS text
        FROM source.project_team AS team JOIN source.projects USING (project_id) JOIN source.people USING (people_id)
        ORDER BY ALL`);
      return { mapping: proposed, time: time.map(({ text }) => text), teams: teams.map(({ text }) => text) };
    } finally {
      await database.close();
    }
  });

const csv = (...lines: readonly string[]) => `${lines.join('\n')}\n`;

const uuid = (table: number, row: number) => `${table}a1b2c3d-1111-4aaa-8bbb-00000000000${row}`;

const [ADA, MAX, ACME, WEB, INTERN, DESIGN] = [
  ...[uuid(1, 1), uuid(1, 2), uuid(2, 1), uuid(3, 1), uuid(3, 2)],
  uuid(4, 1),
];

/** A company as a time tracker exports all of its tables, with rates in cents. */
const TRACKER: Files = {
  'clients.csv': csv('id,name,organization_id,created_at', `${ACME},Client One,${uuid(9, 9)},2026-01-01T00:00:00Z`),
  'members.csv': csv(
    'id,user_id,name,email,organization_id,billable_rate,role',
    `${ADA},${uuid(0, 1)},Ada Byron,ada@example.com,${uuid(9, 9)},,owner`,
    `${MAX},${uuid(0, 2)},Max Kuhn,max@example.com,${uuid(9, 9)},,employee`,
  ),
  'organizations.csv': csv('id,name,billable_rate,currency', `${uuid(9, 9)},Acme,9000,EUR`),
  'projects.csv': csv(
    'id,name,billable_rate,client_id,is_billable',
    `${WEB},Website,9000,${ACME},true`,
    `${INTERN},Internal,,,false`,
  ),
  'project_members.csv': csv('id,billable_rate,project_id,member_id', `${uuid(6, 1)},8000,${WEB},${MAX}`),
  'tasks.csv': csv('id,name,project_id', `${DESIGN},Design,${WEB}`),
  'time_entries.csv': csv(
    'id,description,start,end,billable,member_id,client_id,project_id,task_id',
    `${uuid(5, 1)},Kickoff,2026-03-02T08:00:00Z,2026-03-02T10:30:00Z,true,${ADA},${ACME},${WEB},${DESIGN}`,
    `${uuid(5, 2)},Code,2026-03-02T09:00:00Z,2026-03-02T12:00:00Z,true,${MAX},${ACME},${WEB},`,
    `${uuid(5, 3)},Admin,2026-03-03T09:00:00Z,2026-03-03T09:45:00Z,false,${MAX},,${INTERN},`,
  ),
};

it('reads the names of people, clients, projects and tasks where their ids have them', async () => {
  const { mapping, time, teams } = await load(TRACKER);
  expect(time).toEqual([
    '2026-03-02 | Ada Byron | Client One | Website | Design | 2.50',
    '2026-03-02 | Max Kuhn | Client One | Website | 3.00',
    '2026-03-03 | Max Kuhn | Internal | 0.75',
  ]);
  expect(teams).toEqual(['Website | Max Kuhn | 80.00']);
  expect(mapping).toContain("# organizations.csv isn't taken: no other file names its rows.");
});

it('asks whether rates in whole numbers from 1000 on are in hundredths, and takes others as they are', async () => {
  const asked = 'billable_rate has 9000: write amounts: cents in each entry of this file';
  expect((await load(TRACKER)).mapping).toContain(asked);
  const rate = (text: string) => ({
    ...TRACKER,
    'projects.csv': (TRACKER['projects.csv'] as string).replace('9000', text),
  });
  expect((await load(rate('90'))).mapping).not.toContain(asked.replace('9000', '90'));
});

it('reads ids that are numbers, and camelCase headers', async () => {
  const { time } = await load({
    'users.csv': csv('id,name', '7,Ada Byron', '8,Max Kuhn'),
    'projects.csv': csv('id,name', '1,Website', '2,Internal'),
    'worklog.csv': csv('date,hours,userId,projectId', '2026-03-02,2,7,1', '2026-03-02,3,8,2'),
  });
  expect(time).toEqual(['2026-03-02 | Ada Byron | Website | 2.00', '2026-03-02 | Max Kuhn | Internal | 3.00']);
});

it.each([
  ['the name stands beside the id', 'date,hours,userId,user name,project', '2026-03-02,2,7,Ada Byron,Website'],
  ['an id is in no list', 'date,hours,userId,person,project', '2026-03-02,2,9,Ada Byron,Website'],
])('goes by names where %s', async (_, header, row) => {
  const { mapping, time } = await load({
    'users.csv': csv('id,name', '7,Ada Byron', '8,Max Kuhn'),
    'worklog.csv': csv(header, row),
  });
  expect(mapping).not.toContain('"userId"');
  expect(time).toEqual(['2026-03-02 | Ada Byron | Website | 2.00']);
});
