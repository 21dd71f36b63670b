import { describe, expect, it } from 'vitest';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { suggestMapping } from '../../src/records/ingest/proposal/suggest-mapping.ts';
import { withDataset, withDirectory } from './dataset.ts';
import { loadProposed } from './own-data.ts';

/*
 * Columns of time that stand in relations: what holds row by row tells which hours were worked, whatever the headers are called. What
 * neither arithmetic nor words decide is asked.
 */

const proposal = (text: string, file = 'time.csv') =>
  withDirectory({ [file]: text }, (directory) => suggestMapping(directory, inputResources));

const FORTY_DAYS = Array.from({ length: 20 }, (_, at) => `2026-03-${String(at + 1).padStart(2, '0')}`);

describe('hours without breaks are read', () => {
  it.each([
    [
      'from a table in Finnish',
      'Työntekijä;Päivä;Alku;Loppu;Tauko;Tunnit\nAda;16.03.2026;08:00;16:30;0:30;8:00\nBo;17.03.2026;09:00;17:00;0:45;7:15\n',
      '15.250000',
    ],
    [
      'from gross and net hours',
      'Salarié;Jour;Heures brutes;Pause (min);Heures nettes\nÉlise;16/03/2026;8,50;30;8,00\nLuc;17/03/2026;7,75;45;7,00\n',
      '15.000000',
    ],
    [
      'from gross hours alone',
      'Mitarbeiter,Datum,Bruttozeit,Pause\nAda,16.03.2026,08:30,00:30\nBo,16.03.2026,08:00,00:45\n',
      '15.250000',
    ],
    [
      'from headers Net and Gross alone',
      'Employee,Date,Start,End,Gross,Net\nAda,2026-03-16,08:00,16:30,8.5,8\nBo,2026-03-16,09:00,17:00,8,7.25\n',
      '15.250000',
    ],
    [
      'beside net and gross amounts of money',
      'Employee,Date,Start,End,Net,Gross\nAda,2026-03-16,09:00,17:00,160.00,200.00\nBo,2026-03-16,09:00,12:00,60,75.5\n',
      '11.000000',
    ],
    [
      'from headers in an unknown script, whose break is known',
      '氏名,日付,出勤,退勤,休憩,実働\n山田,2026/03/16,09:00,18:00,1:00,8:00\n佐藤,2026/03/16,09:00,15:30,0:30,6:00\n',
      '14.000000',
    ],
    [
      'in each row by what it has',
      'user,date,start,end,hours\nAda,2026-03-16,08:00,12:00,\nBo,2026-03-16,,,3.5\n',
      '7.500000',
    ],
    [
      'without the overtime that is a part of them',
      'Employee,Work Date,Regular Hours,Overtime Hours,Total Hours\nAda,03/16/2026,8.00,1.50,9.50\nBo,03/17/2026,8.00,0.00,8.00\n',
      '17.500000',
    ],
    [
      'from seconds less seconds',
      'user,started_at,ended_at,duration_seconds,break_seconds\nAda,2026-03-16T09:00:00Z,2026-03-16T17:00:00Z,27000,1800\nBo,2026-03-16T09:00:00Z,2026-03-16T10:00:00Z,3600,0\n',
      '8.500000',
    ],
    ['called paid', 'Project,Paid Hours,Date,Employee\nWeb,1.63,2026-03-16,Ada\nApp,3.87,2026-03-17,Ada\n', '5.500000'],
    [
      'called hours, which are minutes of the time from start to end',
      'Commessa,Nome,Giornata,Ora inizio,Fine,Ore lavorate\nWeb,Ada,2026-03-16,9:00,11:00,75\nApp,Ada,2026-03-17,9:00,12:00,165\n',
      '4.000000',
    ],
    [
      'without a row of sums that no word tells',
      'Datum;Kollege;Dauer (h);Notiz\n16.03.2026;Ada;6.50;\n17.03.2026;Bo;7.25;\n;;13.75;\n',
      '13.750000',
    ],
    [
      'in days without separators and times of one digit',
      'Employee,Date,Punch In,Clock Out\nAda,20260316,8:45,10:45\nBo,20260317,9:15 AM,1:15 PM\n',
      '6.000000',
    ],
    [
      'with a decimal comma in a column of breaks alone',
      'Employé;Jour;Arrivée;Départ;Coupure\nÉlise;2026-03-16;09:00;12:00;0,75\nLuc;2026-03-17;09:00;10:00;0,25\n',
      '3.000000',
    ],
    [
      'from moments since 1970',
      'user,start,stop,duration\nAda,1773651600,1773655200,3600\nBo,1773651600,1773653400,1800\n',
      '1.500000',
    ],
  ])('%s', async (_, text, hours) => {
    expect(await loadProposed({ 'time.csv': text })).toMatchObject({ hours, setAside: 0 });
  });

  it('with the relation in a comment', async () => {
    const text = 'Employee,Date,Gross Hours,Lunch (min),Net Hours\nAda,2026-03-16,8.5,30,8\nBo,2026-03-16,4,0,4\n';
    expect(await proposal(text)).toContain('# Net Hours = Gross Hours - Lunch (min) in 2 of 2 rows: Net Hours is read');
  });

  it('but not where a break is longer than the time', async () => {
    const text = 'Employee,Date,Start,End,Break (min)\nAda,2026-03-16,08:00,12:00,30\nBo,2026-03-16,08:00,09:00,90\n';
    expect(await loadProposed({ 'time.csv': text })).toMatchObject({ hours: '3.500000', setAside: 1 });
  });
});

