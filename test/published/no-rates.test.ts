import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase, quoteName, quoteText } from '../../src/base/database/database.ts';
import { loadMeanings } from '../../src/numbers/report/marts/marts.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { runReport } from '../reports.ts';
import { catalogue, loadCompany, REPORT_NAMES } from '../sql/company.ts';
import { COSTS, priced } from './dataset.ts';

let file: string;
let remove: () => void;
let database: Database;

beforeAll(async () => {
  ({ file, remove } = await loadCompany(priced));
  database = await openDatabase(':memory:');
  await database.run(`ATTACH ${quoteText(file)} AS whole (READ_ONLY)`);
  await database.run(`ATTACH ${quoteText(fileWithoutRates(file))} AS copy (READ_ONLY)`);
});

afterAll(async () => {
  await database.close();
  remove();
});

interface Column {
  readonly schema: string;
  readonly relation: string;
  readonly name: string;
}

function columnsOf(name: 'whole' | 'copy'): Promise<Column[]> {
  return database.rows<Column>(`SELECT schema_name AS schema, table_name AS relation, column_name AS name
    FROM duckdb_columns() WHERE database_name = ${quoteText(name)} AND NOT internal ORDER BY ALL`);
}

const nameOf = ({ schema, relation, name }: Column) => `${schema}.${relation}.${name}`;

/** Returns every value of a database that contains one of these texts, with its place. */
async function findTexts(name: 'whole' | 'copy', texts: readonly string[]): Promise<string[]> {
  const columns = await columnsOf(name);
  const relations = new Set(columns.map(({ schema, relation }) => `${schema}.${quoteName(relation)}`));
  const found: string[] = [];
  for (const relation of relations) {
    const values = columns
      .filter((column) => relation === `${column.schema}.${quoteName(column.relation)}`)
      .map((column) => `{place: ${quoteText(nameOf(column))}, text: CAST(${quoteName(column.name)} AS VARCHAR)}`);
    const rows = await database.rows<{ place: string; text: string }>(`
      SELECT DISTINCT value.place, value.text FROM (SELECT unnest([${values.join(', ')}]) AS value FROM ${name}.${relation})
      WHERE list_bool_or(list_transform([${texts.map(quoteText).join(', ')}], lambda text: contains(value.text, text)))`);
    found.push(...rows.map(({ place, text }) => `${place}: ${text}`));
  }
  return found;
}

/** Returns the given costs and rates, and the cost of each line and expense. */
async function readCosts(): Promise<string[]> {
  const rows = await database.rows<{ cost: string }>(`
    SELECT DISTINCT CAST(cost AS VARCHAR) AS cost FROM whole.core.ledger WHERE cost IS NOT NULL
    UNION SELECT DISTINCT CAST(unrounded_cost AS VARCHAR) FROM whole.core.expenses`);
  expect(rows).toHaveLength(7);
  return [
    ...Object.values(COSTS).map((cost) => cost.replace(/^-|x$/g, '')),
    ...rows.map(({ cost }) => cost.replace(/0+$/, '')),
  ];
}

it('no column is named like a cost, except the sources of cost rates', async () => {
  const names = (await columnsOf('copy')).map(nameOf);
  const suspicious = names.filter((name) =>
    /cost|markup|profit|margin|salary|wage|risk|raw|record$|rate[^.]*$/.test(name),
  );
  const ledgers = [
    'core.ledger',
    'core.lines',
    'core.named_lines',
    'marts.canceled_lines',
    'marts.ledger',
    'marts.lines',
  ];
  const ofLines = [...ledgers, 'marts.people_rates', 'marts.rates'].flatMap((relation) =>
    ['bill_rate', 'bill_rate_from', 'bill_rate_source', 'cost_rate_source'].map((name) => `${relation}.${name}`),
  );
  const ofMonths = ['core.ledger_months.hours_without_bill_rate', 'core.ledger_months.hours_without_cost_rate'];
  const behindThem = [
    ...['bill_rate', 'bill_rate_from', 'bill_rate_source', 'team_bill_rate', 'team_bill_rate_from'].map(
      (name) => `core.assignments.${name}`,
    ),
    ...['bill_rate', 'bill_rate_from', 'bill_rate_source'].map((name) => `core.card_rates.${name}`),
    ...['core.bill_rates.bill_rate', 'marts.bill_rates.bill_rate', 'marts.bill_rates.bill_rate_from'],
  ];
  const ofDays = [
    'core.person_rates.cost_rate_source',
    ...['own_bill_rate', 'own_bill_rate_from', 'role_bill_rate', 'role_bill_rate_from'].map(
      (name) => `core.person_rates.${name}`,
    ),
    'marts.role_rates.bill_rate',
    'marts.role_rates.bill_rate_from',
  ];
  expect(suspicious).toEqual([...behindThem, ...ofMonths, ...ofLines, ...ofDays].toSorted());
});

it('no value of any column is a cost or reveals one', { tags: ['slow'] }, async () => {
  const costs = await readCosts();
  expect(await findTexts('copy', costs)).toEqual([]);
  // Proves the search: every cost occurs in the full generation, also in details of findings.
  const found = (await findTexts('whole', costs)).join('\n');
  expect(costs.filter((cost) => !found.includes(cost))).toEqual([]);
});

it('no byte of a cost is left in the file', async () => {
  const costs = await readCosts();
  const [whole, copy] = [readFileSync(file), readFileSync(fileWithoutRates(file))];
  const bytesOf = (cost: string) => {
    const number = Buffer.alloc(8);
    number.writeBigInt64LE(BigInt(Math.round(Number(cost) * 10_000)));
    return [Buffer.from(cost), number];
  };
  const found = (bytes: Buffer) => costs.filter((cost) => bytesOf(cost).some((pattern) => bytes.includes(pattern)));
  expect(found(whole)).toEqual(expect.arrayContaining(['5867.13', '4783.61']));
  expect(found(copy)).toEqual([]);
});

