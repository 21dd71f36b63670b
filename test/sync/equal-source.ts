import { expect } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { servedResources } from '../../src/store/record/served-resources.ts';
import { sqlOfField } from '../../src/store/record/view.ts';

/** The queries by which a list shows the fields and role placeholders that the ledger needs. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  roles: ['expand=cost_rate_history,bill_rate_history'],
  people: ['expand=contracts,bill_rate_history', 'expand=contracts,bill_rate_history&people_type_id=4'],
  projects: ['expand=project_team,expenses,bill_rate_history,rate_cards'],
  clients: ['expand=rate_cards'],
  phases: ['expand=phase_team,bill_rate_history'],
};

const REPORTS = ['projects', 'people', 'phases', 'tasks', 'lines', 'data-quality'] as const;

const WINDOW = 'start_date=2026-01-01&end_date=2026-06-30';

const PER_PAGE = 200;

/** The tables of records, each with its columns, whose defaults count as values. */
const TABLES = [...servedResources.values()]
  .filter(({ isStored }) => isStored)
  .flatMap((resource) => [
    {
      resource,
      table: resource.table,
      columns: Object.keys(resource.fields).map((name) => sqlOfField(resource, name)),
    },
    ...Object.values(resource.lists).map((items) => ({
      resource,
      table: `source.${items.table}`,
      columns: [resource.id, 'position', ...Object.keys(items.fields)],
    })),
  ]);

/** Returns a digest of the tables of each resource, whatever the order of their rows. */
export async function readDigests(database: Pick<Database, 'rows'>): Promise<ReadonlyMap<string, string>> {
  const selects = TABLES.map(
    ({ resource, table, columns }) =>
      `SELECT '${resource.name}' AS resource, CAST(sum(hash('${table}', ${columns.join(', ')})) AS VARCHAR) AS digest FROM ${table}`,
  );
  const rows = await database.rows<{ resource: string; digest: string | null }>(selects.join(' UNION ALL '));
  const byResource = new Map<string, typeof rows>();
  for (const row of rows) byResource.set(row.resource, [...(byResource.get(row.resource) ?? []), row]);
  return new Map([...byResource].map(([name, found]) => [name, found.map(({ digest }) => digest).join(' ')]));
}

/** Compares every record of a resource that a server shows with those of its source. */
export async function expectSameRecords(
  resource: string,
  url: string,
  sourceUrl: string,
  message: string,
): Promise<void> {
  for (const query of QUERIES[resource] ?? ['']) {
    const [found, wanted] = await Promise.all([url, sourceUrl].map((from) => readList(from, resource, query)));
    expect(found, `${resource}: ${message}`).toEqual(wanted);
  }
}

/** Compares the reports of a server with those of its source. */
export async function expectSameReports(url: string, sourceUrl: string, message: string): Promise<void> {
  for (const name of REPORTS) {
    const [found, wanted] = await Promise.all(
      [url, sourceUrl].map((from) => read(`${from}/v3/reports/${name}.csv?${WINDOW}`)),
    );
    expect(found?.split('\n'), `report ${name}: ${message}`).toEqual(wanted?.split('\n'));
  }
}

/** Reads every page of a list. @returns the records as JSON, sorted. */
async function readList(url: string, resource: string, query: string): Promise<string[]> {
  const records: string[] = [];
  for (let page = 1; ; page += 1) {
    const text = await read(`${url}/v3/${resource.replaceAll('_', '-')}?per-page=${PER_PAGE}&page=${page}&${query}`);
    const found = text === '' ? [] : (JSON.parse(text) as object[]);
    records.push(...found.map((record) => JSON.stringify(record)));
    if (found.length < PER_PAGE) return records.sort();
  }
}

async function read(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  expect(response.ok, `${url}: ${text}`).toBe(true);
  return text;
}
