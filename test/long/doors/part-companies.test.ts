import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/base/database/database.ts';
import { buildModels } from '../../../src/numbers/model/build.ts';
import { hiddenChecks } from '../../../src/numbers/report/source/part-rows.ts';
import { type ReaderPart, seenWhole } from '../../../src/numbers/report/source/part-views.ts';
import { OF_BOOKS, OF_PEOPLE, OF_PROJECTS } from '../../http/part-blanks.ts';
import { askAs, explainAs, type PartRow } from '../../report/part-reader.ts';
import { BUNDLED, buildDataset } from '../../sql/company.ts';

/*
 * A reader of a part has the numbers of a company that has only the part: one from which all other records were deleted before its
 * models were built (11.4). Filters of reports, which other tests compare with, and views of parts could be wrong in one way.
 */

const NOW = new Date('2026-06-15T12:00:00Z');

/** Parts, each with the condition on its lines in words of its own, the numbers that are blank by intent (L2), and the records that it doesn't see. */
const PARTS: readonly { only: ReaderPart; lines: string; blanks: readonly string[]; unseen: readonly string[] }[] = [
  {
    only: { client_id: [205] },
    lines: 'project_id IN (SELECT project_id FROM source.projects WHERE client_id = 205)',
    blanks: OF_PEOPLE,
    unseen: [],
  },
  {
    // Platform is below Engineering.
    only: { department_id: [2] },
    lines: 'people_id IN (SELECT people_id FROM source.people WHERE department_id IN (2, 5))',
    blanks: OF_PROJECTS,
    // Others work for retainers, too, so rows that these alone make are not its, and bills are of whole projects.
    unseen: ['retainers', 'invoices', 'invoice_lines', 'write_offs'],
  },
];

/** Records by their key, and the key in lines. */
const RECORDS = [
  ['logged_time', 'logged_time_id'],
  ['tasks', 'task_id'],
  ['project_expenses', 'project_expense_id'],
  ['projects', 'project_id'],
  ['people', 'people_id'],
] as const;

/** Records that go with others. */
const BELONGING = [
  ...[
    'phases',
    'project_tasks',
    'milestones',
    'progress',
    'retainers',
    'project_team',
    'invoice_lines',
    'write_offs',
  ].map((name) => [name, 'project_id', 'projects'] as const),
  ['invoices', 'client_id', 'projects'] as const,
  ...['task_people', 'contracts', 'project_team', 'timeoff_people'].map(
    (name) => [name, 'people_id', 'people'] as const,
  ),
] as const;

let whole: Database;
beforeAll(async () => {
  whole = await buildDataset(BUNDLED, NOW);
});
afterAll(() => whole.close());

/** Builds the company that has only the records of some lines, and none of those that aren't seen. */
async function buildAlone(lines: string, unseen: readonly string[]): Promise<Database> {
  const keptOf = async (key: string) => {
    const rows = await whole.rows<{ id: string }>(
      `SELECT DISTINCT CAST(${key} AS VARCHAR) AS id FROM core.ledger WHERE ${key} IS NOT NULL AND ${lines}`,
    );
    expect([key, rows.length > 0 || key === 'project_expense_id']).toEqual([key, true]);
    return rows.map(({ id }) => `'${id}'`).join(', ') || "''";
  };
  const statements = [
    ...(await Promise.all(
      RECORDS.map(
        async ([name, key]) => `DELETE FROM source.${name} WHERE CAST(${key} AS VARCHAR) NOT IN (${await keptOf(key)})`,
      ),
    )),
    ...BELONGING.map(
      ([name, key, kept]) => `DELETE FROM source.${name} WHERE ${key} NOT IN (SELECT ${key} FROM source.${kept})`,
    ),
    ...unseen.map((name) => `DELETE FROM source.${name}`),
  ];
  return buildDataset(BUNDLED, NOW, async (database, folder) => {
    await database.run(statements.join('; '));
    return buildModels(database, folder);
  });
}

/** Windows with and without days after the cutoff. */
const WINDOWS = [
  { start_date: '2026-01-01', end_date: '2026-03-31', cutoff_date: '2026-03-31' },
  { start_date: '2025-07-01', end_date: '2026-12-31', cutoff_date: '2026-05-20' },
];

const MEASURES =
  'scheduled_hours,actual_hours,forecast_hours,actual_cost,actual_fees,expense_cost,variance_cost,budget_used,earned_revenue,capacity_hours';

const REPORTS = [
  ...[
    'projects',
    'phases',
    'tasks',
    'clients',
    'people',
    'lines',
    'timesheets',
    'data-quality',
    'board',
    'pipeline',
  ].map((report) => ({ report })),
  ...['client', 'department,person', 'project,month', 'role', 'tag'].map((group_by) => ({
    ...{ report: 'pivot', group_by, measures: MEASURES },
  })),
];

/** Findings about files, about what was deleted here, and about a whole person or project, which such parts have not. */
const OTHER_FINDINGS = [
  ...['rejected_record', 'unknown_reference', 'allocation_without_days'],
  ...['time_off_without_hours', 'phase_budgets_differ_from_project'],
];

/** Measures that are seen in every part. */
const EXPLAINED = ['scheduled_hours', 'actual_hours', 'forecast_hours', 'actual_cost', 'actual_fees', 'expense_cost'];

describe.each(PARTS)('the part $only', ({ only, lines, blanks, unseen }) => {
  let alone: Database;
  beforeAll(async () => {
    alone = await buildAlone(lines, unseen);
  });
  afterAll(() => alone.close());

  const hidden = [...hiddenChecks(seenWhole(only)), ...OTHER_FINDINGS];
  const known = (row: PartRow | undefined) =>
    JSON.stringify(Object.entries(row ?? {}).filter(([name]) => ![...blanks, ...OF_BOOKS].includes(name)));
  const knownRows = (rows: readonly PartRow[]) => {
    const told = rows.filter(({ check }) => !hidden.includes(String(check))).map(known);
    // Rows of people without lines are there for their capacity alone.
    return (blanks === OF_PEOPLE ? told.filter((row) => /"-?(?!0\.0*")\d+\.\d+"|"check"/.test(row)) : told).sort();
  };

  it.each(REPORTS)('has the rows, totals and checks of the company that has nothing else: %j', async (report) => {
    const isOfFindings = report.report === 'data-quality';
    for (const { cutoff_date, ...days } of WINDOWS) {
      const asked = { ...report, ...days, ...(!isOfFindings && { cutoff_date }) };
      const seen = await askAs(whole, asked, only, NOW);
      const own = await askAs(alone, asked, undefined, NOW);
      expect(seen.rows.length).toBeGreaterThan(0);
      expect(knownRows(seen.rows)).toEqual(knownRows(own.rows));
      if (isOfFindings) continue;
      expect(known(seen.totals)).toBe(known(own.totals));
      const ofLines = seen.checks.filter(({ check }) => check.includes('in the window'));
      expect(ofLines.length).toBeGreaterThan(report.report === 'lines' ? -1 : 4);
      expect(own.checks).toEqual(expect.arrayContaining(ofLines));
    }
  });

  it.each(EXPLAINED)('explains %s as the company that has nothing else', async (measure) => {
    for (const window of WINDOWS) {
      const asked = { report: 'projects', measure, ...window };
      const own = await explainAs(alone, asked, undefined, NOW);
      // Expenses have no person.
      if (measure !== 'expense_cost' || 'client_id' in only) expect(own.value).toMatch(/[1-9]/);
      expect(await explainAs(whole, asked, only, NOW)).toEqual(own);
    }
  });
});
