import fc from 'fast-check';
import { expect } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { ingestDirectory, inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { suggestMapping } from '../../src/records/ingest/proposal/suggest-mapping.ts';
import type { ExportLayout, TableKind } from '../../src/records/ingest/sample/layouts.ts';
import { SEED } from '../seed.ts';
import { withDirectory } from './dataset.ts';
import {
  DAYS,
  ENCODINGS,
  type FileForms,
  HOURS,
  isLatin,
  lastDayOf,
  rateOf,
  type Work,
  writeLayout,
} from './layout-files.ts';

/*
 * Random companies written in each layout, loaded by the proposal alone, and compared with what they were written from.
 */

const PEOPLE = ['Ada King', 'Zoë d’Arc', 'Jörg "Jo" Weiß', 'Bo Li 🔥', '山田 太郎', "Anna O'Neil"];
const CLIENTS = ['Acme', 'Total Energies', 'Müller & Söhne; Bonn', 'Zenith, "Z" 🚀'];
const PROJECTS = ['Website', 'R&D, phase 1', 'Büro "Nord"', 'Été; 2026', 'サイト'];
const NOTES = ['', 'two\nlines', 'a "quote", and; more', '- dash', '= 1 + 1', 'Total'];

/** Mondays. */
const MONDAYS = ['2026-03-16', '2026-03-02', '2026-04-06', '2026-04-20'];

const company = fc
  .record({
    forms: fc.record({
      day: fc.constantFrom(...(Object.keys(DAYS) as FileForms['day'][])),
      hours: fc.constantFrom(...(Object.keys(HOURS) as FileForms['hours'][])),
      decimal: fc.constantFrom('.' as const, ',' as const),
      delimiter: fc.constantFrom(',' as const, ';' as const, '\t' as const),
      lineEnd: fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const),
      encoding: fc.constantFrom(...(Object.keys(ENCODINGS) as FileForms['encoding'][])),
      quotes: fc.constantFrom('always' as const, 'needed' as const),
      language: fc.integer({ min: 0, max: 1 }),
    }),
    works: fc.array(
      fc.record({
        person: fc.constantFrom(...PEOPLE),
        client: fc.constantFrom(...CLIENTS),
        project: fc.constantFrom(...PROJECTS),
        task: fc.constantFrom('', 'Design', 'Build, test'),
        notes: fc.constantFrom(...NOTES),
        day: fc.constantFrom(...MONDAYS),
        start: fc.integer({ min: 0, max: 1439 }),
        minutes: fc.integer({ min: 1, max: 200 }).map((each) => each * 3),
        days: fc.constant(0),
        isBillable: fc.boolean(),
        amount: fc.integer({ min: 0, max: 2_000_000 }),
      }),
      { minLength: 2, maxLength: 9 },
    ),
  })
  .map(({ forms, works }) => {
    const readable = (text: string) =>
      forms.encoding !== 'Windows-1252' || isLatin(text) ? text : `Plain ${text.length}`;
    const oneLine = (text: string) => (forms.lineEnd === '\r' ? text.replaceAll('\n', ' ') : text);
    const [first, ...others] = works.map((work) => ({
      ...work,
      person: readable(work.person),
      client: readable(work.client),
      project: readable(work.project),
      notes: oneLine(work.notes),
    }));
    // The first row tells the order of days, and has minutes that only decimals have in the forms of numbers.
    return { forms, works: [{ ...(first as Work), day: '2026-03-16', minutes: 75, amount: 1250 }, ...others] };
  });

/** Returns the work of a part of a layout: that of several days begins on a Monday. */
function workOf(kind: TableKind, works: readonly Work[]): Work[] {
  const distinct = new Map(works.toReversed().map((work) => [`${work.client} ${work.project}`, work]));
  if (kind === 'projects') return [...distinct.values()];
  const isLong = kind === 'plan' || kind === 'time off';
  return works.map((work) => ({ ...work, days: isLong ? 1 + (work.minutes % 5) : 0 }));
}

