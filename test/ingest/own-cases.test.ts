// @module-tag slow
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/base/database/database.ts';
import { buildModels } from '../../src/numbers/model/build.ts';
import { sqlDirectory } from '../../src/numbers/relation/sql-file.ts';
import { completeControls } from '../../src/records/ingest/controls/amount-totals.ts';
import { describeDifferences } from '../../src/records/ingest/controls/own-controls.ts';
import { ingestDirectory, inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { suggestMapping } from '../../src/records/ingest/proposal/suggest-mapping.ts';
import { stampGeneration } from '../../src/store/generation/open-generation.ts';

/*
 * Exports of other programs with invented values: what the proposal alone makes of them, against the totals that the files have.
 */
const FOLDER = 'test/ingest/own-cases';

interface Money {
  readonly fees?: string;
  readonly cost?: string;
  readonly differences?: readonly string[];
}

interface Expected {
  /** The beginning of the sentence with which a load is refused. */
  readonly refuse?: string;
  /** The fees and the cost of the logged hours, and sentences where the file's own amounts differ. */
  readonly money?: Money;
  readonly [total: string]: string | number | Money | null | undefined;
}

const expected = JSON.parse(readFileSync(`${FOLDER}/totals.json`, 'utf8')) as Readonly<Record<string, Expected>>;

const TOTALS = `SELECT
  (SELECT sum(hours) FROM source.logged_time) AS hours,
  (SELECT sum(hours) FILTER (billable) FROM source.logged_time) AS billable_hours,
  (SELECT CAST(min(date) AS VARCHAR) FROM source.logged_time) AS first,
  (SELECT CAST(max(date) AS VARCHAR) FROM source.logged_time) AS last,
  (SELECT count(*) FROM source.people) AS people,
  (SELECT count(*) FROM source.projects) AS projects,
  (SELECT count(*) FROM source.clients) AS clients,
  (SELECT count(*) FROM source.rejected) AS set_aside,
  (SELECT CAST(sum(cost) AS VARCHAR) FROM source.project_expenses) AS expenses,
  (SELECT sum(hours * date_diff('day', start_date, end_date + 1)) FROM source.tasks) AS plan,
  (SELECT sum(hours * date_diff('day', start_date, end_date + 1)) FROM source.timeoffs WHERE COALESCE(status, 2) <> 3) AS time_off,
  (SELECT count(*) FROM source.contracts) AS contracts,
  (SELECT count(*) FROM source.invoices WHERE COALESCE(status, 'issued') <> 'void') AS invoices,
  (SELECT count(*) FROM source.invoices WHERE paid_date IS NOT NULL) AS paid,
  (SELECT CAST(sum(amount) FILTER (COALESCE(status, 'issued') = 'issued') AS VARCHAR)
    FROM source.invoice_lines JOIN source.invoices USING (invoice_id)) AS invoiced,
  (SELECT CAST(sum(amount) FILTER (status = 'draft') AS VARCHAR)
    FROM source.invoice_lines JOIN source.invoices USING (invoice_id)) AS drafts`;

/** Loads a folder by its proposed mapping, and returns its totals. */
async function totalsOf(directory: string) {
  const text = await suggestMapping(directory, inputResources);
  const mapping = parseMapping(text, 'mapping.yaml', inputResources);
  const database = await openDatabase(':memory:');
  try {
    await ingestDirectory(database, directory, { mapping });
    const [row] = await database.rows(TOTALS);
    return row;
  } finally {
    await database.close();
  }
}

/** Loads a folder by its proposed mapping, builds the models, and returns the amounts of the logged hours. */
async function moneyOf(directory: string) {
  const text = await suggestMapping(directory, inputResources);
  const mapping = parseMapping(text, 'mapping.yaml', inputResources);
  const database = await openDatabase(':memory:');
  try {
    const { controls } = await ingestDirectory(database, directory, { mapping });
    await stampGeneration(database, directory, new Date('2026-06-15T12:00:00Z'));
    await buildModels(database, sqlDirectory);
    const [amounts] = await database.rows(
      "SELECT sum(fee) AS fees, sum(cost) AS cost FROM core.ledger WHERE kind = 'actual'",
    );
    return { ...amounts, differences: describeDifferences(await completeControls(database, controls)) };
  } finally {
    await database.close();
  }
}

describe('the proposal alone', () => {
  it.each(Object.entries(expected))(
    'makes the right totals of %s, or a sentence',
    async (name, { refuse, money: _, ...totals }) => {
      const found = totalsOf(`${FOLDER}/${name}`);
      if (refuse === undefined) expect(await found).toMatchObject(totals);
      else await expect(found).rejects.toThrow(refuse);
    },
  );

  // Amounts need the models of each company.
  it.each(Object.entries(expected).filter(([, { money }]) => money))(
    'makes the right amounts of %s',
    { tags: ['slow'] },
    async (name, { money }) => {
      expect(await moneyOf(`${FOLDER}/${name}`)).toMatchObject({ differences: [], ...money });
    },
  );

  it('tells control totals of each file', { tags: ['slow'] }, async () => {
    const directory = `${FOLDER}/01-toggl-detailed`;
    const text = await suggestMapping(directory, inputResources);
    const database = await openDatabase(':memory:');
    const mapping = parseMapping(text, 'mapping.yaml', inputResources);
    const { controls } = await ingestDirectory(database, directory, { mapping });
    const kept = await database.rows(
      "SELECT records, hours, billable_hours, first_day, last_day, people, projects FROM source.files WHERE resource = 'logged_time'",
    );
    await database.close();
    const [first_day, last_day] = ['2026-03-02', '2026-03-31'];
    expect(kept).toEqual([
      { records: 10, hours: '10.0000', billable_hours: null, first_day, last_day, people: 3, projects: 3 },
    ]);
    expect(controls).toMatchObject([
      {
        resource: 'logged_time',
        records: 8,
        hours: '10.0000',
        // Its projects decide, too: their views aren't built here.
        billableHours: null,
        firstDay: '2026-03-02',
        lastDay: '2026-03-31',
        people: 3,
        projects: 3,
      },
    ]);
  });

  it('has totals for every case', () => {
    const folders = readdirSync(FOLDER).filter((name) => name !== 'totals.json');
    expect(folders.sort()).toEqual(Object.keys(expected).sort());
  });
});
