import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import exceljs from 'exceljs';
import { afterAll, expect, it } from 'vitest';
import { reportOf } from '../../ingest/own-data.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumbline-exports-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['harvest', ['Ada King,3.00,300.00,136.50', 'Bo Li,0.25,0.00,']],
  ['toggl', ['Ada King,3.50,315.00,', 'Bo Li,0.333333,0.00,']],
  ['kimai', ['ada@example.com,2.016667,231.92,', 'bo@example.com,0.50,0.00,']],
  ['french', ['Ada King,7.50,750.00,7841.25', 'Bo Li,1.25,0.00,']],
  ['service', ['Ada King,7.50,750.00,', 'Bo Li,2.00,0.00,']],
])('an export of %s leads to a report', async (tool, expected) => {
  cpSync(join('test/ingest/exports', tool), join(folder, tool), { recursive: true });
  expect(await reportOf(join(folder, tool))).toEqual(expected);
});

it('a German workbook made by hand leads to a report', async () => {
  const book = new exceljs.Workbook();
  const times = book.addWorksheet('Zeiten');
  times.addRow(['Stundenliste, Stand 1. März 2026']);
  times.addRow([]);
  times.addRow(['Datum', 'Mitarbeiter', 'Projekt', 'Stunden', 'Abrechenbar']);
  times.addRow([new Date('2026-02-13T09:00:00Z'), 'Ada King', 'Website', 7.5, 'ja']);
  times.addRow(['14.02.2026', 'Bo Li', 'Website', '1,25', 'Nein']);
  times.getColumn(1).numFmt = 'dd.mm.yyyy hh:mm';
  const people = book.addWorksheet('Mitarbeiter');
  people.addRow(['Name', 'Stundensatz', 'Kostensatz', 'Art']);
  people.addRow(['Ada  King', '1.095,50', 45.5, 'festangestellt']);
  people.addRow(['Bo Li', 80, '40,00', 'Freelancer']);
  const directory = join(folder, 'german');
  mkdirSync(directory);
  await book.xlsx.writeFile(join(directory, 'stunden.xlsx'));
  writeFileSync(
    join(directory, 'mapping.yaml'),
    `dates: DD.MM.YYYY HH:MM
decimal: comma
words: {ja: true, nein: false}
files:
  - file: stunden.xlsx
    sheet: Mitarbeiter
    resource: people
    fields:
      people_id: {name: Name}
      name: Name
      default_hourly_rate: Stundensatz
      cost_rate: Kostensatz
      people_type_id: {column: Art, words: {festangestellt: employee, Freelancer: 2}}
  - {file: stunden.xlsx, sheet: Zeiten, resource: projects, fields: {project_id: {name: Projekt}, name: Projekt}}
  - file: stunden.xlsx
    sheet: Zeiten
    resource: logged_time
    fields:
      logged_time_id: {row: true}
      people_id: {name: Mitarbeiter}
      project_id: {name: Projekt}
      date: Datum
      hours: Stunden
      billable: Abrechenbar
`,
  );
  expect(await reportOf(directory)).toEqual(['Ada  King,7.50,8216.25,341.25', 'Bo Li,1.25,0.00,50.00']);
});
