import { describe, expect, it } from 'vitest';
import { monthNamed } from '../../src/base/calendar/day-names.ts';
import { openZone } from '../../src/base/calendar/zone.ts';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseDateFormat } from '../../src/records/ingest/mapping/date-format.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { type Notation, translateField } from '../../src/records/ingest/mapping/notation.ts';
import { withDataset } from './dataset.ts';

const translated = (type: 'hours' | 'rate' | 'date', notation: Notation, text: string) =>
  translateField({ type }, notation)?.(text);

describe('the form of a value', () => {
  it.each([
    ['1h 30m', '1.5'],
    ['7h30', '7.5'],
    ['18:25 min', '0.306944444444'],
    ['PT1H30M', '1.5'],
    ['PT45.5M', '0.758333333333'],
    ['PT27000S', '7.5'],
    ['P1DT2H', { fault: 'not hours such as 7:30, 1h 30m or 7.5 hrs' }],
    ['47 sec', '0.013055555555'],
    ['2:10:00', '2.166666666666'],
    ['7.5 hrs', '7.5'],
    ['1d 2h', '10'],
    ['1 hour', '1'],
    ['8h 00m 00s', '8'],
    ['7:30', '7.5'],
    ['0.25', '0.25'],
    ['3 licenses', { fault: 'not hours such as 7:30, 1h 30m or 7.5 hrs' }],
    ['1h 30', { fault: 'not hours such as 7:30, 1h 30m or 7.5 hrs' }],
  ])('hours with units read %s as %s', (text, hours) => {
    expect(translated('hours', { hours: 'units' }, text)).toEqual(hours);
  });

  it('days have the hours of a day', () => {
    expect(translated('hours', { hours: 'days' }, '0.5')).toBe('4');
    expect(translated('hours', { hours: 'days', dayHours: 7.5 }, '0.5')).toBe('3.75');
    expect(translated('hours', { hours: 'units', dayHours: 7.5 }, '1d')).toBe('7.5');
  });

  it.each([
    ['point', '$459,367', '459367'],
    ['point', '60.00 EUR', '60.00'],
    ['point', '-$5.00', '-5.00'],
    ['point', 'US$ 1,200.50', '1200.50'],
    ['comma', '1.200,50 €', '1200.50'],
    ['comma', 'CHF 1’200,50', '1200.50'],
    ['point', '(1,200.50)', '-1200.50'],
    ['point', '($20.00)', '-20.00'],
    ['point', '$(20.00)', '-20.00'],
    ['comma', '(25,00 €)', '-25.00'],
    ['point', '20.00 CR', '-20.00'],
    ['point', '20.00cr', '-20.00'],
    ['point', '20.00 DR', '20.00'],
    ['comma', '20,00-', '-20.00'],
    ['point', '20.00 IDR', '20.00'],
    ['point', '(-20.00)', { fault: 'not a number with a decimal point' }],
    ['point', '-20.00 CR', { fault: 'not a number with a decimal point' }],
    ['point', '20.00 (5.00)', { fault: 'not a number with a decimal point' }],
    ['point', '60.00 euros', { fault: 'not a number with a decimal point' }],
  ] as const)('an amount with a decimal %s reads %s as %s', (decimal, text, amount) => {
    expect(translated('rate', { decimal }, text)).toEqual(amount);
  });

  it('cents are hundredths', () => {
    expect(translated('rate', { amounts: 'cents' }, '12345')).toBe('123.45');
  });

  it.each([
    ['M/D/YY', '3/2/26', '2026-03-02'],
    ['M/D/YY', 'Mon 3/2/26', '2026-03-02'],
    ['DD-MMM-YYYY', '02-Mar-2026', '2026-03-02'],
    ['MMM DD, YYYY', 'Feb 02, 2025', '2025-02-02'],
    ['MMM DD, YYYY', 'Mar 2, 2026', '2026-03-02'],
    ['D MMM YYYY', 'mar. 3 mars 2026', '2026-03-03'],
    ['DD. MMM YYYY', '2. März 2026', '2026-03-02'],
    ['D MMM YYYY', '2 févr. 2026', '2026-02-02'],
    ['D MMM YYYY', '2 dezembro 2026', '2026-12-02'],
    ['YYYY-MM-DD HH:MM', '2026-05-01T09:30:00.000+0200', '2026-05-01'],
    ['MM/DD/YYYY HH:MM', '03/14/2026 11:30 PM', '2026-03-14'],
    ['M/D/YY', '13/2/26', { fault: 'not a day written M/D/YY' }],
  ])('days as %s read %s as %s', (format, text, day) => {
    expect(translated('date', { dates: parseDateFormat(format) }, text)).toEqual(day);
  });

  it('the day of a time with an offset is that of the company', () => {
    const notation = { dates: parseDateFormat('YYYY-MM-DD HH:MM') };
    const read = translateField({ type: 'date' }, notation, undefined, openZone('Europe/Berlin'));
    expect(read?.('2026-05-01T23:30:00Z')).toBe('2026-05-02');
    expect(read?.('2026-05-01T23:30:00+0200')).toBe('2026-05-01');
    expect(read?.('2026-05-01 23:30')).toBe('2026-05-01');
  });

  it('months have names in seven languages, and each is one month', () => {
    const names = ['January', 'März', 'févr.', 'agosto', 'dezembro', 'mrt', 'luglio', 'Sept'];
    expect(names.map(monthNamed)).toEqual([1, 3, 2, 8, 12, 3, 7, 9]);
    for (const month of ['Mai', 'mar', 'Jun', 'ago']) expect(monthNamed(month)).toBeGreaterThan(0);
  });
});

