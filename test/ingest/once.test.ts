import { describe, expect, it } from 'vitest';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { type Files, withDataset } from './dataset.ts';
import { sheetBook } from './sheet-book.ts';

const time = (more = '', file = 't*.csv') =>
  `{file: "${file}", resource: logged_time, ${more} fields: {logged_time_id: {row: true}, people_id: {name: Who}, date: Day, hours: H}}`;

/** Loads files by entries, and returns the hours of each day, and the number of duplicates. */
const hoursOf = (files: Files, ...entries: readonly string[]) =>
  withDataset(
    files,
    async ({ rows, summary }) => {
      const days = await rows(
        `SELECT strftime(date, '%d') || ' ' || CAST(sum(hours) AS DECIMAL(9,1)) AS day FROM source.logged_time GROUP BY date ORDER BY date`,
      );
      const counts = summary.resources.find(({ resource }) => resource === 'logged_time');
      return [days.map(({ day }) => day).join(', '), counts?.duplicates];
    },
    { mapping: parseMapping(`files: [${entries.join(', ')}]`, 'mapping.yaml', inputResources) },
  );

const rows = (...lines: readonly string[]) => ['Who,Day,H', ...lines, ''].join('\n');
const [first, second, third] = ['Ada,2026-03-02,1', 'Ada,2026-03-03,2', 'Ada,2026-03-04,3'] as const;

describe('files of one pattern', () => {
  it('that are the same are refused by name', async () => {
    await expect(hoursOf({ 't1.csv': rows(first), 't2.csv': rows(first) }, time())).rejects.toThrow(
      't1.csv and t2.csv are the same file: their rows would count twice',
    );
  });

  it('that overlap count equal rows once, in equal number', async () => {
    const files = { 't1.csv': rows(first, second, second), 't2.csv': rows(second, second, third) };
    expect(await hoursOf(files, time())).toEqual(['02 1.0, 03 4.0, 04 3.0', 2]);
  });

  const corrected = { 't1.csv': rows(first, second), 't2.csv': rows('Ada,2026-03-03,2.5', third) };

  it('with different entries of a day stop the load', async () => {
    const fewer = { 't1.csv': rows(first, second, second), 't2.csv': rows(second, third) };
    for (const files of [corrected, fewer])
      await expect(hoursOf(files, time())).rejects.toThrow('t1.csv and t2.csv have different entries of ');
  });

  it('follow overlap', async () => {
    expect(await hoursOf(corrected, time('overlap: newest,'))).toEqual(['02 1.0, 03 2.5, 04 3.0', 1]);
    expect(await hoursOf(corrected, time('overlap: add,'))).toEqual(['02 1.0, 03 4.5, 04 3.0', 0]);
  });
});

it('equal rows of one file stay', async () => {
  expect(await hoursOf({ 't1.csv': rows(first, first) }, time())).toEqual(['02 2.0', 0]);
});

/** Returns an entry that reads a project, too. */
const work = (file: string) =>
  time('', file).replace('date:', 'project_id: {name: Project}, date:').replace('Who', 'Person');

describe('exports of one form that different entries read', () => {
  const book = (...lines: readonly string[]) =>
    sheetBook(
      ['Who,Day,H', ...lines].map((line) => line.split(',')),
      { sheets: ['Time'] },
    );
  const csvAndBook = (...lines: readonly string[]) => ({ 'a.csv': rows(first, second), 'b.xlsx': book(...lines) });
  const entries = (more = '') => [time(more, 'a.csv'), time('', 'b.xlsx')];

  it('count equal rows once', async () => {
    expect(await hoursOf(csvAndBook(second, second, third), ...entries())).toEqual(['02 1.0, 03 4.0, 04 3.0', 1]);
    expect(await hoursOf(csvAndBook('Ada,2026-03-03,2.00'), ...entries())).toEqual(['02 1.0, 03 2.0', 1]);
  });

  it('with different entries of a day stop the load, until overlap says which count', async () => {
    const corrected = csvAndBook('Ada,2026-03-03,2.5', third);
    await expect(hoursOf(corrected, ...entries())).rejects.toThrow(
      'a.csv and b.xlsx, sheet Time have different entries of ',
    );
    expect(await hoursOf(corrected, ...entries('overlap: newest,'))).toEqual(['02 1.0, 03 2.5, 04 3.0', 1]);
    expect(await hoursOf(corrected, ...entries('overlap: add,'))).toEqual(['02 1.0, 03 4.5, 04 3.0', 0]);
  });

  it('of other projects share no work, nor do sheets of one workbook', async () => {
    const project = (name: string) => `Person,Project,Day,H\nAda,${name},2026-03-02,1\n`;
    expect(await hoursOf({ 'a.csv': project('A'), 'b.csv': project('B') }, work('a.csv'), work('b.csv'))).toEqual([
      '02 2.0',
      0,
    ]);
    const sheets = sheetBook([['Who', 'Day', 'H'], first.split(',')], { sheets: ['One', 'Two'] });
    const entries = ['One', 'Two'].map((sheet) => time(`sheet: ${sheet},`, 'b.xlsx'));
    expect(await hoursOf({ 'b.xlsx': sheets }, ...entries)).toEqual(['02 2.0', 0]);
  });
});

describe('exports of different forms', () => {
  const files = (hours: string) => ({ 'a.csv': rows(first), 'b.csv': `Day,Person,H\n2026-03-02,Ada,${hours}\n` });
  const people = '{file: a.csv, resource: people, fields: {people_id: {name: Who}, name: Who}}';
  const entries = (more = '') => [people, time(more, 'a.csv'), time('', 'b.csv').replace('Who', 'Person')];

  it('with equal work of a person stop the load, until overlap says which counts', async () => {
    await expect(hoursOf(files('1.0'), ...entries())).rejects.toThrow(
      'a.csv and b.csv have 1.00 h of Ada on 2026-03-02 in one project, in files of different forms',
    );
    expect(await hoursOf(files('1.0'), ...entries('overlap: add,'))).toEqual(['02 2.0', 0]);
    expect(await hoursOf(files('1.0'), ...entries('overlap: newest,'))).toEqual(['02 1.0', 1]);
  });

  it('with other work of a day count together', async () => {
    expect(await hoursOf(files('2'), ...entries())).toEqual(['02 3.0', 0]);
  });
});
