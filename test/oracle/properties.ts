import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { openDatabase } from '../../src/base/database/database.ts';
import { buildModels } from '../../src/numbers/model/build.ts';
import { writeTable } from '../../src/numbers/write/formats.ts';
import { ingestDirectory } from '../../src/records/ingest/ingest.ts';
import { stampGeneration } from '../../src/store/generation/open-generation.ts';
import { runReport } from '../reports.ts';
import { SEED } from '../seed.ts';
import { catalogue } from '../sql/company.ts';
import { addDays, isDate } from './calendar.ts';
import type { Dataset, RawRecord, RecordValue } from './dataset.ts';
import { writeDataset } from './files.ts';
import { modelOf } from './ledger.ts';
import { Prng } from './prng.ts';
import { randomDataset } from './random.ts';

const SHIFT_DAYS = 7;

const WINDOW = { start_date: '2024-01-01', end_date: '2024-06-30' };

const CUTOFF = '2024-03-31';

/** Load and report times, the only values that differ between two readings. */
const MOMENTS = /"(?:generated|loaded)_at":"[^"]*",/g;

/** Every report of the ledger. Data-quality is left out: its rows contain file names and positions. */
const QUERIES: readonly (readonly [name: string, more: Readonly<Record<string, string>>])[] = [
  ['projects', { interval: 'week' }],
  ['phases', {}],
  ['people', { interval: 'week' }],
  ['tasks', {}],
  ['pivot', { group_by: 'person,project' }],
  ['lines', {}],
];

/** Output for a dataset, by name and format: the ledger as text, each report as JSON and CSV. */
interface Readings {
  readonly ledger: string[];
  readonly reports: Readonly<Record<string, string>>;
}

/** Options for loading a dataset. */
interface LoadOptions {
  /** Seed of the file layout. Default: the seed of the dataset. */
  readonly files?: number;
  readonly threads?: number;
  /** Days by which the window moves. */
  readonly days?: number;
}

/**
 * Tests properties of the whole program on random datasets: equal business facts give equal numbers.
 * @param count Number of datasets; PLUMBLINE_PROPERTIES overrides it.
 */
export function testProperties(count: number): void {
  const datasets = Number(process.env['PLUMBLINE_PROPERTIES'] ?? count);
  // The last of several records with one id counts, so their order matters.
  const seeds = Array.from({ length: 6 * datasets + 20 }, (_, index) => SEED + index)
    .filter((seed) => modelOf(randomDataset(seed)).clean.duplicates === 0)
    .slice(0, datasets);

  describe.each(seeds)(`properties of the numbers, PLUMBLINE_SEED=${SEED}, seed %i`, (seed) => {
    const dataset = randomDataset(seed);
    let expected: Readings;
    beforeAll(async () => {
      expected = await read(dataset, seed, {});
    });

    it('files, records and threads in any order give the same bytes', async () => {
      const threads = seed % 2 === 0 ? 2 : 8;
      expect(await read(shuffle(dataset, seed + 1), seed, { threads, files: 1 })).toEqual(expected);
    });

    it('splitting an allocation in two changes no sum', async () => {
      const { reports } = await read(split(dataset), seed, {});
      const sums = QUERIES.filter(([name]) => name !== 'lines').flatMap(([name]) => [`${name} json`, `${name} csv`]);
      for (const name of sums) expect(reports[name], name).toEqual(expected.reports[name]);
    });

    it('renaming changes only names', async () => {
      const { ledger, reports } = await read(rename(dataset), seed, {});
      const named = Object.entries(reports).map(([name, text]) => [name, text.replaceAll(MARK, '')]);
      expect({ ledger, reports: Object.fromEntries(named) }).toEqual(expected);
    });

    it(`moving all dates by ${SHIFT_DAYS} days moves the results by ${SHIFT_DAYS} days`, async () => {
      const weekly = inWeeks(dataset);
      const before = await read(weekly, seed, {});
      const later = await read(shiftAll(weekly, SHIFT_DAYS), seed, { days: SHIFT_DAYS });
      const back = (text: string) => shiftText(text, -SHIFT_DAYS);
      const reports = Object.entries(later.reports).map(([name, text]) => [name, back(text)]);
      expect({ ledger: later.ledger.map(back).sort(), reports: Object.fromEntries(reports) }).toEqual(before);
    });
  });
}

