import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';
import { openDatabase } from '../../../src/base/database/database.ts';
import type { Resource } from '../../../src/records/resource/resource.ts';
import { resources } from '../../../src/records/resource/resources.ts';
import { type Content, makeFolder, maskText, run, writeFiles } from '../../errors/gallery.ts';
import { type Json, wrongItems, wrongRecords } from '../../errors/wrong-values.ts';

const WINDOW = ['--start-date', '2026-01-01', '--end-date', '2026-01-31'];

it.each(['json', 'csv'] as const)(
  'a wrong value in every field of every resource, as %s, is set aside',
  async (format) => {
    const folder = await makeFolder();
    const cases = resources.map((resource) => ({ resource, ...wrongRecords(resource, format) }));
    const files = cases.map(({ resource, good, bad }) => {
      const records = [good, ...bad.map(({ record }) => record)];
      return [`data/${resource.name}.${format}`, format === 'csv' ? formatCsv(records) : records];
    });
    const { stderr, rejected } = await load(folder, Object.fromEntries(files) as Record<string, Content>);

    // Per resource, one record is good; each other one is rejected whole for its single fault.
    const expected = cases.flatMap(({ resource, bad }) =>
      bad.map(({ record, field }, index) => ({ resource: resource.name, position: index + 2, field, record })),
    );
    const found = rejected.map(({ resource, position, reasons, record }) => ({
      resource,
      position,
      field: reasons[0]?.split(': ')[0], // a rule about several fields may fail too
      record: format === 'json' ? JSON.parse(record) : expect.anything(),
    }));
    expect(found).toEqual(expected);
    for (const { resource, bad } of cases) {
      expect(stderr).toMatch(new RegExp(`^${resource.name} +${bad.length + 1} +1 +${bad.length} +0$`, 'm'));
    }
    await expect(maskText(stderr, folder)).toMatchFileSnapshot(goldenFile(`field-types-${format}`));
    await rm(folder, { recursive: true });
  },
);

it('a wrong value in every field of every item rejects the item, and its record loads', async () => {
  const folder = await makeFolder();
  const lists = resources.flatMap((resource) =>
    Object.entries(resource.lists).map(([name, items]) => ({ resource, name, ...wrongItems(items) })),
  );
  const records = lists.map(({ resource, name, list }, index) => {
    const within = resource.lists[name]?.within;
    const put = within ? { [within.list]: [{ people_id: 1, [within.field]: list }] } : { [name]: list };
    return { resource, record: { ...wrongRecords(resource, 'json').good, [idOf(resource)]: index + 1, ...put } };
  });
  const files: Record<string, Content> = {};
  for (const resource of resources) {
    const own = records.filter((given) => given.resource === resource).map(({ record }) => record);
    if (own.length > 0) files[`data/${resource.name}.json`] = own;
  }
  const { stderr, rejected } = await load(folder, files);

  const counts = lists.map(({ resource, name }) => {
    return rejected.filter(({ resource: other, item }) => other === resource.name && item?.startsWith(`${name}[`))
      .length;
  });
  expect(counts).toEqual(lists.map(({ wrongCount }) => wrongCount));
  expect(rejected.filter(({ item }) => item === null)).toEqual([]);
  await expect(maskText(stderr, folder)).toMatchFileSnapshot(goldenFile('field-types-items'));
  await rm(folder, { recursive: true });
});

interface Rejected {
  readonly resource: string;
  readonly position: number;
  readonly item: string | null;
  readonly reasons: readonly string[];
  readonly record: string;
}

/** Loads files, runs a report on them, and reads the rejected rows. */
async function load(folder: string, files: Readonly<Record<string, Content>>) {
  await writeFiles(folder, files);
  const file = join(folder, 'company.duckdb');
  const { exitCode, stderr } = await run(['load', join(folder, 'data'), '--database', file]);
  expect(exitCode, stderr).toBe(0);
  const report = await run(['report', 'projects', ...WINDOW, '--database', file]);
  expect(report.exitCode, report.stderr).toBe(0);
  const database = await openDatabase(file, { readOnly: true });
  const rejected = await database.rows<Rejected>(
    'SELECT resource, position, item, reasons, record FROM source.rejected ORDER BY rowid',
  );
  await database.close();
  return { stderr, rejected };
}

function idOf({ id, fields }: Resource): string {
  return fields[id]?.from?.[0] ?? id;
}

function goldenFile(name: string): string {
  return join(packageDirectory, 'test', 'errors', 'expected', `${name}.txt`);
}

function formatCsv(records: readonly Readonly<Record<string, Json>>[]): string {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const cell = (value: Json | undefined) => {
    if (value === undefined || value === null) return '';
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names, ...records.map((record) => names.map((name) => cell(record[name])))]
    .map((row) => `${row.join(',')}\n`)
    .join('');
}
