import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase, quoteText } from '../../src/base/database/database.ts';
import { AppError } from '../../src/base/error.ts';
import { assertAdmitted, type ReadableNames } from '../../src/doors/sandbox/admission.ts';
import { readNames } from '../../src/doors/sandbox/readable-names.ts';

let database: Database;
let readable: ReadableNames;
beforeAll(async () => {
  database = await openDatabase(':memory:');
  await database.run(`
    CREATE SCHEMA source; CREATE SCHEMA core; CREATE SCHEMA marts; CREATE SCHEMA reports;
    CREATE TABLE source.people (cost_rate DECIMAL(18,4));
    CREATE TABLE core.ledger (kind VARCHAR, hours DECIMAL(9,4), fee DECIMAL(18,4), date DATE, tags VARCHAR[]);
    CREATE VIEW marts.ledger AS SELECT * FROM core.ledger;
    CREATE MACRO percent(part_, whole_) AS part_ * 100 / whole_;
    CREATE MACRO reports.projects(start_date) AS TABLE SELECT * FROM marts.ledger WHERE date >= start_date;
  `);
  readable = await readNames(database, ['marts', 'reports']);
});
afterAll(() => database.close());

/** Returns null if a statement is admitted, else the message. */
async function judge(sql: string): Promise<string | null> {
  const [row] = await database.rows<{ tree: string }>(`SELECT json_serialize_sql(${quoteText(sql)}) AS tree`);
  try {
    assertAdmitted(JSON.parse(row?.tree ?? ''), sql, readable);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('usage');
    return error.message;
  }
}

describe('admitted', () => {
  it.each([
    'SELECT kind, SUM(hours) AS hours, SUM(fee) FILTER (kind = $kind) FROM marts.ledger GROUP BY ROLLUP (kind) HAVING COUNT(*) > 1',
    'FROM marts.ledger',
    'TABLE marts.ledger',
    'VALUES (1, 2), (3, 4)',
    'SELECT * FROM "MARTS"."Ledger" AS l JOIN marts.ledger USING (kind)',
    'WITH days AS (SELECT DISTINCT date FROM marts.ledger), more AS (FROM days) SELECT * FROM more, (FROM days) AS inner_days',
    'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT * FROM n',
    'SELECT *, row_number() OVER (PARTITION BY kind ORDER BY date, hours) AS place FROM marts.ledger QUALIFY place = 1',
    "SELECT list_transform(tags, lambda tag: upper(tag)), [tag || 1 FOR tag IN tags], tags[1], {'a': 1}.a, MAP {1: 2} FROM marts.ledger",
    "SELECT * EXCLUDE (kind) REPLACE (hours * 2 AS hours), COLUMNS('.*ee') FROM marts.ledger",
    "SELECT CAST(date AS TIMESTAMP), hours::DECIMAL(18,2), fee::VARCHAR, '{}'::JSON, NULL::STRUCT(a INTEGER[]) FROM marts.ledger",
    "SELECT date + INTERVAL 1 MONTH, current_date, date_trunc('month', date), EXTRACT(year FROM date) FROM marts.ledger",
    'SELECT * FROM range(10) AS r(i), generate_series(1, i), unnest([1, 2])',
    'SELECT percent(1, 2), main.upper(kind) FROM marts.ledger',
    "SELECT * FROM reports.projects(start_date := DATE '2026-01-01')",
    "SELECT * FROM marts.ledger PIVOT (SUM(hours) FOR kind IN ('actual', 'scheduled'))",
    "PIVOT marts.ledger ON kind IN ('actual', 'scheduled') USING SUM(hours) AS hours GROUP BY people_id ORDER BY people_id",
    'UNPIVOT (SELECT people_id, hours, fee FROM marts.ledger) ON hours, fee',
    'DESCRIBE marts.ledger',
    'SUMMARIZE SELECT hours FROM marts.ledger',
    'SELECT 1 UNION BY NAME SELECT 2 AS b ORDER BY ALL LIMIT 5 OFFSET 1',
    "SELECT 'read_csv(''x'')' -- ; DROP TABLE x",
    'SELECT kind COLLATE nocase, TRY(1 / 0), CASE WHEN kind IS NULL THEN 1 END, kind IN (SELECT kind FROM marts.ledger) FROM marts.ledger TABLESAMPLE 10%',
  ])('%s', async (sql) => expect(await judge(sql)).toBeNull());
});

