import { expect, it, onTestFinished } from 'vitest';
import { sayWords } from '../../src/numbers/report/workbook/block-words.ts';
import { chooseListed, type ListRow } from '../../src/numbers/report/workbook/list-rows.ts';

const EURO = { currency: 'EUR', minorUnits: 2 };
const read = (facts: Record<string, string | null>) => (name: string) => facts[name] ?? null;
const say = (words: Parameters<typeof sayWords>[0], facts: Record<string, string | null>) =>
  sayWords(words, read(facts), EURO);

it.each([
  ['{label} is {hours|2} h over', 'Ana is 1,234.50 h over'],
  ['{label}[ ({percent|1} %)]', 'Ana'],
  ['{cost|money}, {less|-2} h less', '99.00 EUR, 3.00 h less'],
  ['{one|day|days} and {hours|hour|hours}', '1 day and 1,235 hours'],
])('says %s', (text, said) => {
  expect(say(text, { label: 'Ana', hours: '1234.5', percent: null, cost: '99', less: '-3', one: '1' })).toBe(said);
});

it('says the first that holds and whose values are known', () => {
  const words = [{ when: 'cost > 0', text: 'by cost' }, 'by {name}', 'by hours'];
  expect(say(words, { cost: '1', name: null })).toBe('by cost');
  expect(say(words, { cost: null, name: 'Ana' })).toBe('by Ana');
  expect(say(words, { cost: '-1', name: null })).toBe('by hours');
  expect(say(['{name}'], { name: null })).toBeUndefined();
});

const rows: ListRow[] = [
  { name: 'a', unit: 'hours', profit: '5' },
  { name: 'b', unit: 'EUR', profit: '7' },
  { name: 'c', unit: 'hours', profit: null },
  { name: 'd', unit: 'EUR', profit: '-2' },
].map((row) => new Map(Object.entries(row)));
const choose = (choice: Omit<Parameters<typeof chooseListed>[0], 'rows'>) =>
  chooseListed({ rows: { report: 'own' }, ...choice }, { rows, shared: new Map() }, () => null);
const names = async (chosen: ReturnType<typeof choose>) => (await chosen).listed.map((row) => row.get('name'));

it('lists the largest first, and of the others the least', async () => {
  const largest = choose({ known: ['profit'], sort: ['profit'], limit: 2 });
  expect(await names(largest)).toEqual(['b', 'a']);
  const { facts } = await largest;
  expect([facts('rows'), facts('others')]).toEqual(['3', '1']);
  expect(await names(choose({ known: ['profit'], sort: ['profit'], after: 2, order: 'least' }))).toEqual(['d']);
});

it('keeps rows of one size in their order, and turns it for the least', async () => {
  const facts = { same: { difference: ['profit', 'profit'] } };
  expect(await names(choose({ known: ['profit'], facts, sort: ['same'] }))).toEqual(['a', 'b', 'd']);
  expect(await names(choose({ known: ['profit'], facts, sort: ['same'], order: 'least' }))).toEqual(['d', 'b', 'a']);
});

it('leaves out rows by conditions, which hold of no unknown value', async () => {
  expect(await names(choose({ where: 'profit > 0' }))).toEqual(['a', 'b']);
  expect(await names(choose({ where: ['profit > 6', 'profit < 0'] }))).toEqual(['b', 'd']);
  expect(await names(choose({ unless: 'profit > 0' }))).toEqual(['c', 'd']);
  expect(await names(choose({ only: { unit: 'EUR' }, where: 'profit < 7' }))).toEqual(['d']);
});

it('adds up the rows of a group exactly, and counts those that meet a condition', async () => {
  const { listed } = await choose({
    group: 'unit',
    sums: ['profit'],
    counts: { losses: 'profit < 0', b: { name: 'b' } },
    distinct: { names: 'name' },
    group_facts: { half: { ratio: ['profit', 'rows'] } },
  });
  const shown = listed.map((row) => ['unit', 'rows', 'profit', 'losses', 'b', 'names', 'half'].map((n) => row.get(n)));
  expect(shown).toEqual([
    ['EUR', '2', '5.0000', '1', '1', '2', '2.5'],
    ['hours', '2', '5.0000', '0', '0', '2', '2.5'],
  ]);
});

it('chooses among many rows in turns, so that other requests go on', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => new Map([['profit', String(index)]]));
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  });
  onTestFinished(() => clearInterval(timer));
  const choice = { rows: { report: 'own' }, facts: { over: { first: ['profit'] } }, where: 'over > 0', sort: ['over'] };
  const { listed } = await chooseListed({ ...choice, limit: 1 }, { rows: many, shared: new Map() }, () => null);
  expect(listed.map((row) => row.get('over'))).toEqual(['9999']);
  expect(turns).toBeGreaterThan(0);
});