describe('a row is read', () => {
  it('as not billable where only the others are marked', async () => {
    const text = 'Employee,Date,Hours,Chargeable\nAda,2026-03-16,8,x\nBo,2026-03-16,2,\n';
    expect(await loadProposed({ 'time.csv': text })).toMatchObject({ hours: '10.000000', billable: '8.000000' });
  });

  it('with the name of its person rather than the number', async () => {
    const text = 'Personalnummer,Naam,Datum,Uren\nA105,Ada King,2026-03-16,8\nA106,Bo Li,2026-03-16,2\n';
    expect(await loadProposed({ 'time.csv': text })).toMatchObject({ people: 'Ada King, Bo Li' });
  });

  it('with a rate of pay that bills nothing', async () => {
    const text = 'Utilisateur,Date,Durée,Taux salaire\nAda,2026-03-16,8,27.00\nBo,2026-03-16,2,28.00\n';
    expect(await loadProposed({ 'time.csv': text })).toMatchObject({ hours: '10.000000', other: null });
  });

  it('for a person who is named once, below lines above the headers', async () => {
    const text = 'Report 47\n\nDate,Hours\n2026-03-16,3\n';
    const named = (await proposal(text)).replace(/^ *open: .*\n/gm, '').replaceAll('""', '"Ada"');
    const people = await withDataset(
      { 'time.csv': text },
      ({ rows }) => rows('SELECT name FROM source.people JOIN source.logged_time USING (people_id)'),
      { mapping: parseMapping(named, 'mapping.yaml', inputResources) },
    );
    expect(people).toEqual([{ name: 'Ada' }]);
  });
});