const NOT_SELECT = [
  'SET threads = 8',
  'RESET threads',
  "COPY marts.ledger TO '/tmp/x'",
  "COPY (SELECT 1) TO '/tmp/x'",
  "ATTACH '/tmp/x.duckdb'",
  'INSTALL httpfs',
  'LOAD httpfs',
  'CALL pragma_version()',
  'PRAGMA version',
  'PREPARE p AS SELECT 1',
  'EXECUTE p',
  'EXPLAIN SELECT 1',
  'CREATE TABLE t (a INT)',
  'INSERT INTO core.ledger (kind) VALUES (1)',
  'DELETE FROM core.ledger',
  'CHECKPOINT',
  'BEGIN',
  "EXPORT DATABASE '/tmp/x'",
  'USE marts',
  'SET VARIABLE x = 1',
  'PIVOT marts.ledger ON kind',
  'PIVOT marts.ledger ON kind IN (SELECT DISTINCT kind FROM marts.ledger)',
  'FROM (PIVOT marts.ledger ON kind USING SUM(hours))',
];

const TABLE_FUNCTION_CALLS = [
  "read_text('/etc/passwd')",
  "read_csv('/etc/passwd')",
  "read_parquet('x')",
  "glob('*')",
  "enable_logging(storage = 'file')",
  "query('SELECT 1')",
  "query_table('core.ledger')",
  "sql_auto_complete('SEL')",
  "json_execute_serialized_sql('{}')",
  'duckdb_settings()',
  'duckdb_tables()',
  "pragma_table_info('core.ledger')",
  'checkpoint()',
  'repeat_row(1, num_rows = 2)',
  "seq_scan('core.ledger')",
  "histogram_values('core.ledger', kind)",
  "parquet_metadata('x')",
  'test_all_types()',
  'main.range(3)',
  'core.secret()',
];

const CALLS = [
  "getenv('HOME')",
  "current_setting('home_directory')",
  "nextval('s')",
  "getvariable('x')",
  "json_serialize_sql('SELECT 1')",
  'sleep_ms(1000)',
  'pg_sleep(9)',
  "write_log('x')",
  "list_aggregate([1], 'sum')",
  'current_query()',
  "in_search_path('a', 'b')",
  'txid_current()',
  'nonsense(1)',
];

describe('refused: not one SELECT', () => {
  it.each([
    ['SELECT 1; SELECT 2', 'The SQL holds 2 statements, not one'],
    ['SELECT 1; /* x */ SELECT 2 -- y', 'The SQL holds 2 statements, not one'],
    ['', 'The SQL holds 0 statements, not one'],
    ['WITH t AS (DELETE FROM core.ledger RETURNING *) FROM t', "The SQL can't be read: A CTE needs a SELECT"],
    ['SELECT 1 +', "The SQL can't be read: syntax error at end of input (line 1, column 11)"],
    ...NOT_SELECT.map((sql) => [sql, 'The SQL is not a SELECT']),
  ])('%s', async (sql, message) => expect(await judge(sql ?? '')).toContain(message));
});

describe('refused: relations', () => {
  it.each([
    ['SELECT * FROM core.ledger', 'There is no relation core.ledger that SQL may read (line 1, column 15)'],
    ['SELECT *\nFROM "source".people', 'There is no relation source.people that SQL may read (line 2, column 6)'],
    ['SELECT (SELECT MAX(cost_rate) FROM source.people)', 'There is no relation source.people'],
    ['SELECT * FROM ledger', 'There is no relation ledger'],
    ['SELECT * FROM memory.marts.ledger', 'There is no relation memory.marts.ledger'],
    ["SELECT * FROM '/etc/passwd'", 'There is no relation /etc/passwd'],
    ["SELECT * FROM 'x.csv'", 'There is no relation x.csv'],
    ['SELECT * FROM information_schema.tables', 'There is no relation information_schema.tables'],
    ['SELECT * FROM pg_catalog.pg_tables', 'There is no relation pg_catalog.pg_tables'],
    ['SELECT * FROM duckdb_settings', 'There is no relation duckdb_settings'],
    ['SELECT * FROM sqlite_master', 'There is no relation sqlite_master'],
    ['SELECT * FROM marts.ledger AT (VERSION => 1)', 'There is no relation marts.ledger that'],
    // A name defined by WITH is visible only in its scope.
    ['SELECT * FROM (WITH duckdb_views AS (SELECT 1) SELECT 1), duckdb_views', 'There is no relation duckdb_views'],
    ['WITH a AS (FROM b), b AS (SELECT 1) FROM a', 'There is no relation b'],
    ['WITH pg_tables AS (FROM pg_tables) FROM pg_tables', 'There is no relation pg_tables'],
    ['WITH RECURSIVE pg_am AS (FROM pg_am UNION ALL FROM pg_am) SELECT 1', 'There is no relation pg_am'],
    ['WITH t AS (SELECT 1) FROM main.t', 'There is no relation main.t'],
    // The engine ignores case only for ASCII letters.
    ['SELECT * FROM "mart\u017f".ledger', 'There is no relation mart\u017f.ledger'],
    ['WITH "\u212a" AS (SELECT 1) FROM k', 'There is no relation k'],
    ['SHOW DATABASES', 'SHOW is not allowed'],
    ['SELECT * FROM (SHOW TABLES)', 'SHOW is not allowed'],
    ['DESCRIBE core.ledger', 'There is no relation core.ledger'],
    ['SUMMARIZE core.ledger', 'There is no relation core.ledger'],
  ])('%s', async (sql, message) => expect(await judge(sql ?? '')).toContain(message));
});

