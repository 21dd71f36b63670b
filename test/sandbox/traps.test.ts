import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';
import { AppError } from '../../src/base/error.ts';
import { assertAdmitted, type ReadableNames } from '../../src/doors/sandbox/admission.ts';
import { readNames } from '../../src/doors/sandbox/readable-names.ts';
import { openSandbox } from '../../src/doors/sandbox/sandbox.ts';
import { findTraps } from '../../src/doors/sandbox/traps.ts';
import { writeSqlAnswer } from '../../src/numbers/write/sql-answer.ts';
import { loadBundled } from '../sql/company.ts';

let database: Database;
let readable: ReadableNames;
beforeAll(async () => {
  database = await openDatabase(':memory:');
  readable = await readNames(database);
});
afterAll(() => database.close());

async function parse(sql: string): Promise<Record<string, unknown>> {
  const [row] = await database.rows<{ tree: string }>(`SELECT json_serialize_sql(${quoteText(sql)}) AS tree`);
  return JSON.parse(row?.tree ?? '');
}

describe('a sum that drops lines is noted', () => {
  it.each([
    [
      'SELECT SUM(fee - cost) FROM t',
      'SUM(fee - cost) (line 1, column 8) leaves out each line whose fee or cost is unknown. Write SUM(fee) - SUM(cost).',
    ],
    ['SELECT client, sum(l.Fee-l."cost") AS profit FROM t AS l GROUP BY ALL', 'Write SUM(fee) - SUM(cost).'],
    ['SELECT 1 FROM t HAVING SUM(cost + fee) FILTER (x) > 0', 'Write SUM(cost) + SUM(fee).'],
    ['SELECT AVG(fee - cost) FROM t', 'AVG(fee - cost) (line 1, column 8) leaves out'],
    ['SELECT AVG(fee - cost) FROM t', 'Write (SUM(fee) - SUM(cost)) / COUNT(*).'],
    ['SELECT SUM(profit) FROM (SELECT fee - cost AS profit FROM t)', 'Write SUM(fee) - SUM(cost).'],
    [
      'WITH a AS (SELECT f - c AS p FROM b), b AS (SELECT fee f, cost c FROM t) SELECT SUM(p) FROM a',
      'SUM(fee - cost)',
    ],
    ['SELECT role, round(SUM(fee) / SUM(hours), 2) FROM t GROUP BY 1', 'SUM(hours) FILTER (fee IS NOT NULL).'],
    [
      'SELECT SUM(l.hours * bill_rate) FROM t AS l',
      "SUM(hours * bill_rate) (line 1, column 8) adds lines that aren't billable, too. Write SUM(fee).",
    ],
    ['WITH a AS (SELECT SUM(fee - cost) OVER (ORDER BY x) FROM t) FROM a', 'Write SUM(fee) - SUM(cost).'],
  ])('%s', async (sql, note) => {
    const notes = findTraps(await parse(sql), sql);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toContain(note);
  });

  it.each([
    'SELECT SUM(fee) - SUM(cost) FROM t',
    'SELECT SUM(COALESCE(fee, 0) - COALESCE(cost, 0)) FROM t',
    'SELECT SUM(fee - fee), SUM(hours - cost), MAX(fee - cost), fee - cost FROM t',
    "SELECT 'SUM(fee - cost)'",
    'SELECT SUM(hours * bill_rate) FROM t WHERE billable',
    'SELECT SUM(fee) / SUM(hours) FILTER (fee IS NOT NULL) FROM t',
    'SELECT SUM(profit) FROM (SELECT SUM(fee) - SUM(cost) AS profit FROM t GROUP BY x)',
  ])('but not in %s', async (sql) => expect(findTraps(await parse(sql), sql)).toEqual([]));

  it('a few times at most', async () => {
    const sql = `SELECT ${Array.from({ length: 40 }, () => 'SUM(fee - cost)').join(', ')} FROM t`;
    expect(findTraps(await parse(sql), sql)).toHaveLength(5);
  });
});

it('a note stands in the answer, as the right form has the larger sum', async () => {
  const company = await loadBundled();
  const sandbox = openSandbox(company.file, { schemas: ['marts'], size: 1 });
  const where = "FROM marts.lines WHERE kind = 'actual' AND date >= '2026-03-01'";
  const [wrong, right] = [
    await sandbox.query({ sql: `SELECT SUM(fee - cost) AS profit ${where}` }),
    await sandbox.query({ sql: `SELECT SUM(fee) - SUM(cost) AS profit ${where}` }),
  ];
  await sandbox.close();
  company.remove();
  expect(wrong.notes[0]).toContain('Write SUM(fee) - SUM(cost).');
  expect(right.notes).toEqual([]);
  expect(wrong.rows).not.toEqual(right.rows);
  const table = { columns: [], rows: (async function* () {})(), meta: {} } as never;
  let text = '';
  for await (const part of writeSqlAnswer('json', table, wrong)) text += part;
  expect(JSON.parse(text).notes).toEqual(wrong.notes);
});

