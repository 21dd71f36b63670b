import { expect, it } from 'vitest';
import {
  changeForm,
  changeMeaning,
  decide,
  formOf,
  meaningOf,
  nameRecord,
  otherMeanings,
} from '../../page/loads/meanings.ts';
import type { MappingJson, TakenFile } from '../../src/store/loads/load-json.ts';

const COLUMNS = ['User', 'Lead', 'Email', 'Project', 'Date', 'Hours', 'Time'];

const FILE: TakenFile = {
  file: 'time.csv',
  sheet: null,
  program: null,
  resources: ['people', 'logged_time'],
  main: 'logged_time',
  fields: ['people_id', 'project_id', 'date', 'hours', 'notes'],
  entries: [0, 1],
  columns: COLUMNS.map((header) => ({ header, values: [] })),
  notes: [],
  first: null,
};

const MAPPING: MappingJson = {
  files: [
    { file: 'time.csv', resource: 'people', fields: { people_id: { name: 'User' }, name: 'User', email: 'Email' } },
    {
      file: 'time.csv',
      resource: 'logged_time',
      fields: {
        logged_time_id: { row: true },
        people_id: { name: 'User' },
        date: 'Date',
        hours: { column: 'Hours', hours: 'h:mm' },
      },
    },
    { file: 'other.csv', resource: 'logged_time', fields: { people_id: { name: 'User' } } },
  ],
};

const meanings = (mapping: MappingJson) =>
  Object.fromEntries(COLUMNS.map((header) => [header, meaningOf(FILE, mapping, header)]).filter(([, field]) => field));

it('a column means the field of the rows that is read from it, and fields of records that they name', () => {
  expect(meanings(MAPPING)).toEqual({ User: 'people_id', Date: 'date', Hours: 'hours' });
  expect(otherMeanings(FILE, MAPPING, 'Email')).toEqual(['Email of people']);
});

it('a meaning moves to another column with its form, in the records that are named, too', () => {
  const time = changeMeaning(MAPPING, FILE, 'Time', 'hours');
  expect(time.files?.[1]?.fields?.['hours']).toEqual({ column: 'Time', hours: 'h:mm' });
  expect(meanings(time)).toEqual({ User: 'people_id', Date: 'date', Time: 'hours' });
  const lead = changeMeaning(MAPPING, FILE, 'Lead', 'people_id');
  expect(lead.files?.[0]?.fields).toEqual({ people_id: { name: 'Lead' }, name: 'Lead', email: 'Email' });
  expect(lead.files?.[1]?.fields?.['people_id']).toEqual({ name: 'Lead' });
  expect(lead.files?.[2]).toEqual(MAPPING.files?.[2]);
});

it('a column that gets a new meaning brings the records that it names, and none takes them away', () => {
  const project = changeMeaning(MAPPING, FILE, 'Project', 'project_id');
  expect(project.files?.[0]).toEqual({
    file: 'time.csv',
    resource: 'projects',
    fields: { project_id: { name: 'Project' }, name: 'Project' },
  });
  expect(project.files?.[2]?.fields?.['project_id']).toEqual({ name: 'Project' });
  const nobody = changeMeaning(MAPPING, FILE, 'User', '');
  expect(nobody.files?.map(({ resource }) => resource)).toEqual(['logged_time', 'logged_time']);
  expect(nobody.files?.[0]?.fields).not.toHaveProperty('people_id');
});

it('what is open is decided in all entries of a file, one point at a time', () => {
  const open = {
    files: MAPPING.files?.map((entry, at) => (at === 1 ? { ...entry, open: 'days; numbers' } : entry)) ?? [],
  };
  const point = { file: 'time.csv', sheet: null, entries: [0, 1], text: 'days', choices: [], takes_name: false };
  const decided = decide(open, point, { label: 'so', members: { dates: 'DD/MM/YYYY' } });
  expect(decided.files?.map(({ dates, open: left }) => [dates, left])).toEqual([
    ['DD/MM/YYYY', undefined],
    ['DD/MM/YYYY', 'numbers'],
    [undefined, undefined],
  ]);
  expect(changeForm(decided, FILE, 'dates', '').files?.[0]).not.toHaveProperty('dates');
  const hours = changeForm(MAPPING, FILE, 'hours', 'minutes');
  expect([formOf(MAPPING, FILE, 'hours'), formOf(hours, FILE, 'hours')]).toEqual(['h:mm', 'minutes']);
  expect(hours.files?.[1]?.fields?.['hours']).toBe('Hours');
  expect(nameRecord(MAPPING, 'people', 'Ada King', 17).names).toEqual({ people: { 'Ada King': 17 } });
});
