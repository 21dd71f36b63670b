import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../../src/base/database/database.ts';
import { messageOf } from '../../../src/base/error.ts';
import type { Report } from '../../../src/numbers/report/catalogue/catalogue.ts';
import { parametersOf } from '../../../src/numbers/report/catalogue/parameters.ts';
import { checkedLiteral } from '../../../src/numbers/report/marts/macro-values.ts';
import { parseParameters } from '../../../src/numbers/report/request/parse-query.ts';
import { runReport } from '../../reports.ts';
import { catalogue, loadBundled } from '../../sql/company.ts';

/*
 * Each report as a table macro returns the rows of the report, compared number by number.
 */

let database: Database;
let remove: () => void;
beforeAll(async () => {
  const loaded = await loadBundled();
  remove = loaded.remove;
  database = await openDatabase(loaded.file, { readOnly: true });
});
afterAll(async () => {
  await database.close();
  remove();
});

const WINDOW = { start_date: '2026-01-01', end_date: '2026-03-31' };
const CUTOFF = { cutoff_date: '2026-02-15' };

const CASES: readonly (readonly [string, Record<string, string>])[] = [
  ['projects', WINDOW],
  ['projects', { ...WINDOW, ...CUTOFF, status: 'draft,tentative,confirmed,completed' }],
  ['projects', { ...WINDOW, ...CUTOFF, interval: 'month', client_id: '301,none' }],
  ['projects', { ...WINDOW, ...CUTOFF, task_meta_id: 'none' }],
  ['phases', { ...WINDOW, ...CUTOFF, interval: 'quarter', project_id: '501,502,503,504,505,506' }],
  ['phases', { ...WINDOW, ...CUTOFF, phase_id: 'none', billable: '0' }],
  ['people', { ...WINDOW, ...CUTOFF }],
  ['people', { ...WINDOW, ...CUTOFF, interval: 'week', department_id: '1,none', active: '1' }],
  ['people', { ...WINDOW, ...CUTOFF, project_status: 'confirmed', people_type_id: '1,2' }],
  ['tasks', { ...WINDOW, ...CUTOFF, tag: 'Public transport,Health,none' }],
  ['lines', { ...WINDOW, people_id: '101,102', billable: '1' }],
  ['data-quality', WINDOW],
];

describe('a macro returns the numbers of its report', () => {
  test.each(CASES)('%s %o', async (name, parameters) => {
    const table = await runReport(database, catalogue, name, parameters);
    const expected = [];
    for await (const chunk of table.rows) expected.push(...chunk);
    const given = Object.entries(parameters).map(([parameter, value]) => `"${parameter}" := ${quoteText(value)}`);
    const columns = table.columns.map((column) => `"${column.name}"`).join(', ');
    const { chunks } = await database.stream(
      `SELECT ${columns} FROM reports.${name.replace('-', '_')}(${given.join(', ')})`,
    );
    const rows = [];
    for await (const chunk of chunks) rows.push(...chunk);
    expect(expected.length).toBeGreaterThan(0);
    expect(rows).toEqual(expected);
  });

  test('every report except the pivot has a macro, with its description', async () => {
    const macros = await database.rows<{ name: string; comment: string }>(
      "SELECT function_name AS name, comment FROM duckdb_functions() WHERE schema_name = 'reports' ORDER BY name",
    );
    const reports = [...catalogue.reports.values()].filter(({ rows, relation }) => rows || relation);
    const days = ['first_day', 'last_day'];
    const ofReports = macros.filter(({ name }) => !days.includes(name));
    expect(ofReports.map(({ name }) => name)).toEqual(reports.map(({ name }) => name.replace('-', '_')).sort());
    for (const { comment } of ofReports) expect(comment).toMatch(/A row is: /);
  });

  test('dates may be dates, and any text is a plain value', async () => {
    const [row] = await database.rows<{ count: number }>(
      "SELECT COUNT(*) AS count FROM reports.projects(DATE '2026-01-01', DATE '2026-03-31', tag := 'x''), (SELECT 1')",
    );
    expect(row?.count).toBe(0);
  });
});

/** Returns the parameters of a report's macro: those that select lines and periods. */
const parametersOfMacro = (report: Report) =>
  parametersOf(catalogue, report).filter(
    ({ name, filter }) => filter || ['start_date', 'end_date', 'cutoff_date', 'status', 'interval'].includes(name),
  );

const macros = [...catalogue.reports.values()].filter(({ rows, relation }) => rows || relation);

/** Values of every kind; each parameter accepts some and refuses the others. */
const VALUES = [
  ...[
    '2026-01-15',
    '2026-02-30',
    '2026-1-5',
    '1969-12-31',
    '2100-01-01',
    '15/01/2026',
    'draft',
    'draft,confirmed',
    'bogus',
  ],
  ...[
    'Confirmed',
    'draft,',
    ',',
    '',
    ' ',
    '1',
    '0',
    '2',
    '1,0',
    '501',
    '501,none',
    'none',
    '-1',
    '1.5',
    '1e3',
    '9'.repeat(19),
  ],
  ...['Kestrel Bank', 'month', 'Month', 'true', 'null', '[1]', "x'), (SELECT 1", 'a\nb', 'ümläut', '1 ', '٣'],
];

const callOf = (report: Report, given: Readonly<Record<string, string>>) => {
  const sent = Object.entries(given).map(([name, sql]) => `"${name}" := ${sql}`);
  return `FROM reports.${report.name.replace('-', '_')}(${sent.join(', ')})`;
};

