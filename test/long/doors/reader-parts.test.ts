import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/base/database/database.ts';
import { hiddenChecks } from '../../../src/numbers/report/source/part-rows.ts';
import { type PartFilters, type ReaderPart, seenWhole } from '../../../src/numbers/report/source/part-views.ts';
import { makeFolder } from '../../errors/gallery.ts';
import { OF_BOOKS, OF_PEOPLE, OF_PROJECTS } from '../../http/part-blanks.ts';
import { CANARIES, placeCanary } from '../../report/canary-dataset.ts';
import { askAs, type PartRow, readWorkbookAs } from '../../report/part-reader.ts';
import { SEED } from '../../seed.ts';
import { BUNDLED, buildDataset } from '../../sql/company.ts';

/** The number of random parts, each with a random report. */
const PARTS = Number(process.env['PLUMBLINE_PARTS'] ?? 500);

/** The number of random parts with a workbook: each takes as long as eight reports. */
const WORKBOOKS = Math.ceil(PARTS / 22);

const NOW = new Date('2026-06-15T12:00:00Z');

/** Departments with those below them, which a report names one by one. */
const BELOW: Readonly<Record<number, readonly number[]>> = { 2: [2, 5] };

const PIVOT_MEASURES = 'scheduled_hours,actual_hours,actual_cost,actual_fees,variance_cost,budget_used,capacity_hours';

let database: Database;
beforeAll(async () => {
  const folder = await makeFolder();
  placeCanary(BUNDLED, folder);
  database = await buildDataset(folder, NOW).finally(() => rm(folder, { recursive: true }));
});
afterAll(() => database.close());

const ids = (first: number, last: number) =>
  fc.option(fc.uniqueArray(fc.integer({ min: first, max: last }), { minLength: 1, maxLength: 6 }), {
    nil: undefined,
    freq: 2,
  });

/** Parts by one to five filters; some have no line. */
const parts = fc
  .record({
    department_id: ids(1, 5),
    people_id: ids(101, 140),
    client_id: ids(201, 210),
    project_id: ids(501, 525),
    project_manager: ids(301, 306),
  })
  .map(
    (filters) => Object.fromEntries(Object.entries(filters).filter(([, given]) => given !== undefined)) as PartFilters,
  )
  .filter((part) => Object.keys(part).length > 0);

const groupings = fc
  .uniqueArray(fc.constantFrom('client', 'project', 'phase', 'person', 'department', 'role', 'month', 'tag', 'task'), {
    minLength: 1,
    maxLength: 2,
  })
  .map((names) => ({ report: 'pivot', group_by: names.join(','), measures: PIVOT_MEASURES }));

const reports = fc.oneof(
  groupings,
  fc
    .constantFrom('projects', 'phases', 'tasks', 'clients', 'people', 'lines', 'timesheets', 'data-quality', 'board')
    .map((report) => ({ report })),
);

const windows = fc.tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: 1, max: 6 })).map(([month, months]) => {
  const day = (after: number) =>
    new Date(Date.UTC(2025, 6 + month + after, after === 0 ? 1 : 0)).toISOString().slice(0, 10);
  return { start_date: day(0), end_date: day(months) };
});

function filtersOf(part: PartFilters): Record<string, string> {
  const named = Object.entries(part).map(([name, given]) => {
    const all = name === 'department_id' ? given.flatMap((id) => BELOW[id] ?? [id]) : given;
    return [name, [...new Set(all)].join(',')];
  });
  return Object.fromEntries(named);
}

const canariesIn = (text: string) => CANARIES.filter((canary) => text.includes(canary));

it('all canaries are in what a reader of everything is told', async () => {
  const whole = { start_date: '2026-01-01', end_date: '2026-05-31' };
  const asked = [
    { ...whole, report: 'pivot', group_by: 'person,client,tag', measures: 'actual_cost,actual_fees,expense_cost' },
    ...['01', '02', '03', '04', '05'].map((month) => ({
      ...{ report: 'pivot', group_by: 'project', measures: 'actual_cost,actual_fees' },
      ...{ start_date: '2026-01-01', end_date: `2026-${month}-28` },
    })),
  ];
  const told: string[] = [];
  for (const each of asked) told.push(JSON.stringify(await askAs(database, each, undefined, NOW)));
  expect(canariesIn(told.join('\n'))).toEqual(CANARIES);
});

