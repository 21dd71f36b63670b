import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../src/database/database.ts';
import { AppError } from '../../src/error.ts';
import { assertAdmitted, type ReadableNames } from '../../src/sandbox/admission.ts';
import { readNames } from '../../src/sandbox/readable-names.ts';
import { openSandbox } from '../../src/sandbox/sandbox.ts';
import { findTraps } from '../../src/sandbox/traps.ts';
import { writeSqlAnswer } from '../../src/write/sql-answer.ts';
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
