import { describe, expect, it } from 'vitest';
import { formatSummary } from '../../src/doors/command/load/load-summary.ts';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { suggestMapping } from '../../src/records/ingest/proposal/suggest-mapping.ts';
import { type Files, withDataset, withDirectory } from './dataset.ts';
import { loadProposed } from './own-data.ts';

/*
 * Files that are named after a resource, with its fields as headers, and with values that no field has (O2).
 */

const propose = (files: Files) => withDirectory(files, (directory) => suggestMapping(directory, inputResources));

const TIME = 'logged_time_id,people_id,project_id,date,hours\nA1,Ada,Web,2026-03-02,2\nA2,Bo,Web,2026-03-03,1\n';

describe('a file whose headers name the fields', () => {
  it('needs no mapping if its values are those of fields', async () => {
    const time = 'logged_time_id,people_id,date,hours,billable,created\nx,1,2026-03-02,7.5,1,2026-03-02 09:00:00\n';
    const people = 'people_id,name,department\n1,Ada,"{""department_id"": 3, ""name"": ""Design""}"\n2,Bo,\n';
    const text = await propose({ 'logged_time.csv': time, 'people.csv': people });
    expect(text).toContain('# logged_time.csv needs no mapping');
    expect(text).toContain('# people.csv needs no mapping');
  });

  it('has ids made of names where ids are expected', async () => {
    const totals = { hours: '3.000000', people: 'Ada, Bo', projects: 'Web', setAside: 0 };
    expect(await loadProposed({ 'logged_time.csv': TIME })).toMatchObject(totals);
    const text = await propose({ 'people.csv': 'people_id,name,department\n1,Ada,Design\n' });
    expect(text).toContain('department_id: {name: "department"}\n      name: "department"\n');
  });

  it('has days, hours and words in the form that its values have', async () => {
    const text =
      'Logged Time ID;People ID;Project ID;Date;Hours;Billable\n1;3;4;02.03.2026;7:30;ja\n2;3;4;13.03.2026;2:15;nein\n';
    const totals = { hours: '9.750000', billable: '7.500000', days: '2026-03-02 2026-03-13', setAside: 0 };
    expect(await loadProposed({ 'logged_time.csv': text })).toMatchObject(totals);
  });

  it('leaves names open that another file has ids of', async () => {
    const files = { 'logged_time.csv': TIME, 'people.csv': 'people_id,name\n1,Ada\n2,Bo\n' };
    await expect(loadProposed(files)).rejects.toThrow(
      'people_id has names, such as Ada, and people.csv has ids of people',
    );
  });
});

it('names that are set aside as ids lead to a mapping', async () => {
  const lines = await withDataset({ 'logged_time.csv': TIME }, async ({ summary }) => formatSummary(summary));
  expect(lines).toContain('  mapping.yaml makes ids of names and rows: load --suggest-mapping writes a first one.');
});