function isWrong(report: Report, sent: Readonly<Record<string, string>>): boolean {
  try {
    parseParameters(catalogue, report, sent, {
      today: '2026-06-15',
      company: { loggedDays: [], weekStartsOn: 1, fiscalYearStartsIn: 1 },
    });
    return false;
  } catch {
    return true;
  }
}

const refusal = async (sql: string): Promise<string | undefined> =>
  database.rows(`SELECT * FROM (${sql}) LIMIT 1`).then(
    () => undefined,
    (error: unknown) => messageOf(error),
  );

describe.each(macros)('the macro $name', (report) => {
  test('refuses a wrong value of each parameter, as HTTP does', async () => {
    const taken: string[] = [];
    for (const { name } of parametersOfMacro(report)) {
      const sent = Object.entries({ ...WINDOW, [name]: 'bog,us' }).map(([each, text]) => [each, quoteText(text)]);
      const message = await refusal(callOf(report, Object.fromEntries(sent)));
      // Any text may be a tag or a contract.
      if (!/tag$|^contract$/.test(name) && !message?.includes(`${name}: "bog,us" is not allowed`))
        taken.push(`${name}: ${message}`);
    }
    expect(taken).toEqual([]);
  });

  test('names an unknown parameter and a missing day', async () => {
    expect(await refusal(callOf(report, { start_date: "'2026-01-01'", end_date: "'2026-01-02'", bogus: '1' }))).toMatch(
      /does not support/,
    );
    expect(await refusal(callOf(report, { start_date: 'NULL', end_date: "'2026-01-02'" }))).toContain(
      'start_date is missing',
    );
    expect(await refusal(callOf(report, { start_date: "'2026-02-01'", end_date: "'2026-01-02'" }))).toContain(
      'end_date: "2026-01-02" is before start_date',
    );
  });
});

const parameters = [
  ...new Map(macros.flatMap(parametersOfMacro).map((parameter) => [parameter.name, parameter])).values(),
];

test.each(parameters.map((parameter) => [parameter.name, parameter] as const))(
  '%s is checked as in HTTP, value by value',
  async (name, parameter) => {
    const columns = VALUES.map((value, index) => `(${checkedLiteral(parameter, quoteText(value))}) AS v${index}`);
    const differing: string[] = [];
    for (const [index, value] of VALUES.entries()) {
      const report = macros.find((each) => parametersOfMacro(each).some((own) => own.name === name)) as Report;
      const isRefused = isWrong(report, { ...WINDOW, start_date: '2000-01-01', [name]: value });
      const message = await refusal(`SELECT ${columns[index]} FROM (VALUES ('2000-01-01')) AS sent (start_date)`);
      if ((message !== undefined) !== isRefused) differing.push(`${JSON.stringify(value)}: ${message ?? 'taken'}`);
    }
    expect(differing).toEqual([]);
  },
);

describe('every parameter of a macro', () => {
  const report = catalogue.reports.get('projects') as Report;
  const window = { start_date: "'2026-01-01'", end_date: "'2026-03-31'" };
  const read = async (given: Record<string, string>) =>
    database.rows(`SELECT project_id, scheduled_hours, actual_fees ${callOf(report, given)}`);

  test.each(parametersOfMacro(report).map((parameter) => [parameter.name, parameter] as const))(
    '%s: a text, a list and the report give the same rows',
    async (name, { example, type, values, sql_name }) => {
      const table = await runReport(database, catalogue, 'projects', {
        ...WINDOW,
        fields: 'project_id,scheduled_hours,actual_fees',
        [name]: example,
      });
      const expected = [];
      for await (const chunk of table.rows)
        for (const [project_id = null, scheduled_hours = null, actual_fees = null] of chunk)
          expected.push({ project_id, scheduled_hours, actual_fees });
      const items = example.split(',').map((item) => (values === 'ids' ? item : quoteText(item)));
      const forms = [
        { [name]: quoteText(example) },
        ...(type === 'list' ? [{ [name]: `[${items.join(', ')}]` }] : []),
        ...(type === 'date' ? [{ [name]: `DATE ${quoteText(example)}` }] : []),
        ...(sql_name ? [{ [sql_name]: quoteText(example) }] : []),
      ];
      for (const form of forms) expect(await read({ ...window, ...form }), JSON.stringify(form)).toEqual(expected);
    },
  );

  test.each(["it's", '{0}', '{', '}', 'given_status', "') OR TRUE --"])(
    'a value is a value, whatever is in it: tag := %s finds no project',
    async (tag) => {
      expect(await read({ ...window, tag: quoteText(tag) })).toEqual([]);
    },
  );

  test('NULL means not given', async () => {
    const expected = await read(window);
    const nulls = parametersOfMacro(report)
      .filter(({ name }) => !(name in window))
      .map(({ name }) => [name, 'NULL']);
    expect(await read({ ...window, ...Object.fromEntries(nulls) })).toEqual(expected);
  });

  test.each(["['draft', NULL]", "['draft,confirmed']", '[]', "[['draft']]"])(
    'status := %s is refused',
    async (status) => {
      expect(await refusal(callOf(report, { ...window, status }))).toContain('status: "');
    },
  );

  test("interval is also called by_period, and can't be given twice", async () => {
    expect(await refusal(callOf(report, { ...window, interval: "'month'", by_period: "'month'" }))).toContain(
      'are one parameter',
    );
    const plain = "FROM reports.projects('2026-01-01', '2026-03-31', by_period := 'month')";
    expect(await refusal(plain)).toBeUndefined();
  });
});
