import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { buildModels } from '../../src/numbers/model/build.ts';
import { sqlDirectory } from '../../src/numbers/relation/sql-file.ts';
import { ingestDirectory, inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { suggestMapping } from '../../src/records/ingest/proposal/suggest-mapping.ts';
import { stampGeneration } from '../../src/store/generation/open-generation.ts';

/*
 * Tables of programs without a layout, with invented values: their hours are found by the relations of their columns. What the
 * proposal asks is answered as its sentences say, and the load comes right.
 */
const FOLDER = 'test/ingest/own-tables';

interface Expected {
  /** The beginnings of the questions, all of which are asked at once. */
  readonly asks?: readonly string[];
  /** A part of the sentence with which a load is refused, if no answer leads further, or before it is given. */
  readonly refuse?: string;
  /** The name that is written where no column names a person. */
  readonly whose?: string;
  /** Parts of the proposal with what is written instead. */
  readonly answers?: Readonly<Record<string, string>>;
  readonly money?: Readonly<Record<string, string>>;
  readonly [total: string]: unknown;
}

const expected = JSON.parse(readFileSync(`${FOLDER}/totals.json`, 'utf8')) as Readonly<Record<string, Expected>>;

const TOTALS = `SELECT
  (SELECT CAST(sum(hours) AS VARCHAR) FROM source.logged_time) AS hours,
  (SELECT CAST(sum(hours) FILTER (billable) AS VARCHAR) FROM source.logged_time) AS billable_hours,
  (SELECT count(*) FROM source.people) AS people,
  (SELECT count(*) FROM source.projects) AS projects,
  (SELECT CAST(sum(cost) AS VARCHAR) FROM source.project_expenses) AS expenses,
  (SELECT CAST(sum(hours * date_diff('day', start_date, end_date + 1)) AS VARCHAR) FROM source.tasks) AS plan,
  (SELECT CAST(sum(hours * date_diff('day', start_date, end_date + 1)) AS VARCHAR) FROM source.timeoffs WHERE COALESCE(status, 2) <> 3) AS time_off`;

/** Loads a folder by a mapping, and returns its totals. */
async function totalsOf(directory: string, text: string, hasMoney = false) {
  const mapping = parseMapping(text, 'mapping.yaml', inputResources);
  const database = await openDatabase(':memory:');
  try {
    await ingestDirectory(database, directory, { mapping });
    if (!hasMoney) return (await database.rows(TOTALS))[0];
    await stampGeneration(database, directory, new Date('2026-06-15T12:00:00Z'));
    await buildModels(database, sqlDirectory);
    const sums = "SELECT sum(fee) AS fees, sum(cost) AS cost FROM core.ledger WHERE kind = 'actual'";
    return (await database.rows(sums))[0];
  } finally {
    await database.close();
  }
}

/** Answers the questions of a proposal as their sentences say. */
function answer(text: string, { whose = '', answers = {} }: Expected): string {
  const decided = text.replaceAll(/^ *open: .*\n/gm, '').replaceAll('named: ""', `named: "${whose}"`);
  const named = decided.replaceAll('value: ""', `value: "${whose}"`);
  return Object.entries(answers).reduce((all, [part, instead]) => all.replaceAll(part, instead), named);
}

describe('a table of an unknown program', () => {
  it.each(Object.entries(expected))('%s', { tags: ['slow'] }, async (name, wanted) => {
    const directory = `${FOLDER}/${name}`;
    const { asks = [], refuse, whose, answers, money: _, ...totals } = wanted;
    const proposed = suggestMapping(directory, inputResources);
    if (refuse !== undefined) await expect(proposed.then((text) => totalsOf(directory, text))).rejects.toThrow(refuse);
    if (refuse !== undefined && answers === undefined) return;
    const text = await proposed;
    const open = [...text.matchAll(/^ *open: (".*")$/gm)].flatMap(([, each = '""']) => JSON.parse(each).split('; '));
    expect(open).toEqual(asks.map((each) => expect.stringContaining(each)));
    if (open.length > 0) await expect(totalsOf(directory, text)).rejects.toThrow(open[0]);
    expect(await totalsOf(directory, answer(text, wanted))).toMatchObject(totals);
  });

  it.each(Object.entries(expected).filter(([, { money }]) => money))(
    'has the right amounts of %s',
    { tags: ['slow'] },
    async (name, { money }) => {
      const directory = `${FOLDER}/${name}`;
      expect(await totalsOf(directory, await suggestMapping(directory, inputResources), true)).toMatchObject(
        money ?? {},
      );
    },
  );

  it('has totals for every case', () => {
    const folders = readdirSync(FOLDER).filter((name) => name !== 'totals.json');
    expect(folders.sort()).toEqual(Object.keys(expected).sort());
  });
});
