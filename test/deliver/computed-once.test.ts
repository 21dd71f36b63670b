import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../src/base/database/database.ts';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { askReport } from '../../src/doors/deliver/content/ask-report.ts';
import { openFileData } from '../../src/doors/deliver/content/open-file-data.ts';
import { composeDelivery } from '../../src/doors/deliver/occurrence/compose.ts';
import { parseSetup } from '../../src/doors/deliver/setup/read-setup.ts';
import { runTold } from '../../src/numbers/report/insights/insights.ts';
import { type FormatName, writeTable } from '../../src/numbers/write/formats.ts';
import { copyLoaded } from '../loaded.ts';

const MOMENT = '2026-06-03T05:00:00Z';

let database = '';
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-once-'));
  await copyLoaded('delivered', folder, (made) => loadDataset('fixtures/company', join(made, 'company.duckdb')));
  database = join(folder, 'company.duckdb');
  return () => rmSync(folder, { recursive: true, force: true });
});

async function readBytes(bytes: AsyncIterable<string | Uint8Array>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of bytes) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString('latin1');
}

/** Counts the statements that read a database. */
function countReads(database: Database, counted: { reads: number }): Database {
  return new Proxy(database, {
    get(target, name, receiver) {
      const value = Reflect.get(target, name, receiver);
      if (name !== 'rows' && name !== 'stream' && name !== 'read') return value;
      return (...given: unknown[]) => {
        counted.reads += 1;
        return value.apply(target, given);
      };
    },
  });
}

/** Composes a delivery. @returns its files, those that a request gives, and the statements that it took. */
async function compose(request: string, formats: readonly FormatName[], to: string) {
  const { data, close } = await openFileData(database, 1024);
  onTestFinished(close);
  const text = `page: https://reports.example.com
smtp: {host: localhost, from: a@example.com}
domains: [example.com]
deliveries:
  - {name: once, when: new_data, rates: true, ${request}, formats: [${formats.join(', ')}], to: [${to}]}
`;
  const against = {
    catalogues: data.catalogues,
    days: { today: MOMENT.slice(0, 10), company: data.company() },
  };
  const setup = parseSetup(text, 'deliveries.yaml', against);
  const [plan] = setup.plans;
  if (!plan) throw new Error('No delivery');
  const files: Record<string, string> = {};
  const asked: Record<string, string> = {};
  const counted = { reads: 0 };
  const outbox = {
    async file(name: string, bytes: AsyncIterable<string | Uint8Array>) {
      const read = await readBytes(bytes);
      files[name.slice(name.lastIndexOf('.') + 1)] = read;
      return read.length;
    },
    finish: async () => undefined,
  };
  const now = () => new Date(MOMENT);
  const { report = '', parameters: sent } = plan;
  const signal = new AbortController().signal;
  await askReport(
    data,
    { report, sent, rights: { seesRates: true }, hasOwnRights: false, moment: now(), now, signal },
    async (opened) => {
      const own = { ...opened.context, database: countReads(opened.context.database, counted) };
      const subject = { delivery: 'once', occurrence: 'once@now', moment: MOMENT, isLate: false, state: undefined };
      const seen = { ...opened, context: own, run: (query: Parameters<typeof opened.run>[0]) => runTold(own, query) };
      await composeDelivery({ setup, plan, subject, opened: seen, outbox });
      for (const format of formats) {
        if (format === 'xlsx') continue;
        const query = opened.parse({}, undefined, format);
        asked[format] = await readBytes(writeTable(format, await opened.run(query)));
      }
    },
  );
  return { files, asked, reads: counted.reads };
}

const FOLDER = '{folder: /srv/reports}';
const TABLES: readonly FormatName[] = ['csv', 'json', 'ndjson', 'parquet', 'arrow'];

it.each([
  ['for a folder', FOLDER],
  ['for a folder and mails', `{email: [a@example.com, b@example.com]}, ${FOLDER}`],
])('files in several formats take the statements of one report, %s', { tags: ['slow'] }, async (_, to) => {
  const request = 'report: clients, parameters: {period: last_month}';
  const file = await compose(request, ['csv'], to);
  const files = await compose(request, TABLES, to);
  expect(file.reads).toBeGreaterThan(0);
  expect(files.reads).toBe(file.reads);
});

const INNER: readonly FormatName[] = ['json', 'ndjson'];

it.each<[string, string, readonly FormatName[]]>([
  ['a report with sentences', 'report: projects, parameters: {period: last_month}', TABLES],
  ['one that asks for them', 'report: projects, parameters: {period: last_month, insights: true, links: true}', INNER],
  ['nested rows', 'report: projects, parameters: {period: last_month, expand: phases}', INNER],
  ['chosen columns', 'report: projects, parameters: {period: last_month, fields: "name,actual_fees"}', TABLES],
  [
    'subtotals',
    'report: pivot, parameters: {period: last_month, group_by: "client,project", subtotals: true}',
    ['json'],
  ],
  ['a list', 'report: lines, parameters: {period: last_month}', TABLES],
])(
  'the files of a delivery with a mail are those of the report: %s',
  { tags: ['slow'] },
  async (_, request, formats) => {
    const { files, asked } = await compose(request, formats, `{email: [a@example.com]}, ${FOLDER}`);
    expect(Object.keys(files)).toEqual([...formats]);
    for (const format of formats) expect(files[format], format).toBe(asked[format]);
  },
);