/** The fields of a time entry, and the columns that they come from. */
const time = (fields: string, more = '') =>
  `${more}\nfiles: [{file: t.csv, resource: logged_time, fields: {logged_time_id: {row: true}, ${fields}}}]`;
const line = (rows: string, fields: string) =>
  `files: [{file: t.csv, resource: logged_time, ${rows}, fields: {logged_time_id: {row: true}, ${fields}}}]`;
const basic = 'people_id: {name: Who}, date: Day, hours: H';

/** Loads t.csv by a mapping, and returns the day and hours of each entry, with the reasons of those set aside. */
const entriesOf = (text: string, mapping: string, timeZone = 'UTC') =>
  withDataset(
    { 't.csv': text, 'settings.json': JSON.stringify({ time_zone: timeZone }) },
    async ({ rows, summary }) => {
      const found = await rows(
        `SELECT strftime(date, '%d') || ' ' || CAST(hours AS DECIMAL(9,2)) || COALESCE(' ' || billable, '') AS entry
         FROM source.logged_time ORDER BY ALL`,
      );
      return [...found.map(({ entry }) => entry), ...summary.reasons.map(({ reason }) => reason)];
    },
    { mapping: parseMapping(mapping, 'mapping.yaml', inputResources) },
  );

describe('a mapping', () => {
  it.each([
    {
      verb: 'skip leaves rows out',
      text: 'Who,Day,H\nAda,2026-03-02,1\n--- Ada ---,2026-03-02,1\nTotal,,2\n',
      mapping: line('skip: {Who: ["--- *", total]}', basic),
      entries: ['02 1.00'],
    },
    {
      verb: 'skip takes a blank cell',
      text: 'Who,Day,H,Key\nAda,2026-03-02,1,K1\nAda,2026-03-02,1,\n',
      mapping: line('skip: {Key: ""}', basic),
      entries: ['02 1.00'],
    },
    {
      verb: 'where reads the rows of one kind',
      text: 'Who,Day,H,Type\nAda,2026-03-02,1,Work\nAda,2026-03-02,9,Break\n',
      mapping: line('where: {Type: work}', basic),
      entries: ['02 1.00'],
    },
    {
      verb: 'an interval goes over midnight, and over a change of the clocks',
      text: 'Who,Day,B,E\nAda,2026-03-16,23:30,00:45\nAda,2026-03-29,00:30,04:30\nAda,2026-03-30,9:00 AM,\n',
      mapping: time('people_id: {name: Who}, date: Day, hours: {from: [Day, B], to: E}'),
      zone: 'Europe/Berlin',
      entries: ['16 1.25', '29 3.00', 'hours: missing'],
    },
    {
      verb: 'an interval that ends before it begins is set aside',
      text: 'Who,B,E\nAda,03/14/2026 11:30 PM,03/14/2026 10:30 PM\nAda,03/15/2026 10:00 AM,03/15/2026 11:30 AM\n',
      mapping: time('people_id: {name: Who}, date: B, hours: {from: B, to: E}', 'dates: MM/DD/YYYY HH:MM'),
      entries: ['15 1.50', 'hours: ends before it begins'],
    },
    {
      verb: 'a sum adds hours and minutes',
      text: 'Who,Day,H,M\nAda,2026-03-02,5,20\nAda,2026-03-03,,45\nAda,2026-03-04,,\n',
      mapping: time('people_id: {name: Who}, date: Day, hours: {sum: {hours: H, minutes: M}}'),
      entries: ['02 5.33', '03 0.75', 'hours: missing'],
    },
    {
      verb: 'filled tells whether there is a value',
      text: 'Who,Day,H,B\nAda,2026-03-02,1,1h 30m\nAda,2026-03-03,1,\nAda,2026-03-04,1,$0.00\n',
      mapping: time(`${basic}, billable: {filled: B}`),
      entries: ['02 1.00 true', '03 1.00 false', '04 1.00 false'],
    },
    {
      verb: 'fill: down takes the value above',
      text: 'Who,Day,H\nAda,2026-03-02,1\n,2026-03-03,2\nBo,2026-03-04,3\n',
      mapping: time('people_id: {name: Who, fill: down}, date: Day, hours: H'),
      entries: ['02 1.00', '03 2.00', '04 3.00'],
    },
    {
      verb: 'unpivot makes rows of days',
      text: 'Who,2026-03-02,2026-03-03,Total\nAda,7.5,,7.5\nBo,1,2,3\n',
      mapping: line('unpivot: days', 'people_id: {name: Who}, date: {unpivot: start}, hours: {unpivot: cell}'),
      entries: ['02 1.00', '02 7.50', '03 2.00'],
    },
    {
      verb: 'unpivot makes rows of the days of a month',
      text: 'Who,1,2,31,Total\nAda,7.5,,1,8.5\n',
      mapping: line(
        'unpivot: {columns: days, month: 2026-03}',
        'people_id: {name: Who}, date: {unpivot: start}, hours: {unpivot: cell}',
      ),
      entries: ['01 7.50', '31 1.00'],
    },
    {
      verb: 'named makes an id of a name',
      text: 'Day,H\n2026-03-02,1\n',
      mapping: time('people_id: {named: Ada}, date: Day, hours: H'),
      entries: ['02 1.00'],
    },
  ])('$verb', async ({ text, mapping, entries, zone }) => {
    expect(await entriesOf(text, mapping, zone)).toEqual(entries);
  });

  it('spreads the hours of a plan over its work days', async () => {
    const plan = `files: [{file: t.csv, resource: tasks, unpivot: weeks, fields: {task_id: {row: true}, project_id: {named: Web},
      people_id: {name: Who}, start_date: {unpivot: start}, end_date: {unpivot: end}, hours: {unpivot: cell, spread: workdays}}}]`;
    const sql =
      'SELECT CAST(start_date AS VARCHAR) AS day, CAST(hours AS VARCHAR) AS hours FROM source.tasks ORDER BY ALL';
    const mapping = parseMapping(plan, 'mapping.yaml', inputResources);
    const rows = await withDataset(
      { 't.csv': 'Who,2026-03-02,2026-03-09\nAda,40,20\n' },
      (loaded) => loaded.rows(sql),
      { mapping },
    );
    expect(rows).toEqual([
      { day: '2026-03-02', hours: '8.000000' },
      { day: '2026-03-09', hours: '4.000000' },
    ]);
  });

  it('King, Ada is Ada King where the mapping says so', async () => {
    const people = (order: string) =>
      `{file: t.csv, resource: people, fields: {people_id: {name: Who${order}}, name: {column: Who${order}}}}`;
    const sql = 'SELECT DISTINCT people_id, name FROM source.people';
    const ids: unknown[] = [];
    for (const [who = '', order = ''] of [
      ['"King, Ada"', ', order: last-first'],
      ['Ada King', ''],
    ])
      ids.push(
        await withDataset({ 't.csv': `Who\n${who}\n` }, ({ rows }) => rows(sql), {
          mapping: parseMapping(`files: [${people(order)}]`, 'mapping.yaml', inputResources),
        }),
      );
    expect(ids[0]).toEqual(ids[1]);
  });

  it('with a line that is open stops the load, with the decision', () => {
    const text = 'files:\n  - file: t.csv\n    resource: people\n    open: 02/03/2026 is 2 March or 3 February\n';
    expect(() => parseMapping(text, 'mapping.yaml', inputResources)).toThrow(
      'mapping.yaml:4: files[1].open: 02/03/2026 is 2 March or 3 February',
    );
  });
});

