import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, quoteText } from '../../src/base/database/database.ts';
import { messageOf } from '../../src/base/error.ts';
import { joinItems, MISSING, readItem, splitItems } from '../../src/numbers/report/catalogue/list-item.ts';
import { readItemSql, splitItemsSql } from '../../src/numbers/report/marts/list-item-sql.ts';
import { buildMacros, listMacros, macroName } from '../../src/numbers/report/marts/macros.ts';
import { runReport } from '../reports.ts';
import { SEED } from '../seed.ts';
import { buildCompany, catalogue } from '../sql/company.ts';

/*
 * A list means the same in a macro as in every other door: its commas, its backslashes, and `none`.
 */

const DAY = '2026-01-05';
const WINDOW = { start_date: DAY, end_date: DAY, cutoff_date: DAY };
const TAGS = ['none', 'x, y z', 'back\\slash', 'end\\', "it's", 'ünï', '{0}', 'two\nlines'];

const macros = listMacros(catalogue);
const lists = macros.flatMap(({ report, parameters }) =>
  parameters.filter(({ type }) => type === 'list').map((parameter) => ({ report, parameter })),
);
/** One report for each list parameter, those with texts first: neighbors of a kind take different texts. */
const cases = [...new Map(lists.map((each) => [each.parameter.name, each])).values()]
  .toSorted((one, other) => Number(other.parameter.values === 'texts') - Number(one.parameter.values === 'texts'))
  .map((each, turn) => ({ ...each, turn }));

const TAG_LISTS = [
  ...[
    'none',
    '\\none',
    'NONE',
    'x\\, y z',
    'x, y z',
    'none,\\none',
    'back\\slash',
    'back\\\\slash',
    'end\\',
    'end\\\\',
  ],
  ...[
    "it's",
    'ÜNÏ',
    '{0}',
    'two\nlines',
    'nul\0l',
    '\\',
    '\\\\,none',
    ',',
    'a,',
    '',
    ' none',
    '\\\\none',
    'x\\,\\ y z',
  ],
];
const OTHER_LISTS = ['007', '7,none', '\\7', '7\\,8', '\\none', '1,0', '07,7', 'draft,confirmed', '7\n', '', '٧'];

/**
 * Tests each list parameter in a macro against the report.
 * @param every Each parameter takes one of so many texts, in turn with its neighbors: 1 for all texts.
 */
