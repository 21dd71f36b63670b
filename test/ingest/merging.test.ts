import { describe, expect, it } from 'vitest';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { type Files, withDataset } from './dataset.ts';

const entry = (file: string, fields: string, resource = 'people') =>
  `  - {file: ${file}, resource: ${resource}, fields: {people_id: {name: Who}, ${fields}}}`;

/** Loads files by the entries of a mapping, and returns the people with their rates and contracts, and the conflicts. */
const peopleOf = (files: Files, entries: readonly string[], strict = false) =>
  withDataset(
    files,
    async ({ rows, summary }) => ({
      people: (
        await rows(`SELECT concat_ws(' ', name, email, CAST(cost_rate AS DECIMAL(9,2)),
            (SELECT string_agg(strftime(effective_date, '%d') || ':' || CAST(contracts.cost_rate AS DECIMAL(9,0)), ',' ORDER BY effective_date)
             FROM source.contracts WHERE contracts.people_id = people.people_id)) AS person
          FROM source.people ORDER BY name`)
      ).map(({ person }) => person),
      conflicts: summary.conflicts,
    }),
    { mapping: parseMapping(`files:\n${entries.join('\n')}`, 'mapping.yaml', inputResources), strict },
  );

describe('records of several files', () => {
  const files = { 'a.csv': 'Who,Mail,Rate\nAda,,100\nBo,b@x,\n', 'b.csv': 'Who,Mail,Rate\nAda,a@x,100.00\nBo,,50\n' };
  const both = ['a.csv', 'b.csv'].map((file) => entry(file, 'name: Who, email: Mail, cost_rate: Rate'));

  it('become one, field by field, and blank ones take nothing away', async () => {
    const expected = { people: ['Ada a@x 100.00', 'Bo b@x 50.00'], conflicts: [] };
    expect(await peopleOf(files, both)).toEqual(expected);
    expect(await peopleOf(files, both.toReversed())).toEqual(expected);
  });

  it('that differ in columns which are no field are no conflict', async () => {
    const exports = { 'a.csv': 'Who,Mail,Rate,Row\nAda,a@x,100,1\nAda,,,2\n', 'b.csv': 'Who,Mail,Rate,Row\nAda,,,3\n' };
    expect(await peopleOf(exports, both, true)).toEqual({ people: ['Ada a@x 100.00'], conflicts: [] });
  });

  const rates = { 'a.csv': 'Who,Mail,Rate\nAda,a@x,100\n', 'b.csv': 'Who,Mail,Rate\nAda,b@x,150\n' };

  it('that differ are named: the first of the mapping counts, and of rates none', async () => {
    expect(await peopleOf(rates, both.toReversed())).toEqual({
      people: ['Ada b@x'],
      conflicts: [
        'people Ada has email b@x and a@x in b.csv and a.csv: b@x counts',
        'people Ada has cost_rate 150 and 100 in b.csv and a.csv: none counts',
      ],
    });
  });

  it('that differ stop a strict load', async () => {
    await expect(peopleOf(rates, both, true)).rejects.toThrow('Files give different values for one field:');
  });

  it('that differ follow prefer', async () => {
    const [first = '', second = ''] = both;
    const preferring = second.replace('cost_rate: Rate', 'cost_rate: {column: Rate, prefer: last}');
    const { people, conflicts } = await peopleOf(rates, [first, preferring]);
    expect(people).toEqual(['Ada a@x 150.00']);
    expect(conflicts[1]).toContain('150 counts');
  });
});

describe('contracts as a table', () => {
  const people = entry('t.csv', 'name: Who');
  const contracts = entry('t.csv', 'effective_date: Day, cost_rate: Rate', 'contracts');

  it('belong to their people, and those that change nothing are left out', async () => {
    const files = {
      't.csv': 'Who,Day,Rate\nAda,2026-03-02,50\nAda,2026-03-03,50\nAda,2026-03-16,55\nAda,2026-03-16,55\n',
    };
    expect(await peopleOf(files, [people, contracts])).toEqual({ people: ['Ada 02:50,16:55'], conflicts: [] });
  });

  it('of one day with two rates are named, and none counts', async () => {
    const files = { 't.csv': 'Who,Day,Rate\nAda,2026-03-02,50\nAda,2026-03-02,55\n' };
    expect(await peopleOf(files, [people, contracts])).toEqual({
      people: ['Ada'],
      conflicts: ['people Ada has contracts with cost_rate 50 and 55 on 2026-03-02: none counts'],
    });
  });

  it('are refused beside records that they cannot be joined to', async () => {
    const files = { 't.csv': 'Who,Day,Rate\nAda,2026-03-02,50\n', 'people.json': [{ people_id: 1 }] };
    await expect(peopleOf(files, [contracts])).rejects.toThrow("t.csv can't be joined to people.json");
  });
});
