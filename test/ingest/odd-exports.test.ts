import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { ingestDirectory, inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { suggestMapping } from '../../src/records/ingest/proposal/suggest-mapping.ts';
import { type Files, withDirectory } from './dataset.ts';

/*
 * Files that no program writes, or that people damage: a number that comes in is the number that the file says, or a sentence says
 * why not.
 */

/** Loads files by their proposed mapping, and returns the hours with the reasons and conflicts. */
const load = (files: Files) =>
  withDirectory(files, async (directory) => {
    const text = await suggestMapping(directory, inputResources);
    const database = await openDatabase(':memory:');
    try {
      const mapping = parseMapping(text, 'mapping.yaml', inputResources);
      const { reasons, conflicts } = await ingestDirectory(database, directory, { mapping });
      const [row] = await database.rows('SELECT CAST(sum(hours) AS VARCHAR) AS hours FROM source.logged_time');
      const people = await database.rows('SELECT name, default_hourly_rate AS rate FROM source.people ORDER BY name');
      return {
        text,
        hours: row?.hours,
        people,
        conflicts,
        reasons: reasons.map((each) => `${each.reason} ${each.count}`),
      };
    } finally {
      await database.close();
    }
  });

const HEADER = 'Date,Person,Project,Hours';

describe('a file', () => {
  it('that is half one layout and half another sets the other half aside', async () => {
    const other = 'User,Start date,Duration\nAda,2026-03-04,01:30:00\nBo,2026-03-05,02:00:00\n';
    const rows = Array.from({ length: 9 }, (_, at) => `2026-03-1${at},Ada,Web,1\n`).join('');
    const { hours, reasons } = await load({ 't.csv': `${HEADER}\n${rows}${other}` });
    expect(hours).toBe('9.000000');
    expect(reasons).toEqual(['has 3 columns, the header has 4 3']);
  });

  it('with its headers in row 40 is read from there', async () => {
    const titles = Array.from({ length: 39 }, (_, at) => `Sheet of hours ${at},,,\n`).join('');
    const { hours, reasons } = await load({ 't.csv': `${titles}${HEADER}\n2026-03-02,Ada,Web,1.5\n` });
    expect({ hours, reasons }).toEqual({ hours: '1.500000', reasons: [] });
  });

  it('with 10,000 columns is read by those that are understood', { tags: ['slow'] }, async () => {
    const extra = Array.from({ length: 9_996 }, (_, at) => `c${at}`);
    const row = `2026-03-02,Ada,Web,1.5${',x'.repeat(extra.length)}`;
    const { hours } = await load({ 't.csv': `${HEADER},${extra.join(',')}\n${row}\n` });
    expect(hours).toBe('1.500000');
  });

  it('with days in three orders reads those of one, and sets the others aside', async () => {
    const days = ['2026-03-02', '31/03/2026', '30/03/2026', '29/03/2026', '03-28-2026'];
    const rows = days.map((day) => `${day},Ada,Web,1\n`).join('');
    const { hours, reasons } = await load({ 't.csv': `${HEADER}\n${rows}` });
    expect(hours).toBe('4.000000');
    expect(reasons).toEqual(['date: not a day written DD/MM/YYYY 1']);
  });

  it('with a text in a column of rates says so, and takes the other rates', async () => {
    const rows = '2026-03-02,Ada,Web,1,100\n2026-03-03,Bo,Web,2,negotiable\n';
    const { text, hours, people, reasons } = await load({ 't.csv': `${HEADER},Hourly Rate\n${rows}` });
    expect(hours).toBe('3.000000');
    expect(people).toEqual([
      { name: 'Ada', rate: '100.0000' },
      { name: 'Bo', rate: null },
    ]);
    expect(reasons).toEqual([]);
    expect(text).toContain('# Hourly Rate has negotiable, which is no rate: these hours count without a rate.');
  });

  it.each([
    ['old.xls', 'save it as .xlsx'],
    ['export.zip', 'Unpack it'],
  ])('%s alone says what to do', async (name, hint) => {
    await expect(load({ [name]: 'PK' })).rejects.toMatchObject({ hint: expect.stringContaining(hint) });
  });
});

it('two files that conflict in every row name each conflict, and take no rate', async () => {
  const people = (rate: number) => `Name,Email,Hourly Rate\nAda,ada@x,${rate}\nBo,bo@x,${rate + 1}\n`;
  const { people: found, conflicts } = await load({ 'team a.csv': people(100), 'team b.csv': people(200) });
  expect(found.map(({ rate }) => rate)).toEqual([null, null]);
  expect(conflicts).toHaveLength(2);
});