it('has the relations and columns of the list, and no others', async () => {
  const columns = await columnsOf('copy');
  const relations = [...new Set(columns.map(({ schema, relation }) => `${schema}.${relation}`))];
  const lines = relations.map((relation) => {
    const names = columns.filter((column) => `${column.schema}.${column.relation}` === relation);
    return `${relation}: ${names.map(({ name }) => name).join(', ')}\n`;
  });
  await expect(lines.join('')).toMatchFileSnapshot('no-rates.txt');
});

it('the marts have every column that needs no rates, and no other', async () => {
  const meanings = loadMeanings('reports', catalogue);
  const marts = async (name: 'whole' | 'copy') => (await columnsOf(name)).filter(({ schema }) => schema === 'marts');
  const expected = (await marts('whole')).filter(({ relation, name }) => !meanings(relation, name)?.needs_rates);
  expect((await marts('copy')).map(nameOf)).toEqual(expected.map(nameOf));
});

it('relations with a row for each line or day take no room of their own', async () => {
  const views = await database.rows<{ name: string }>(
    "SELECT view_name AS name FROM duckdb_views() WHERE database_name = 'copy' AND schema_name = 'marts' ORDER BY ALL",
  );
  expect(views.map(({ name }) => name)).toEqual(expect.arrayContaining(['capacity', 'ledger', 'lines', 'rates']));
});

it('every relation has the rows of the generation, and equal values in shared columns', {
  tags: ['slow'],
}, async () => {
  const columns = await columnsOf('copy');
  const whole = new Set((await columnsOf('whole')).map(nameOf));
  const relations = new Set(columns.map((column) => `${column.schema}.${column.relation}`));
  // It describes the file that it is in.
  relations.delete('marts.catalog');
  for (const relation of relations) {
    const shared = columns
      .filter((column) => relation === `${column.schema}.${column.relation}` && whole.has(nameOf(column)))
      .filter((column) => nameOf(column) !== 'marts.data_quality.detail')
      .map(({ name }) => quoteName(name))
      .join(', ');
    const select = (name: string) => `SELECT ${shared} FROM ${name}.${relation}`;
    expect(await database.rows(`(${select('whole')}) EXCEPT ALL (${select('copy')})`), relation).toEqual([]);
    expect(await database.rows(`(${select('copy')}) EXCEPT ALL (${select('whole')})`), relation).toEqual([]);
  }
});

it('the ledger keeps its order', async () => {
  const numbered = (name: string) =>
    `SELECT kind, date, people_id, ROW_NUMBER() OVER (ORDER BY rowid) AS number FROM ${name}.core.ledger`;
  expect(await database.rows(`${numbered('whole')} EXCEPT ${numbered('copy')}`)).toEqual([]);
});

const WINDOW = { start_date: '2026-01-01', end_date: '2026-01-31' };

/** Each report, and measures that are shown when they are named. */
const READ: readonly (readonly [name: string, more: Readonly<Record<string, string>>])[] = [
  ...REPORT_NAMES.map((name) => [name, name === 'pivot' ? { group_by: 'project,person' } : {}] as const),
  ['projects', { bridge: 'fees' }],
  ['projects', { fields: 'name,earned_value,spi', technique: 'completed' }],
  ['phases', { fields: 'name,cpi,eac_plan,unlogged_fees', earned_in: 'fees' }],
];

it.each(READ)('%s %o read from the copy equals the report without rates', { tags: ['slow'] }, async (name, more) => {
  const sent = { ...WINDOW, ...more };
  const read = async (path: string) => {
    const opened = await openDatabase(path, { readOnly: true });
    try {
      const table = await runReport(opened, catalogue, name, sent, { seesRates: false, now: new Date('2026-02-01') });
      const rows = [];
      for await (const chunk of table.rows) rows.push(...chunk);
      const { statements: _, ...said } = table;
      return { ...said, rows, meta: { ...table.meta, generated_at: '' } };
    } finally {
      await opened.close();
    }
  };
  const [whole, copy] = [await read(file), await read(fileWithoutRates(file))];
  // The company has no retainers.
  if (name !== 'retainers') expect(copy.rows.length).toBeGreaterThan(0);
  const withoutDetail = (table: typeof whole) => {
    const index = table.columns.findIndex((column) => column.name === 'detail');
    return { ...table, rows: table.rows.map((row) => row.map((value, at) => (at === index ? null : value))) };
  };
  expect(withoutDetail(copy)).toEqual(withoutDetail(whole));
});

it('the macros of the copy have no cost column, and the numbers of the report', async () => {
  const opened = await openDatabase(fileWithoutRates(file), { readOnly: true });
  const window = `start_date := '2026-01-01', end_date := '2026-01-31', cutoff_date := '2026-01-31'`;
  const [row] = await opened.rows(`FROM reports.projects(${window})`);
  await opened.close();
  expect(row).toMatchObject({ name: 'Work', actual_hours: '26.0000', actual_hours_without_cost_rate: '6.5000' });
  expect(Object.keys(row ?? {}).filter((name) => /cost|profit|margin/.test(name))).toEqual([
    'scheduled_hours_without_cost_rate',
    'actual_hours_without_cost_rate',
  ]);
});

it('details quote no markup, and are the same for every reader', async () => {
  const details = (name: string) =>
    database.rows(`SELECT "check", detail FROM ${name}.marts.data_quality ORDER BY ALL`);
  const found = await details('whole');
  expect(found).toContainEqual({
    check: 'markup_on_non_billable_expense',
    detail: 'a markup on an expense that is not billable',
  });
  expect(await details('copy')).toEqual(found);
});