describe('an amount that is made', () => {
  const linesOf = async (amount: string, rows: readonly string[]) => {
    const mapping = parseMapping(
      `files: [{file: l.csv, resource: invoice_lines, decimal: point, fields: {invoice_line_id: No, invoice_id: {value: 1}, amount: ${amount}}}]`,
      'mapping.yaml',
      inputResources,
    );
    const files = { 'l.csv': ['No,Total,Tax,Other', ...rows, ''].join('\n') };
    return withDataset(
      files,
      async ({ rows: read }) => [
        ...(await read('SELECT CAST(amount AS VARCHAR) AS text FROM source.invoice_lines ORDER BY invoice_line_id')),
        ...(await read('SELECT reasons[1] AS text FROM source.rejected ORDER BY 1')),
      ],
      { mapping },
    ).then((found) => found.map((row) => row['text']));
  };

  it('is less the amounts in other columns, blank ones aside', async () => {
    const rows = ['1,119.00,19.00,', '2,(59.50),(9.50),', '3,100,,1.5', '4,100,none,', '5,,1,'];
    expect(await linesOf('{column: Total, less: [Tax, Other]}', rows)).toEqual([
      '100.0000',
      '-50.0000',
      '98.5000',
      'amount: less what is no number',
      'amount: missing',
    ]);
  });

  it('has the other sign', async () => {
    expect(await linesOf('{column: Total, less: Tax, sign: minus}', ['1,119.00,19.00,', '2,-5,0,'])).toEqual([
      '-100.0000',
      '5.0000',
    ]);
  });

  it.each([
    ['{column: Total, sign: plus}', 'is plus, not one of minus'],
    ['{column: Total, less: {value: 3}}', 'names no column of amounts'],
  ])('%s is an error', async (amount, message) => {
    await expect(linesOf(amount, [])).rejects.toThrow(message);
  });

  it('is refused at another field', () => {
    const text = 'files: [{file: l.csv, resource: invoice_lines, fields: {name: {column: A, sign: minus}}}]';
    expect(() => parseMapping(text, 'mapping.yaml', inputResources)).toThrow('is for amounts only');
  });
});
