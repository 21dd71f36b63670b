import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase, quoteName, quoteText } from '../../src/database.ts';
import { fileWithoutRates } from '../../src/generation.ts';
import { loadMeanings } from '../../src/report/marts.ts';
import { catalogue, loadCompany } from '../sql/company.ts';
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

/** Every value of a database that has one of these texts in it, with where it stands. */
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

/** What was given, and what each line and expense costs. */
async function readCosts(): Promise<string[]> {
  const rows = await database.rows<{ cost: string }>(`
    SELECT DISTINCT CAST(cost AS VARCHAR) AS cost FROM whole.core.ledger WHERE cost IS NOT NULL
    UNION SELECT DISTINCT CAST(unrounded_cost AS VARCHAR) FROM whole.core.expense_lines`);
  expect(rows).toHaveLength(7);
  return [
    ...Object.values(COSTS).map((cost) => cost.replace(/^-|x$/g, '')),
    ...rows.map(({ cost }) => cost.replace(/0+$/, '')),
  ];
}

it('no column is named like a cost, but for the one that says whether it is known', async () => {
  const names = (await columnsOf('copy')).map(nameOf);
  const suspicious = names.filter((name) => /cost|markup|profit|margin|salary|wage|risk|raw|record$|rate/.test(name));
  expect(suspicious).toEqual([
    'core.ledger.bill_rate',
    'core.ledger.bill_rate_source',
    'core.ledger.has_cost',
    'marts.ledger.bill_rate',
    'marts.ledger.bill_rate_source',
    'marts.lines.bill_rate',
    'marts.lines.bill_rate_source',
  ]);
});

it('no value of any column is a cost, or tells one', async () => {
  const costs = await readCosts();
  expect(await findTexts('copy', costs)).toEqual([]);
  // The search finds what there is to find: every cost stands somewhere in the generation, in details of findings, too.
  const found = (await findTexts('whole', costs)).join('\n');
  expect(costs.filter((cost) => !found.includes(cost))).toEqual([]);
  expect(found).toMatch(/marts\.data_quality\.detail: .*17\.77/);
});

it('no byte of the file is left of a cost', async () => {
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

it('the marts have every column that needs no rates, and none that does', async () => {
  const meanings = loadMeanings('reports', catalogue);
  const marts = async (name: 'whole' | 'copy') => (await columnsOf(name)).filter(({ schema }) => schema === 'marts');
  const expected = (await marts('whole')).filter(({ relation, name }) => !meanings(relation, name)?.needs_rates);
  expect((await marts('copy')).map(nameOf)).toEqual(expected.map(nameOf));
});

it('every relation has the rows of the generation, and all that both have is the same', async () => {
  const columns = await columnsOf('copy');
  const whole = new Set((await columnsOf('whole')).map(nameOf));
  for (const relation of new Set(columns.map((column) => `${column.schema}.${column.relation}`))) {
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

it('the ledger has its order, and says of which lines the cost is known', async () => {
  const rows = await database.rows(`
    SELECT whole.date = copy.date AND whole.kind = copy.kind AS is_same_line, (whole.cost IS NOT NULL) = copy.has_cost AS is_same, COUNT(*) AS count
    FROM (SELECT *, ROW_NUMBER() OVER (ORDER BY rowid) AS number FROM whole.core.ledger) AS whole
    FULL JOIN (SELECT *, ROW_NUMBER() OVER (ORDER BY rowid) AS number FROM copy.core.ledger) AS copy ON copy.number = whole.number
    GROUP BY ALL`);
  expect(rows).toEqual([{ is_same_line: true, is_same: true, count: expect.any(Number) }]);
  const known = await database.rows('SELECT has_cost FROM copy.core.ledger GROUP BY has_cost');
  expect(known).toHaveLength(2);
});

it('details that quote a markup are told without it, all others as they are', async () => {
  const details = (name: string) => `SELECT "check", detail FROM ${name}.marts.data_quality`;
  expect(await database.rows(`${details('copy')} EXCEPT ${details('whole')}`)).toEqual([
    { check: 'markup_on_non_billable_expense', detail: 'a markup on an expense that is not billable' },
  ]);
  expect(await database.rows(`${details('whole')} EXCEPT ${details('copy')}`)).toHaveLength(1);
});