it(`${PARTS} parts have the numbers that their filters choose (PLUMBLINE_SEED=${SEED})`, {
  timeout: PARTS * 20_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(parts, reports, windows, async (part, report, window) => {
      const asked = { ...report, ...window };
      const all = await askAs(database, { ...asked, ...filtersOf(part) }, undefined, NOW);
      const seen = await askAs(database, asked, part, NOW);
      const blanks = [
        ...OF_BOOKS,
        ...(part.client_id || part.project_id || part.project_manager ? OF_PEOPLE : []),
        ...(part.department_id || part.people_id ? OF_PROJECTS : []),
      ];
      const known = (row: PartRow | undefined) =>
        JSON.stringify(
          Object.entries(row ?? {}).filter(([name]) => !blanks.includes(name) && !name.includes('percent')),
        );
      const hidden = hiddenChecks(seenWhole(part));
      const told = all.rows.filter(({ check }) => !hidden.includes(String(check)));
      expect(seen.rows.map(known).sort()).toEqual(told.map(known).sort());
      if (told.length === all.rows.length) expect(known(seen.totals)).toBe(known(all.totals));
      expect(canariesIn(JSON.stringify(seen))).toEqual([]);
      const shown = seen.rows.flatMap((row) =>
        Object.entries(row).filter(([name]) => blanks.includes(name) && OF_PEOPLE.includes(name)),
      );
      expect(shown.filter(([, value]) => value !== null)).toEqual([]);
    }),
    { numRuns: PARTS, seed: SEED, endOnFailure: true },
  );
});

/** Parts of the reader's own lines: those of a person, of the projects of a manager, of both or of neither. */
const own = fc.record({
  mine: fc.record({
    people_id: fc.uniqueArray(fc.integer({ min: 101, max: 140 }), { maxLength: 1 }),
    project_manager: fc.uniqueArray(fc.integer({ min: 301, max: 306 }), { maxLength: 1 }),
  }),
});

const LINES = {
  ...{ report: 'lines', start_date: '2020-01-01', end_date: '2030-12-31' },
  ...{ status: 'draft,tentative,confirmed,completed', fields: 'line_id,person,project' },
};

/** Returns the lines of a part, as filters of a reader who sees all choose them, by their id. */
async function linesByFilters(part: ReaderPart): Promise<ReadonlyMap<unknown, PartRow>> {
  const { mine, ...filters } = part;
  const chosen = mine ? Object.entries(mine).map(([name, ids]) => ({ [name]: ids })) : [filters as PartFilters];
  const rows: PartRow[] = [];
  for (const each of chosen.filter((filter) => Object.values(filter).every((ids) => ids.length > 0)))
    rows.push(...(await askAs(database, { ...LINES, ...filtersOf(each) }, undefined, NOW)).rows);
  return new Map(rows.map((row) => [row['line_id'], row]));
}

const namesOf = (rows: Iterable<PartRow>) =>
  new Set([...rows].flatMap(({ line_id: _, ...names }) => Object.values(names).filter((name) => name !== null)));

it(`${WORKBOOKS} parts, also of own lines, have no name from outside in a workbook (PLUMBLINE_SEED=${SEED})`, {
  timeout: PARTS * 20_000,
}, async () => {
  const everything = namesOf((await askAs(database, LINES, undefined, NOW)).rows);
  // Managers and roles have names of people, too; and no filter chooses canceled lines.
  const others = await database.rows<{ name: string }>(`SELECT name FROM source.accounts
    UNION SELECT role FROM marts.roles UNION SELECT UNNEST([person, project]) FROM marts.lines WHERE status = 'canceled'`);
  for (const { name } of others) everything.delete(name);
  const names = fc.constantFrom('projects', 'people', 'clients', 'board', 'timesheets');
  await fc.assert(
    fc.asyncProperty(fc.oneof(own, parts), names, windows, async (part, report, window) => {
      const lines = await linesByFilters(part);
      expect(new Set((await askAs(database, LINES, part, NOW)).rows.map((row) => row['line_id']))).toEqual(
        new Set(lines.keys()),
      );
      const seen = namesOf(lines.values());
      const outside = [...everything].filter((name) => !seen.has(name));
      // A part of all departments or managers has all names.
      fc.pre(outside.length > 0);
      const text = await readWorkbookAs(database, { report, ...window }, part, NOW);
      expect(text).toContain('<worksheet');
      expect([...outside, ...canariesIn(text)].filter((name) => text.includes(String(name)))).toEqual([]);
    }),
    { numRuns: WORKBOOKS, seed: SEED, endOnFailure: true },
  );
});