describe('a person is asked', () => {
  it.each([
    [
      'about one row of which net is above gross',
      `Employee,Date,Gross Hours,Break (min),Net Hours\n${FORTY_DAYS.map((day) => `Ada,${day},8.5,30,${day.endsWith('09') ? 9 : 8}\n`).join('')}`,
      'in 19 of 20 rows, and on 2026-03-09 it is 9.00 instead of 8.00 h',
    ],
    [
      'which of two columns was worked',
      'Employee,Date,Hours A,Hours B\nAda,2026-03-16,8,7.5\nBo,2026-03-16,8,7\n',
      'Hours A has 8, and Hours B 7.5 in a row',
    ],
    [
      'whether hours have their breaks',
      'Employee,Date,Hours,Break (min)\nAda,2026-03-16,8,30\nBo,2026-03-16,7,45\n',
      'if the breaks are in it',
    ],
    [
      'about a column that has a little less than start to end',
      'Person,Day,In,Out,Total\nAda,2026-03-16,09:00,17:30,8\nBo,2026-03-16,09:00,12:00,3\n',
      'Total has 8 in a row, a little less than Out - In',
    ],
    [
      'whether an unknown column is a break',
      'Osoba;Kiedy;Wejście;Wyjście;Odpoczynek;Razem\nAda;16.03.2026;08:00;16:30;30;8\nBo;17.03.2026;09:00;17:00;45;7,25\n',
      'remove this line if Odpoczynek is a break',
    ],
    [
      'for the unit of round numbers',
      'User,Day,Project,Time\nAda,2026-03-16,Web,15\nBo,2026-03-16,Web,20\n',
      'Time has 20 and no unit',
    ],
    [
      'about a day that stands for a week',
      'Employee,Week Ending,Hours\nAda,2026-03-20,20\n',
      'Week Ending is a day that stands for several',
    ],
    [
      'about words that are neither yes nor no',
      'employee,date,hours,chargeable\nAda,2026-03-16,8,maybe\n',
      'chargeable has maybe, which is neither yes nor no',
    ],
    [
      'about hours of which a part was billed',
      'Consultant,Work Day,Matter,Hours Worked,Hours Billed\nAda,2026-03-16,M1,4.0,3.5\n',
      'Hours Billed has 3.5 of 4.0 in a row',
    ],
    [
      'whether an unknown column beside hours is a break',
      'Employee,Dátum,Duration,Evés (min)\nAda,2026-03-16,8:00,30\nBo,2026-03-17,7:30,45\n',
      'Evés (min) has 30 beside Duration: write less:',
    ],
    [
      'which of several unknown columns was worked',
      'Employee,Date,Kalma saat,Iş saat,Dinlenme\nAda,2026-03-16,8:30,8:00,0:30\nBo,2026-03-17,8:00,7:15,0:45\n',
      "are times that aren't understood",
    ],
    [
      'about hours in parts',
      'Employee,Date,Normalstunden,Overtime\nAda,2026-03-16,8:00,0:30\nBo,2026-03-17,7:00,0:00\n',
      'has hours in parts, Normalstunden and Overtime: add a column Total Hours with the sum of them',
    ],
    [
      'about a column of names that may be projects',
      'Employee,Date,Hours,Work Order\nAda,2026-03-16,8,Halle\nBo,2026-03-17,7.5,Halle\n',
      'Work Order (Halle) is taken for the project',
    ],
    [
      'about a column of yes and no that may be billable',
      'Employee,Date,Hours,Számlázható\nAda,2026-03-16,8,Ja\nBo,2026-03-17,7.5,Nein\n',
      'Számlázható (Ja) is taken for what is billable',
    ],
    [
      'about hours that are no time from start to end',
      'Employee,Date,Start,End,Hours This Week\nAda,2026-03-16,08:00,12:00,4.00\nAda,2026-03-17,08:00,12:00,8.00\n',
      'Hours This Week has other hours than those from start to end, which are read',
    ],
    [
      'about breaks that have a start and an end',
      'Name,Date,Clock In,Clock Out,Break Start,Break End\nAda,2026-03-16,08:00,16:30,12:00,12:30\n',
      'Break Start and Break End tell breaks',
    ],
  ])('%s', async (_, text, sentence) => {
    await expect(loadProposed({ 'time.csv': text })).rejects.toThrow(sentence);
  });

  it('everything about all files at once', async () => {
    const files = {
      'one.csv': 'Day,Project,Time\n2026-03-16,Web,15\n2026-03-16,Web,20\n',
      'two.csv': 'Employee,Week Ending,Hours\nAda,2026-03-20,20\n',
    };
    const error = await loadProposed(files).catch((reason: Error) => reason.message);
    for (const sentence of ['names a person', 'Time has 20 and no unit', 'Week Ending is a day'])
      expect(error).toContain(sentence);
  });
});
