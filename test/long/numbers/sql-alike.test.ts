import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../errors/gallery.ts';
import { type Served, serve } from '../../http/served.ts';
import { takePart } from '../../seed.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

const WINDOW = "start_date := '2026-01-01', end_date := '2026-03-31', cutoff_date := '2026-03-31'";

/** Queries with answers, and some that are refused. */
const QUERIES = [
  'SELECT kind, COUNT(*) AS lines, SUM(hours) AS hours, SUM(fee) AS fees FROM marts.ledger GROUP BY kind ORDER BY kind',
  'SELECT * FROM marts.lines ORDER BY line_id LIMIT 20',
  'SELECT * FROM marts.projects ORDER BY project_id',
  'SELECT * FROM marts.people ORDER BY people_id LIMIT 5',
  'SELECT * FROM marts.rates ORDER BY ALL LIMIT 10',
  "SELECT * FROM marts.calendar WHERE date BETWEEN '2026-01-01' AND '2026-01-10' ORDER BY date",
  'SELECT * FROM marts.budgets ORDER BY ALL LIMIT 10',
  'SELECT relation, name, type FROM marts.catalog ORDER BY ALL LIMIT 10',
  `FROM reports.projects(${WINDOW})`,
  `SELECT name, actual_hours FROM reports.people(${WINDOW}) ORDER BY name LIMIT 3`,
  'SELECT * FROM sync.runs',
  'DESCRIBE marts.ledger',
  "SELECT DATE '2026-01-31' AS day, TIMESTAMP '2026-01-31 12:00:00' AS moment, INTERVAL 1 DAY AS span, TIME '12:00' AS time",
  'SELECT 1.50 AS cost, 0.1::DOUBLE AS double, 9007199254740993 AS large, true AS flag, NULL AS nothing',
  "SELECT [1.5, 2.25] AS list, {'a': 1.5, 'b': 'x'} AS struct, MAP {'k': 1} AS map",
  "SELECT '=1+1' AS formula, 'a,\"b\"' AS quoted, 'é\n' AS lines, '' AS empty",
  'SELECT 1 AS x, 2 AS x',
  'FROM range(20)',
  'SELECT 1 WHERE false',
  'SELECT SUM(hours) AS hours FROM marts.ledger WHERE kind IS NOT NULL AND date >= $start AND billable = $billable',
  'SELECT $text AS text, $number AS number, $nothing AS nothing',
  'SELECT * FROM marts.nothing',
  'SELECT nothing FROM marts.ledger',
  'SELECT 1 +',
  'DELETE FROM marts.ledger',
  "SELECT * FROM read_csv('/etc/passwd')",
  "SELECT getenv('HOME')",
  'SELECT $missing',
  "SELECT CAST('x' AS INTEGER)",
  "SELECT repeat('x', 20000000) AS long",
];

const PARAMETERS: Readonly<Record<string, readonly [type: string, value: string]>> = {
  start: ['date', '2026-01-01'],
  billable: ['boolean', 'true'],
  text: ['text', "it's"],
  number: ['number', '12345678901234567890.5'],
  nothing: ['null', ''],
};

/** The most rows asked for; some queries have more. */
const LIMIT = 15;

const ACCEPT = { json: 'application/json', csv: 'text/csv', ndjson: 'application/x-ndjson' };

it('asks thirty queries', () => expect(new Set(QUERIES).size).toBe(30));

it.each(takePart(QUERIES))('the command and the server answer alike: %s', async (sql) => {
  const given = Object.entries(PARAMETERS).filter(([name]) => sql.includes(`$${name}`));
  const flags = given.flatMap(([name, [type, value]]) => ['--param', `${name}:${type}=${value}`]);
  const parameters = Object.fromEntries(given.map(([name, [type, value]]) => [name, { type, value }]));
  const ask = async (format: keyof typeof ACCEPT) => {
    const headers = { accept: ACCEPT[format] };
    const [printed, answered] = await Promise.all([
      run(['sql', sql, '--format', format, '--limit', String(LIMIT), ...flags, '--database', served.database]),
      served.post('/v3/sql', { sql, limit: LIMIT, parameters }, headers),
    ]);
    return { printed, answered };
  };
  const { printed, answered } = await ask('json');
  if (answered.status !== 200) {
    const { code, message } = answered.json();
    expect(printed).toMatchObject({ exitCode: code === 'usage' ? 2 : 1, stdout: '' });
    // The command prints a hint on a line of its own.
    expect(printed.stderr.trim().replaceAll('\n', '. ')).toContain(message.replace(/\.$/, ''));
    return;
  }
  expect(printed).toMatchObject({ exitCode: 0, stdout: answered.text });
  expect(printed.stderr !== '').toBe(answered.json().truncated);
  for (const format of ['csv', 'ndjson'] as const) {
    const { printed, answered } = await ask(format);
    expect(printed.stdout).toBe(answered.text);
  }
});