/** The queries of what files hold, by the kind of their rows, as texts. */
const QUERIES: Readonly<Partial<Record<TableKind, string>>> = {
  time: `SELECT concat_ws('|', people.name, clients.name, projects.name, date, CAST(hours AS DECIMAL(9, 2)), billable) FROM source.logged_time
    LEFT JOIN source.people USING (people_id) LEFT JOIN source.projects USING (project_id) LEFT JOIN source.clients USING (client_id)`,
  plan: `SELECT concat_ws('|', people.name, clients.name, projects.name, tasks.start_date, tasks.end_date, CAST(hours AS DECIMAL(9, 2))) FROM source.tasks
    LEFT JOIN source.people USING (people_id) LEFT JOIN source.projects USING (project_id) LEFT JOIN source.clients USING (client_id)`,
  'time off': `SELECT concat_ws('|', people.name, timeoffs.start_date, timeoffs.end_date, CAST(hours AS DECIMAL(9, 2))) FROM source.timeoffs
    LEFT JOIN source.people USING (people_id)`,
  expenses: `SELECT concat_ws('|', clients.name, projects.name, date, CAST(cost AS DECIMAL(18, 2))) FROM source.project_expenses
    LEFT JOIN source.projects USING (project_id) LEFT JOIN source.clients USING (client_id)`,
  projects: `SELECT concat_ws('|', clients.name, projects.name, CAST(budget_total AS DECIMAL(18, 2))) FROM source.projects
    LEFT JOIN source.clients USING (client_id)`,
};

/** Returns what the queries answer of a part of a layout. */
function expectedOf({ kind, columns }: ExportLayout['parts'][number], works: readonly Work[]): string[] {
  const hours = ({ minutes }: Work) => (minutes / 60).toFixed(2);
  const work = ({ client, project }: Work) => [...(columns.client ? [client] : []), project];
  const isSplit = columns.billable_time !== undefined;
  const textsOf: Partial<Record<TableKind, (each: Work) => unknown[]>> = {
    time: (each) => [
      each.person,
      ...work(each),
      each.day,
      hours(each),
      ...(columns.billable || isSplit ? [each.isBillable] : []),
    ],
    plan: (each) => [each.person, ...work(each), each.day, lastDayOf(each), hours(each)],
    'time off': (each) => [each.person, each.day, lastDayOf(each), hours(each)],
    expenses: (each) => [...work(each), each.day, (each.amount / 100).toFixed(2)],
    projects: (each) => [...work(each), hours(each)],
  };
  return works.map((each) => (textsOf[kind]?.(each) ?? []).join('|')).sort();
}

/** Proves that a random company comes in as it was written in a layout. */
async function proveCompany(
  layout: ExportLayout,
  { forms, works }: { forms: FileForms; works: Work[] },
): Promise<void> {
  const parts = layout.parts.map(({ kind }) => workOf(kind, works));
  const name = (layout.files[0] ?? 'export.csv').replaceAll('*', '1');
  const content = writeLayout(layout, parts, forms);
  await withDirectory({ [name]: content }, async (directory) => {
    const text = await suggestMapping(directory, inputResources);
    const told = JSON.stringify({ layout: layout.export, forms, works, text, content: content.toString() });
    const mapping = parseMapping(text, 'mapping.yaml', inputResources);
    const database = await openDatabase(':memory:');
    try {
      const { reasons } = await ingestDirectory(database, directory, { mapping });
      expect(reasons, told).toEqual([]);
      for (const [at, part] of layout.parts.entries()) {
        const rows = await database.rows<Record<string, unknown>>(QUERIES[part.kind] ?? '');
        const found = rows.map((row) => String(Object.values(row)[0])).sort();
        expect(found, told).toEqual(expectedOf(part, parts[at] ?? []));
      }
      const rated = works.filter(({ isBillable }) => isBillable).map(({ person }) => `${person} ${rateOf(person)}`);
      const rates = await database.rows<{ text: string }>(
        `SELECT name || ' ' || CAST(default_hourly_rate AS INTEGER) AS text FROM source.people WHERE default_hourly_rate IS NOT NULL`,
      );
      const hasRates = layout.parts.some(({ kind, columns }) => kind === 'time' && columns.bill_rate);
      expect(rates.map((row) => row.text).sort(), told).toEqual(hasRates ? [...new Set(rated)].sort() : []);
    } finally {
      await database.close();
    }
  });
}

/**
 * Proves a number of companies in a layout; where it holds no records, or no person, they are refused with their sentence.
 * @param index The place of the layout, whose companies are its own.
 */
export async function proveCompanies(layout: ExportLayout, index: number, count: number): Promise<void> {
  const hasPerson = layout.parts.every(
    ({ kind, columns }) => kind === 'projects' || columns.person || columns.first_name,
  );
  for (const each of fc.sample(company, { numRuns: count, seed: SEED + index })) {
    const proof = proveCompany(layout, each);
    if (layout.refuse === undefined && hasPerson) await proof;
    else await expect(proof).rejects.toThrow(layout.refuse ?? 'no column that is understood names a person');
  }
}