describe('a sum of lines that adds up more than it seems to is noted', () => {
  const kinds =
    "sums plan and work alike: marts.lines has lines of both. Write WHERE kind = 'actual' or 'scheduled', or GROUP BY kind.";
  const tags =
    'counts a line of marts.lines once for each tag. Write WHERE project_id IN (SELECT project_id FROM marts.project_tags WHERE ...) in place of the join.';

  it.each<[sql: string, notes: string[]]>([
    ['SELECT SUM(hours) FROM marts.lines', [`SUM(hours) (line 1, column 8) ${kinds}`]],
    [
      "SELECT client, 1 + sum(l.Fee) AS fees FROM Marts.Lines AS l WHERE date > '2026-01-01' GROUP BY ALL",
      [`SUM(fee) (line 1, column 20) ${kinds}`],
    ],
    [
      "SELECT SUM(hours) OVER () FROM marts.lines WHERE status IN ('confirmed', 'completed')",
      [`SUM(hours) (line 1, column 8) ${kinds}`],
    ],
    [
      'SELECT SUM(lines.hours) FROM marts.lines JOIN marts.projects USING (project_id)',
      [`SUM(hours) (line 1, column 8) ${kinds}`],
    ],
    [
      'SELECT a.h - b.h FROM (SELECT SUM(hours) AS h FROM marts.lines) AS a, (SELECT SUM(hours) AS h FROM march.marts.lines) AS b',
      [`SUM(hours) (line 1, column 31) ${kinds}`, `SUM(hours) (line 1, column 79) ${kinds}`],
    ],
    [
      'WITH t AS (SELECT SUM(cost) FROM marts.ledger) FROM t',
      [`SUM(cost) (line 1, column 19) ${kinds.replace('lines has', 'ledger has')}`],
    ],
    [
      'SELECT kind, SUM(hours) FROM marts.lines JOIN marts.project_tags USING (project_id) GROUP BY kind',
      [`SUM(hours) (line 1, column 14) ${tags}`],
    ],
    [
      'SELECT kind, SUM(hours) FROM marts.lines LEFT JOIN marts.people_tags ON people_tags.people_id = lines.people_id GROUP BY 1',
      [`SUM(hours) (line 1, column 14) ${tags.replaceAll('project_', 'people_')}`],
    ],
    [
      'SELECT SUM(hours) FROM marts.lines JOIN marts.project_tags USING (project_id)',
      [`SUM(hours) (line 1, column 8) ${tags}`, `SUM(hours) (line 1, column 8) ${kinds}`],
    ],
  ])('%s', async (sql, notes) => expect(findTraps(await parse(sql), sql)).toEqual(notes));

  it.each([
    "SELECT SUM(hours) FROM marts.lines WHERE kind = 'actual'",
    "SELECT SUM(hours) FILTER (kind = 'actual'), SUM(hours) FROM marts.lines",
    'SELECT Kind, SUM(hours) FROM marts.lines GROUP BY ALL',
    'SELECT SUM(hours) FROM marts.lines WHERE logged_time_id IS NOT NULL',
    'SELECT SUM(lines.hours) FROM marts.lines JOIN marts.logged_time USING (logged_time_id)',
    'SELECT SUM(lines.hours) FROM marts.lines NATURAL JOIN marts.logged_time',
    'SELECT SUM(l.hours) FROM marts.lines AS l JOIN (FROM chosen) AS c ON l.date = c.date',
    'SELECT SUM(l.hours) FROM marts.lines AS l SEMI JOIN chosen USING (date)',
    'SELECT SUM(c.hours) FROM marts.lines AS l JOIN marts.capacity AS c USING (people_id)',
    "SELECT SUM(hours) FROM marts.lines WHERE status = 'tentative'",
    'SELECT SUM(hours) FROM marts.logged_time',
    'SELECT SUM(hours) FROM marts.capacity',
    'WITH lines AS (FROM elsewhere) SELECT SUM(hours) FROM lines',
    'SELECT SUM(hours) FROM (FROM marts.lines)',
    'SELECT COUNT(*), MAX(hours) FROM marts.lines',
    'SELECT project, (SELECT SUM(hours) FROM marts.capacity) FROM marts.lines',
    "SELECT tag, SUM(hours) FROM marts.lines JOIN marts.project_tags USING (project_id) WHERE kind = 'actual' GROUP BY tag",
    'SELECT kind, SUM(hours) FROM marts.lines WHERE project_id IN (SELECT project_id FROM marts.project_tags) GROUP BY kind',
    "PIVOT marts.lines ON kind IN ('actual', 'scheduled') USING SUM(hours) GROUP BY people_id",
  ])('but not in %s', async (sql) => expect(findTraps(await parse(sql), sql)).toEqual([]));
});

describe('a word of SQL where a name is meant', () => {
  const hintOf = async (sql: string) => {
    try {
      assertAdmitted(await parse(sql), sql, readable);
    } catch (error) {
      if (error instanceof AppError) return error.hint;
    }
    return undefined;
  };

  it.each([
    ['SELECT SUM(1) before', 'before'],
    ['SELECT 1 end', 'end'],
    ['SELECT CASE WHEN TRUE THEN 1 END hours', 'hours'],
  ])('%s', async (sql, word) => {
    const way = `${word} is a word of SQL. If you mean a name, put it in double quotes: "${word}".`;
    expect(await hintOf(sql)).toBe(`${way} Send one SELECT in the dialect of DuckDB.`);
    expect(await hintOf(sql.replace(new RegExp(`${word}\\b(?! WHEN)`), `"${word}"`))).toBeUndefined();
  });

  it('is not suspected of other words', async () => {
    expect(await hintOf('SELECT a b c')).toBe('Send one SELECT in the dialect of DuckDB.');
  });
});