export function testMacroLists(every: number): void {
  let database: Database;
  beforeAll(async () => {
    const people = [...TAGS, undefined].map((tag, index) => ({
      people_id: index + 1,
      name: `Person ${index + 1}`,
      active: index % 2,
      people_type_id: 1 + (index % 3),
      ...(index > 2 && { department_id: 7, default_hourly_rate: 100 }),
      ...(tag && { tags: [tag] }),
    }));
    database = await buildCompany({
      departments: [{ department_id: 7, name: 'Seven' }],
      clients: [{ client_id: 7, name: 'Acme' }],
      accounts: [{ account_id: 7, name: 'Lead' }],
      roles: [{ id: 7, name: 'Role' }],
      people: people.map((person) => (person.people_id === 7 ? { ...person, role_id: 7 } : person)),
      projects: people.map(({ people_id, tags }) => ({
        project_id: people_id,
        name: `Project ${people_id}`,
        status: people_id % 3,
        ...(people_id > 4 && { client_id: 7, project_manager: 7 }),
        ...(tags && { tags }),
      })),
      phases: [{ phase_id: 7, project_id: 7, name: 'Phase', start_date: DAY, end_date: DAY }],
      project_tasks: [{ task_meta_id: 7, project_id: 7, task_name: 'Task' }],
      tasks: people.map(({ people_id }) => ({
        task_id: people_id,
        people_id,
        project_id: people_id,
        start_date: DAY,
        end_date: DAY,
        hours: people_id,
        ...(people_id === 7 && { phase_id: 7, task_meta_id: 7 }),
      })),
      logged_time: people.map(({ people_id }) => ({
        logged_time_id: `l${people_id}`,
        people_id,
        project_id: people_id,
        date: DAY,
        hours: people_id,
        billable: people_id % 2,
      })),
    });
    await buildMacros(database, catalogue);
  });
  afterAll(() => database.close());

  /** Returns the rows, or the name of the parameter whose value is refused. */
  const rowsOrRefusal = (rows: Promise<readonly unknown[]>) =>
    rows.catch(
      (error: unknown) => /(\w+): ".*(?:is not allowed|holds)/s.exec(messageOf(error))?.[1] ?? messageOf(error),
    );

  async function askReport(name: string, sent: Record<string, string>): Promise<unknown[]> {
    const table = await runReport(database, catalogue, name, { ...WINDOW, ...sent });
    const rows = [];
    for await (const chunk of table.rows) rows.push(...chunk);
    return rows;
  }

  async function askMacro(report: (typeof cases)[number]['report'], name: string, sql: string): Promise<unknown[]> {
    const days = report.without?.includes('cutoff_date') ? { start_date: DAY, end_date: DAY } : WINDOW;
    const given = Object.entries(days).map(([each, day]) => `${each} := '${day}'`);
    const call = `FROM ${macroName(report)}(${[...given, `${name} := ${sql}`].join(', ')})`;
    // Without an interval, the columns of periods are empty.
    const hasNone = days === WINDOW && report.defaults?.['interval'] === undefined;
    const { chunks } = await database.stream(`SELECT * ${hasNone ? 'EXCLUDE (period_start, period_end)' : ''} ${call}`);
    const rows = [];
    for await (const chunk of chunks) rows.push(...chunk);
    return rows;
  }

  describe.each(cases)('$parameter.name of $report.name', ({ report, parameter: { name, values }, turn }) => {
    const all = values === 'texts' ? TAG_LISTS : OTHER_LISTS;
    const texts = all.filter((_, index) => index % every === turn % every);

    it('means the same as a text, in a macro and in the report', async () => {
      for (const text of texts) {
        const expected = await rowsOrRefusal(askReport(report.name, { [name]: text }));
        const taken = await rowsOrRefusal(askMacro(report, name, quoteText(text)));
        expect(taken, JSON.stringify(text)).toEqual(expected);
      }
    });

    it('means the same as a list of items, in a macro and in the tools', async () => {
      const items = values === 'texts' ? ['x, y z', 'none', 'end\\'] : ['007', 'none'];
      const expected = await rowsOrRefusal(askReport(report.name, { [name]: joinItems(items) }));
      expect(await rowsOrRefusal(askMacro(report, name, `[${items.map(quoteText).join(', ')}]`))).toEqual(expected);
    });
  });

  it('every odd tag is found by its list', async () => {
    const counts = await Promise.all(TAG_LISTS.slice(0, 4).map((tag) => askReport('projects', { tag })));
    expect(counts.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  });

  it(`SQL reads the items of random texts as the other doors do (PLUMBLINE_SEED=${SEED})`, async () => {
    const pieces = ['\\', '\\', ',', ',', 'none', 'a', ' ', "'", '\n', '😀', '\0', 'NONE'];
    let state = SEED;
    const next = (count: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * count);
    };
    const texts = Array.from({ length: 500 }, () =>
      Array.from({ length: next(9) }, () => pieces[next(pieces.length)]).join(''),
    );
    const values = texts.map((text, index) => `(${index}, ${quoteText(text)})`);
    const read = await database.rows<{ items: unknown }>(
      `SELECT to_json(list_transform(${splitItemsSql('text')}, lambda item_: ${readItemSql('item_')})) AS items
      FROM (VALUES ${values.join(', ')}) AS sent (id, text) ORDER BY id`,
    );
    const expected = texts.map((text) => splitItems(text).map((item) => (item === MISSING ? null : readItem(item))));
    expect(read.map(({ items }) => JSON.parse(String(items)))).toEqual(expected);
  });
}
