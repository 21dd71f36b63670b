import { describe, expect, it } from 'vitest';
import { formatSummary } from '../../src/doors/command/load/load-summary.ts';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { suggestMapping } from '../../src/records/ingest/proposal/suggest-mapping.ts';
import { withDataset, withDirectory } from './dataset.ts';
import { loadProposed } from './own-data.ts';

/*
 * Exports of programs without a layout, and sheets that people keep: right by the proposal alone, or refused with a sentence.
 */

const NOTHING = { hours: null, billable: null, people: null, projects: null, other: null, setAside: 0 };

describe('the proposal alone reads', { tags: ['slow'] }, () => {
  it.each([
    {
      what: 'titles, sums by person and headers for both genders',
      file: 'Zeiten.csv',
      text: 'Zeiten April;;;;;\nDatum;Mitarbeiter/in;Auftraggeber;Projekt;Stunden;Satz €\n01.04.2026;Jörg;Acme;Web;7,5;95,00\n02.04.2026;Jörg;Acme;Web;8;95,00\nSumme Jörg;;;;15,5;\n01.04.2026;Anna;Zeta;App;6,25;80,00\nSumme Anna;;;;6,25;\nGesamtsumme;;;;21,75;\n',
      totals: { hours: '21.750000', people: 'Anna, Jörg', projects: 'App, Web', other: 175 },
    },
    {
      what: 'the sums of a pivot table, and a client named like a sum',
      file: 'time.csv',
      text: 'Person,Client,Date,Project,Hours\nAnn,Total Energies,2026-04-13,Web,8\nAnn Total,,,,8\nBob,Acme,2026-04-14,Web,2\nBob Total,,,,2\nGrand Total,,,,10\n',
      totals: { hours: '10.000000', people: 'Ann, Bob', projects: 'Web, Web' },
    },
    {
      what: 'hours such as 7h30',
      file: 'heures.csv',
      text: 'Date;Collaborateur;Client;Projet;Durée;Facturable\n01/04/2026;Élise;SG;Web;7h30;Oui\n15/04/2026;Élise;SG;Web;2h;Non\n16/04/2026;Luc;SG;Web;0h45;Oui\n',
      totals: { hours: '10.250000', billable: '8.250000', people: 'Luc, Élise', projects: 'Web' },
    },
    {
      what: 'Portuguese headers and words',
      file: 'horas.csv',
      text: 'Data;Colaborador;Cliente;Projeto;Atividade;Horas;Faturável;Valor Hora\n13/04/2026;João;Acme;Web;Dev;7,50;Sim;R$ 1.150,00\n14/04/2026;Ana;Acme;Web;QA;04:30;Não;R$ 90,00\n',
      totals: { hours: '12.000000', billable: '7.500000', people: 'Ana, João', projects: 'Web', other: 1150 },
    },
    {
      what: 'Japanese headers',
      file: 'time.csv',
      text: '日付,氏名,顧客,プロジェクト,作業内容,工数(時間)\n2026/04/01,山田,アクメ,サイト,設計,7.5\n',
      totals: { hours: '7.500000', people: '山田', projects: 'サイト' },
    },
    {
      what: 'answers of a form',
      file: 'Responses.csv',
      text: 'Timestamp,Your name,Date worked,Project,Hours worked\n4/13/2026 17:45:12,Ann,4/13/2026,Web,7.5\n4/14/2026 9:01:00,Bob,4/12/2026,Web,3\n',
      totals: { hours: '10.500000', people: 'Ann, Bob', projects: 'Web' },
    },
    {
      what: 'clocks in columns of days',
      file: 'week.csv',
      text: 'User,Project,2026-04-13,2026-04-14,2026-04-15,Total\nAnn,Web,08:00:00,07:30:00,,15:30:00\nBob,Web,,04:00:00,01:15:00,05:15:00\n',
      totals: { hours: '20.750000', people: 'Ann, Bob', projects: 'Web' },
    },
    {
      what: 'hours without breaks rather than start and end',
      file: 'zeiten.csv',
      text: 'Datum;Name;Projekt;Von;Bis;Pause;Dauer\n13.04.2026;Ann;Web;09:00;17:30;0:30;8:00\n14.04.2026;Ann;Web;08:00;12:15;0:00;4:15\n',
      totals: { hours: '12.250000', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'start and end less a break',
      file: 'zeiten.csv',
      text: 'Datum;Name;Projekt;Beginn;Ende;Pause\n13.04.2026;Ann;Web;09:00;17:30;00:30\n',
      totals: { hours: '8.000000', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'work that only its clocks tell, which is no list of people',
      file: 'time.csv',
      text: 'Name,Email,Date,Time at work\nAnn,a@x,2026-03-02,8h 30m\nBob,b@x,2026-03-02,7h 45m\n',
      totals: { hours: '16.250000', people: 'Ann, Bob' },
    },
    {
      what: 'days that are numbers of a spreadsheet',
      file: 'time.csv',
      text: 'Date,User,Project,Hours\n46125,Ann,Web,8\n',
      totals: { hours: '8.000000', days: '2026-04-13', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'hours that a row states, where start and end say others',
      file: 'time.csv',
      text: 'Date,Name,Project,Start,End,Hours\n2026-04-13,Ann,Web,9:00 AM,5:30 PM,8.00\n2026-04-14,Ann,Web,10:00 PM,2:00 AM,4.00\n',
      totals: { hours: '12.000000', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'start and end that rounded hours agree with',
      file: 'time.csv',
      text: 'Date,Name,Project,Start,End,Hours\n2026-04-13,Ann,Web,9:00 AM,10:41 AM,1.68\n',
      totals: { hours: '1.683333', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'clocking in and out',
      file: 'clock.csv',
      text: 'Employee,Project,Clock In,Clock Out\nAnn,Web,2026-04-13 09:00,2026-04-13 17:00\nBob,Web,2026-04-13 09:00,\n',
      totals: { hours: '8.000000', people: 'Ann, Bob', projects: 'Web', setAside: 1 },
    },
    {
      what: 'billable and other hours in columns of their own, which may be blank',
      file: 'time.csv',
      text: 'Entry ID,Date,Person,Project,Billable Hours,Non-billable Hours\n7,2026-04-13,Ann,Web,6,2\n8,2026-04-14,Bob,Web,,4\n9,2026-04-15,Bob,Web,4,4\n',
      totals: { hours: '20.000000', billable: '10.000000', people: 'Ann, Bob', projects: 'Web' },
    },
    {
      what: 'billable hours alone, beside a column of others',
      file: 'time.csv',
      text: 'Date,Person,Project,Billable Hours,Non-billable Hours\n2026-04-13,Ann,Web,6,\n',
      totals: { hours: '6.000000', billable: '6.000000', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'a unit in a column of its own',
      file: 'cats.csv',
      text: 'Employee,Date,Project,Quantity,Hours,Unit\nAnn,2026-04-13,Web,1,90,MIN\n',
      totals: { hours: '1.500000', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'rates in any currency of a known program',
      file: 'Clockify_Time_Report_Detailed_04_01_2026.csv',
      text: 'Project,Client,Description,Task,User,Email,Billable,Start Date,Start Time,End Date,End Time,Duration (h),Billable Rate (CAD)\nWeb,Acme,,,Ann,a@x,Yes,04/13/2026,09:00:00 AM,04/13/2026,10:41:00 AM,01:41:00,100.00\n',
      totals: { hours: '1.683333', billable: '1.683333', people: 'Ann', projects: 'Web', other: 100 },
    },
    {
      what: 'days of vacation in German',
      file: 'Urlaub.csv',
      text: 'Mitarbeiter;Von;Bis;Tage;Art;Status\nAnn;13.04.2026;17.04.2026;5;Urlaub;Genehmigt\nBob;14.04.2026;14.04.2026;0,5;Urlaub;Beantragt\n',
      totals: { people: 'Ann, Bob', other: 44 },
    },
    {
      what: 'travel expenses in German',
      file: 'Reisekosten.csv',
      text: 'Datum;Mitarbeiter;Projekt;Art;Betrag\n13.04.2026;Ann;Web;Bahn;1.250,50 €\n14.04.2026;Bob;Web;Hotel;99,00 €\n',
      totals: { people: 'Ann, Bob', projects: 'Web', other: 1349.5 },
    },
    {
      what: 'minutes by their header',
      file: 'time.csv',
      text: 'Date,User,Project,Duration (min)\n2026-04-13,Ann,Web,15\n2026-04-14,Ann,Web,450\n',
      totals: { hours: '7.750000', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'a clock rather than its rounded hours, in a text file with tabs',
      file: 'time.txt',
      text: 'Date\tUser\tProject\tDuration (decimal)\tDuration (h)\n2026-04-13\tAnn\tWeb\t1.68\t01:41:00\n',
      totals: { hours: '1.683333', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'days of work by their header',
      file: 'time.csv',
      text: 'Date,User,Project,Time (days)\n2026-04-13,Ann,Web,1\n2026-04-14,Ann,Web,0.5\n',
      totals: { hours: '12.000000', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'days without the sums of each week, which have a day and a name, too',
      file: 'time.csv',
      text: 'Date,User,Project,Hours\n2026-04-13,Ann,Web,4\n2026-04-14,Ann,Web,4\n2026-04-17,Week total,,8\n2026-04-20,Ann,Web,6\n2026-04-24,Week total,,6\n',
      totals: { hours: '14.000000', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'days without the numbered sums above each week, rounded',
      file: 'zeiten.csv',
      text: 'Datum;Mitarbeiter;Projekt;Stunden\n13.04.2026;Summe KW 16;;2,33\n13.04.2026;Ann;Web;1,1667\n14.04.2026;Ann;Web;1,1667\n20.04.2026;Summe KW 17;;6\n21.04.2026;Ann;Web;6\n',
      totals: { hours: '8.333400', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'a client whose name has the word Total',
      file: 'time.csv',
      text: 'Date,User,Client,Project,Hours\n2026-04-13,Ann,Acme,Web,4\n2026-04-14,Ann,Total Energies,App,8\n2026-04-15,Ann,Acme,Web,4\n2026-04-16,Ann,Total Energies,App,2\n',
      totals: { hours: '18.000000', people: 'Ann', projects: 'App, Web' },
    },
    {
      what: 'notes that are the word Total',
      file: 'time.csv',
      text: 'Date,User,Project,Hours,Notes\n2026-04-13,Ann,Web,1,Total\n2026-04-14,Ann,Web,2,\nTotal,,,3,\n',
      totals: { hours: '3.000000', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'a title above the headers, and a total and a signature below the rows',
      file: 'Timesheet.csv',
      text: 'Timesheet of ACME Ltd,,,\n\nEmployee,Date,Project,Hours\nAnn,2026-03-02,Web,7.5\nBob,2026-03-03,Web,2\nTotal hours:,,,9.5\nApproved by,Jane Doe,,\nJane Doe,Signature: ____,,\n',
      totals: { hours: '9.500000', people: 'Ann, Bob', projects: 'Web', setAside: 2 },
    },
    {
      what: 'headers that each page has again',
      file: 'report.csv',
      text: 'Date,Employee,Project,Hours\n2026-03-02,Ann,Web,7.5\nPage 1 of 2,,,\nDate,Employee,Project,Hours\n2026-03-03,Bob,Web,2\n',
      totals: { hours: '9.500000', people: 'Ann, Bob', projects: 'Web', setAside: 1 },
    },
    {
      what: 'headers in two languages',
      file: 'zeit.csv',
      text: 'Datum / Date;Mitarbeiter / Employee;Projekt / Project;Stunden / Hours\n02.03.2026;Ann;Web;7,5\n',
      totals: { hours: '7.500000', people: 'Ann', projects: 'Web' },
    },
    {
      what: 'the month of March, and hours of people who are off',
      file: 'entries.csv',
      text: 'User Name,Entry Date,Project Name,Hours Worked,Billing Status\nAnn,"Mar 2, 2026",Web,7.50,Billable\nBob,"Mar 13, 2026",,8.00,Non-Billable\n',
      totals: { hours: '15.500000', billable: '7.500000', people: 'Ann, Bob', projects: 'Web' },
    },
    {
      what: 'time off with half days',
      file: 'leaves.csv',
      text: 'Employee,Time-off type,Start on,Finish on,Days,Status\nAnn,Vacation,02/03/2026,06/03/2026,5,approved\nBob,Sick,16/03/2026,16/03/2026,0.5,approved\n',
      totals: { people: 'Ann, Bob', other: 44 },
    },
    {
      what: 'a list of projects',
      file: 'list.csv',
      text: 'Client,Project,Status\nAcme,Web,Active\nZed,Web,Archived\n',
      totals: { projects: 'Web, Web' },
    },
  ])('$what', async ({ file, text, totals }) => {
    expect(await loadProposed({ [file]: text })).toMatchObject({ ...NOTHING, ...totals });
  });
});

it('each file has its own order of days and decimal mark', async () => {
  const files = {
    'american.csv': 'Date,User,Project,Hours\n02/03/2026,Ann,Web,1.25\n02/28/2026,Ann,Web,1\n',
    'german.csv': 'Datum;Mitarbeiter;Projekt;Stunden\n02.03.2026;Bob;Web;7,5\n',
  };
  expect(await loadProposed(files)).toMatchObject({ hours: '9.750000', days: '2026-02-03 2026-02-28 2026-03-02' });
});

it("the next month's file is read by the mapping of the first, and a file that no entry reads is named", async () => {
  const text = 'Date,User,Project,Hours\n2026-03-02,,Web,1\n2026-03-03,Ann,Web,1\n';
  await withDirectory({ 'export-2026-03.csv': text }, async (directory) => {
    const proposal = await suggestMapping(directory, inputResources);
    expect(proposal).toContain('file: "export-*.csv"');
    const mapping = parseMapping(proposal, 'mapping.yaml', inputResources);
    await withDataset(
      { 'export-2026-04.csv': text, 'other.csv': text.replace('Web', 'App') },
      async ({ summary }) => {
        const lines = formatSummary(summary);
        expect(lines).toContain('Warning: files that no entry of the mapping reads:');
        expect(lines).toContain('  other.csv');
        // Advice to write a first mapping would mislead while one is in use.
        expect(lines.join()).not.toContain('--suggest-mapping');
      },
      { mapping },
    );
  });
});

describe('rates of rows', () => {
  const HEADER = 'Date,User,Project,Billable,Hours,Billable Rate (USD)';
  it.each([
    ['that differ by project are those of its team, and 0 of other work is none', 'App,Yes,8,150', 'project_team'],
    ['that nothing tells apart are named, and none counts', 'Web,Yes,8,150', "isn't read: Ana has the rates 100, 150"],
  ])('%s', async (_, row, told) => {
    const text = `${HEADER}\n2026-03-02,Ana,Web,Yes,8,100\n2026-03-02,Ana,${row}\n2026-03-04,Ana,Web,No,2,0\n`;
    await withDirectory({ 'time.csv': text }, async (directory) => {
      const proposal = await suggestMapping(directory, inputResources);
      expect(proposal).toContain(told);
      expect(proposal).not.toContain('default_hourly_rate');
    });
  });
});

it('an activity in percent names no task', async () => {
  const text = 'Date,Member,Project,Activity,Time\n2026-03-02,Ann,Web,55%,7:30:15\n';
  await withDirectory({ 'daily.csv': text }, async (directory) => {
    expect(await suggestMapping(directory, inputResources)).not.toContain('project_tasks');
  });
});

describe('the proposal alone refuses', () => {
  it.each([
    {
      what: 'days that may be in either order',
      text: 'Date,User,Project,Hours\n02/03/2026,Ann,Web,1\n',
      sentence: '02/03/2026 is 2026-03-02 as DD/MM/YYYY, or 2026-02-03 as MM/DD/YYYY',
    },
    {
      what: 'units that differ by row',
      text: 'Employee,Date,Project,Hours,Unit\nAnn,2026-04-13,Web,7.5,H\nBob,2026-04-13,Web,90,MIN\n',
      sentence: 'Hours has several units',
    },
    {
      what: 'rows of which only a part is billable',
      text: 'Date,Person,Project,Hours,Billable Hours\n2026-04-13,Ann,Web,8,6\n',
      sentence: 'Billable Hours has 6 of 8 in a row',
    },
    {
      what: 'hours of a month, which are no list of projects',
      text: 'Mitarbeiter;Projekt;Monat;Stunden\nAnn;Web;April 2026;120\n',
      sentence: 'time.csv has hours, and no column with the day of each',
    },
    {
      what: 'hours in several columns that are one',
      text: 'Employee,Date,Project,Regular Hours,Overtime Hours\nAnn,2026-04-13,Web,8,1.5\n',
      sentence: 'time.csv has hours in parts, Regular Hours and Overtime Hours: add a column Total Hours',
    },
    {
      what: 'rates in two currencies',
      text: 'Date,User,Project,Hours,Rate\n2026-03-02,Ann,Web,2,€100\n2026-03-03,Bob,Web,1,$90\n',
      sentence: '€100 and $90 are different currencies: export the amounts in one',
    },
    {
      what: 'a currency for each row',
      text: 'Date,User,Project,Hours,Rate,Currency\n2026-03-02,Ann,Web,2,100,USD\n2026-03-03,Bob,Web,1,90,EUR\n',
      sentence: 'USD and EUR are different currencies',
    },
    {
      what: 'weeks among the days of hours',
      text: 'Date,User,Project,Hours\nWeek 10,Ann,Web,8\n2026-03-03,Bob,Web,1\n',
      sentence: 'in its column Date texts that are no days, such as Week 10',
    },
    {
      what: 'days in several forms',
      text: 'Date,User,Project,Hours\n31/03/2026,Ann,Web,8\n03-28-2026,Bob,Web,1\n',
      sentence: 'in its column Date days in several forms: write them alike',
    },
    {
      what: 'days that are numbers of another kind',
      text: 'Date,User,Project,Hours\n4612,Ann,Web,8\n',
      sentence: 'in its column Date texts that are no days, such as 4612',
    },
    {
      what: 'columns of weekdays, which are no list of projects',
      text: 'Person,Project,Mon 4/6,Tue 4/7,Wed 4/8\nAnn,Web,8,8,7.5\n',
      sentence: 'holds no file of any resource',
    },
  ])('$what', async ({ text, sentence }) => {
    await expect(loadProposed({ 'time.csv': text })).rejects.toThrow(sentence);
  });
});