async function read(
  dataset: Dataset,
  seed: number,
  { files = seed, threads = 1, days = 0 }: LoadOptions,
): Promise<Readings> {
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-properties-'));
  const database = await openDatabase(':memory:', { settings: { threads: String(threads) } });
  try {
    await writeDataset(dataset, folder, files);
    await ingestDirectory(database, folder);
    await stampGeneration(database, folder, new Date('2026-01-01T00:00:00Z'));
    await database.run("UPDATE source.generation SET data_version = 'one', loaded_from = 'here'");
    await buildModels(database, join(packageDirectory, 'sql'));
    const lines = await database.rows<{ line: string }>(
      'SELECT CAST(ledger AS VARCHAR) AS line FROM marts.ledger AS ledger',
    );
    const reports: Record<string, string> = {};
    const window = Object.fromEntries(Object.entries(WINDOW).map(([name, day]) => [name, addDays(day, days)]));
    for (const [name, more] of QUERIES) {
      const cutoff = addDays(CUTOFF, days);
      const table = await runReport(database, catalogue, name, { ...window, cutoff_date: cutoff, ...more });
      const chunks = await Readable.from(table.rows).toArray();
      for (const format of ['json', 'csv'] as const) {
        let text = '';
        for await (const piece of writeTable(format, { ...table, rows: Readable.from(chunks) }))
          text += Buffer.from(piece).toString();
        reports[`${name} ${format}`] = text.replaceAll(MOMENTS, '');
      }
    }
    return { ledger: lines.map(({ line }) => line).sort(), reports };
  } finally {
    await database.close();
    await rm(folder, { recursive: true });
  }
}

/** Returns the dataset with its resources and their records shuffled. */
function shuffle(dataset: Dataset, seed: number): Dataset {
  const random = new Prng(seed);
  const entries = Object.entries(dataset).map(([name, content]) => [
    name,
    Array.isArray(content) ? random.shuffled(content) : content,
  ]);
  return Object.fromEntries(random.shuffled(entries));
}

/**
 * Splits allocations that don't repeat in two, if their people have work hours in both parts (D6).
 * The end of their repeats goes: before the start of the second part it would make that part invalid.
 */
function split(dataset: Dataset): Dataset {
  const { clean, days } = modelOf(dataset);
  const tasks = (dataset.tasks ?? []).flatMap((record): RawRecord[] => {
    const { repeat_end: _, repeat_end_date: __, ...once } = record;
    const allocation = clean.allocations.get(Number(record['task_id']));
    if (allocation?.repeatState !== 0 || record['end_date'] !== allocation.endDate) return [record];
    const { startDate, endDate, peopleIds, id } = allocation;
    for (let last = startDate; last < endDate; last = addDays(last, 1)) {
      const next = addDays(last, 1);
      const works = (person: number, from: string, to: string): boolean =>
        from <= to && (days.work(person, from).greaterThan(0) || works(person, addDays(from, 1), to));
      if (peopleIds.every((person) => works(person, startDate, last) && works(person, next, endDate))) {
        return [
          { ...once, end_date: last },
          { ...once, task_id: 500_000 + id, start_date: next },
        ];
      }
    }
    return [record];
  });
  return { ...dataset, tasks };
}

/** A suffix that renames things and keeps their order. */
const MARK = '~';

function rename(dataset: Dataset): Dataset {
  const NAMES = new Set(['name', 'task_name']);
  const walk = (value: RecordValue): RecordValue => {
    if (Array.isArray(value)) return value;
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]) => {
        const isName = NAMES.has(field) && typeof inner === 'string' && inner !== '';
        return [field, isName ? `${inner}${MARK}` : field === 'tags' ? inner : walk(inner)];
      }),
    );
  };
  const entries = Object.entries(dataset).filter(([name]) => name !== 'settings');
  const renamed = entries.map(([name, records]) => [name, (records as RawRecord[]).map(walk)]);
  return { ...Object.fromEntries(renamed), ...(dataset.settings && { settings: dataset.settings }) };
}

/** Returns the dataset with weekly, ending repeats only: months differ in length. */
function inWeeks(dataset: Dataset): Dataset {
  const WEEKS = [0, 1, 3, 3, 4, 5, 1, 3, 4, 5];
  const change = (record: RawRecord): RawRecord => {
    const state = Number(record['repeat_state'] ?? 0);
    const hasEnd = Boolean(record['repeat_end'] || record['repeat_end_date']);
    const end = state > 0 && !hasEnd ? { repeat_end: undefined, repeat_end_date: '2024-08-31' } : {};
    const kept = { ...record, repeat_state: WEEKS[state] ?? state, ...end };
    return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)) as RawRecord;
  };
  return {
    ...dataset,
    ...(dataset.tasks && { tasks: dataset.tasks.map(change) }),
    ...(dataset.timeoffs && { timeoffs: dataset.timeoffs.map(change) }),
  };
}

function shiftAll(dataset: Dataset, days: number): Dataset {
  return JSON.parse(shiftText(JSON.stringify(dataset), days));
}

/** Returns a text with every date in it moved. */
function shiftText(text: string, days: number): string {
  return text.replaceAll(/\b(?:19|20)\d{2}-\d{2}-\d{2}\b/g, (day) => (isDate(day) ? addDays(day, days) : day));
}