describe('refused: table functions', () => {
  it.each([
    ...TABLE_FUNCTION_CALLS.map((call) => [
      `SELECT * FROM ${call}`,
      `The table function ${call.split('(')[0]} is not allowed (line 1, column 15)`,
    ]),
    ['SELECT * FROM range((SELECT COUNT(*) FROM core.ledger))', 'There is no relation core.ledger'],
    ['SELECT * FROM reports.projects((SELECT MAX(date) FROM core.ledger))', 'There is no relation core.ledger'],
  ])('%s', async (sql, message) => expect(await judge(sql ?? '')).toContain(message));
});

describe('refused: functions, anywhere in a statement', () => {
  it.each([
    ...CALLS.map((call) => [`SELECT ${call}`, `The function ${call.split('(')[0]} is not allowed (line 1, column 8)`]),
    ["SELECT 1 ORDER BY getenv('HOME')", 'The function getenv is not allowed (line 1, column 19)'],
    ["SELECT list_transform([1], lambda x: getenv('HOME'))", 'The function getenv'],
    ["SELECT 1 LIMIT getenv('HOME')::INT", 'The function getenv'],
    ["SELECT sum(1) FILTER (getenv('HOME') = '')", 'The function getenv'],
    ["SELECT sum(1) OVER (ORDER BY getenv('HOME'))", 'The function getenv'],
    ["SELECT * REPLACE (getenv('HOME') AS kind) FROM marts.ledger", 'The function getenv'],
    ["SELECT * FROM marts.ledger l JOIN marts.ledger r ON getenv('HOME') = l.kind", 'The function getenv'],
    ["SELECT COLUMNS(lambda c: getenv('HOME') = c) FROM marts.ledger", 'The function getenv'],
    ["SELECT DISTINCT ON (getenv('HOME')) 1", 'The function getenv'],
    ["SELECT * FROM reports.projects(getenv('HOME'))", 'The function getenv'],
    ["SELECT * FROM range(getenv('HOME')::INT)", 'The function getenv'],
    ["VALUES (getenv('HOME'))", 'The function getenv'],
    ['SELECT "getenv"(\'HOME\')', 'The function getenv'],
    ["SELECT /* upper */ GetEnv('HOME')", 'The function getenv'],
    ["SELECT 'HOME'.getenv()", 'syntax error'],
    ["SELECT system.main.upper('a')", 'The function system.main.upper'],
    ["SELECT pg_catalog.upper('a')", 'The function pg_catalog.upper'],
    ['SELECT sum(1) EXPORT_STATE', 'The function sum is not allowed'],
    ["SELECT 'äöü', getenv('HOME')", 'The function getenv is not allowed (line 1, column 15)'],
  ])('%s', async (sql, message) => expect(await judge(sql ?? '')).toContain(message));
});

describe('refused: types, parameters, kinds of nodes', () => {
  it.each([
    ['SELECT CAST(1 AS secret)', 'The type secret is not allowed'],
    ['SELECT 1::aggregate_state', 'The type aggregate_state is not allowed'],
    ['SELECT NULL::GEOMETRY', 'GENERIC_TYPE_INFO is not allowed'],
    ['SELECT ?', 'The parameter $1 has no name'],
    ['SELECT $1', 'The parameter $1 has no name'],
  ])('%s', async (sql, message) => expect(await judge(sql ?? '')).toContain(message));

  it('an unknown kind of node', () => {
    const judged = (node: object) => () =>
      assertAdmitted({ error: false, statements: [{ node }] }, 'SELECT 1', readable);
    expect(judged({ type: 'SELECT_NODE', from_table: { type: 'BOUND_TABLE_REF', query_location: 7 } })).toThrow(
      'BOUND_TABLE_REF is not allowed in SQL here (line 1, column 8)',
    );
    expect(judged({ type: 'SELECT_NODE', anything: [{ new: { type: 'SOMETHING_NEW' } }] })).toThrow('SOMETHING_NEW');
  });

  it('a tree too deep to walk', () => {
    let node: object = { type: 'COLUMN_REF' };
    for (let depth = 0; depth < 100_000; depth += 1) node = { child: node };
    expect(() => assertAdmitted({ error: false, statements: [node] }, 'x', readable)).toThrow('nested too deeply');
  });
});
