import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayIn, moveDay } from '../../src/base/calendar/index.ts';
import type { RatesChange } from '../../src/base/config/index.ts';
import { openDatabase } from '../../src/base/database/database.ts';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { runSync } from '../../src/store/sync/sync-run.ts';
import { runCommand } from '../history/kept-company.ts';
import { makeFolder, type Opened, openData } from '../live/data.ts';
import { withoutPublishing } from '../live/memory-source.ts';
import { Prng } from '../oracle/prng.ts';
import { SEED } from '../seed.ts';
import { openRecords } from '../sync/records-source.ts';
import { HELD, type Holder, rateOn, recordsOf, SAID, type SaidRates } from './priced-source.ts';

const ZONE = 'America/New_York';

let folder: string;
let now: Date;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-rates-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const holders = Object.keys(HELD) as Holder[];

/** Rates by the day from which the source has said them; the first holds always. */
type History = Record<Holder, { from: string; rate: number | null }[]>;

/** Changes some rates of a source at random, now and then to none. */
function changeSome(said: SaidRates, random: Prng): SaidRates {
  const changed = holders.filter(() => random.chance(0.15));
  const rate = () => (random.chance(0.1) ? null : random.int(80, 99));
  return { ...said, ...Object.fromEntries(changed.map((holder) => [holder, rate()])) };
}

function note(history: History, said: SaidRates, day: string, ratesChange: RatesChange): void {
  for (const holder of holders) {
    const known = history[holder];
    if (ratesChange === 'rewrite') {
      // The place of what the source said last.
      known.push({ from: known.pop()?.from ?? '', rate: said[holder] });
      continue;
    }
    // A run on a day before the last change counts on that.
    const from = [day, known.at(-1)?.from ?? ''].sort().at(-1) ?? day;
    if (known.at(-1)?.from === from) known.pop();
    if (known.at(-1)?.rate !== said[holder]) known.push({ from, rate: said[holder] });
  }
}

async function assertHistory(database: Parameters<typeof rateOn>[0], history: History, last: string): Promise<void> {
  for (const holder of holders) {
    const changes = history[holder].slice(1).flatMap(({ from }) => [moveDay(from, 'day', -1), from]);
    const days = [...new Set(['1970-01-01', ...changes, last])];
    for (const day of days) {
      const { rate } = history[holder].findLast(({ from }) => from <= day) ?? history[holder][0] ?? { rate: null };
      const found = await rateOn(database, holder, day);
      expect([SEED, holder, day, found]).toEqual([SEED, holder, day, rate === null ? null : `${rate}.0000`]);
    }
  }
}

const startHistory = (): History =>
  Object.fromEntries(holders.map((holder) => [holder, [{ from: '1970-01-01', rate: SAID[holder] }]])) as History;

it(`loads, and syncs after them, give the history that a source has said day by day (seed ${SEED})`, {
  timeout: 300_000,
  tags: ['slow'],
}, async () => {
  const random = new Prng(SEED);
  const file = join(folder, 'company.duckdb');
  const settingsFile = join(folder, 'settings.json');
  writeFileSync(settingsFile, JSON.stringify({ time_zone: ZONE }));
  const history = startHistory();
  let said = SAID;
  let day = '2026-03-01';
  let ratesChange: RatesChange = 'from_today';
  const next = () => {
    day = moveDay(day, 'day', random.chance(0.2) ? 0 : 1);
    now = new Date(`${day}T${String(random.int(0, 23)).padStart(2, '0')}:30:00Z`);
    said = changeSome(said, random);
    ratesChange = random.chance(0.15) ? 'rewrite' : 'from_today';
    note(history, said, dayIn(ZONE, now), ratesChange);
  };
  const data = mkdtempSync(join(folder, 'data-'));
  for (let load = 0; load < 4; load += 1) {
    if (load > 0) next();
    else now = new Date('2026-03-01T12:00:00Z');
    writeFileSync(join(data, 'settings.json'), JSON.stringify({ time_zone: ZONE }));
    for (const [name, rows] of Object.entries(recordsOf(said)))
      writeFileSync(join(data, `${name}.json`), JSON.stringify(rows));
    await loadDataset(data, file, { now, ratesChange });
  }
  const loaded = await openDatabase(file, { readOnly: true });
  await assertHistory(loaded, history, day).finally(() => loaded.close());
  const source = openRecords(folder, recordsOf(said));
  const synced = await openData(file, { now: () => now, isSynced: true, wrap: withoutPublishing });
  try {
    const { database } = synced.source;
    const parts = { puller: source, live: synced, database, file, memoryLimitMib: 256 };
    for (let run = 0; run < 30; run += 1) {
      next();
      source.records = recordsOf(said);
      await runSync(parts, { ratesChange, settingsFile, isFull: random.chance(0.2) });
    }
    await assertHistory(database, history, day);
    const again = await runSync(parts, { ratesChange: 'from_today', settingsFile, isFull: true });
    expect(again).toMatchObject({ new: 0, changed: 0, gone: 0 });
  } finally {
    await synced.close();
  }
});

it('a sync tells what changed rates move, in both ways', { tags: ['slow'] }, async () => {
  const place = await makeFolder('nothing');
  const own = mkdtempSync(join(folder, 'told-'));
  const source = openRecords(own, recordsOf(SAID));
  const synced: Opened = await openData(place.file, { now: () => now, isSynced: true, wrap: withoutPublishing });
  const run = async (at: string, role: number, ratesChange: RatesChange, isDry = false) => {
    now = new Date(at);
    source.records = recordsOf({ ...SAID, role });
    const parts = {
      puller: source,
      live: synced,
      database: synced.source.database,
      file: place.file,
      memoryLimitMib: 256,
    };
    const { notes } = await runSync(parts, { ratesChange, isDry });
    return notes.filter((each) => / rates? (would )?change/.test(each));
  };
  try {
    expect(await run('2026-06-01T08:00:00Z', 140, 'rewrite')).toEqual([]);
    expect(await run('2026-06-02T08:00:00Z', 150, 'rewrite', true)).toEqual(['1 rate would change.']);
    expect(await run('2026-06-02T08:00:00Z', 150, 'rewrite')).toEqual([
      '1 rate changed: value of 2 past lines +160.00.',
    ]);
    expect(await run('2026-06-03T08:00:00Z', 149.5, 'from_today')).toEqual([
      '1 rate changed, from 2026-06-03 on: value of 0 past lines +0.00. plumbline rates lists what was seen.',
    ]);
    expect(await run('2026-06-04T08:00:00Z', 149.5, 'from_today')).toEqual([]);
    const rates = ['2026-06-02', '2026-06-03'].map((day) => rateOn(synced.source.database, 'role', day));
    expect(await Promise.all(rates)).toEqual(['150.0000', '149.5000']);
  } finally {
    await synced.close();
    place.remove();
  }
});

it('what is decided about a rate seen stays, and keeps no sync from the data', { tags: ['slow'] }, async () => {
  const place = await makeFolder('nothing');
  const source = openRecords(mkdtempSync(join(folder, 'decided-')), recordsOf(SAID));
  const run = async (at: string, role: number) => {
    now = new Date(at);
    source.records = recordsOf({ ...SAID, role });
    const synced = await openData(place.file, { now: () => now, isSynced: true, publishEveryMs: 0 });
    const { database } = synced.source;
    const parts = { puller: source, live: synced, database, file: place.file, memoryLimitMib: 256 };
    try {
      await runSync(parts, { ratesChange: 'from_today', isFull: true });
      return await Promise.all(['2026-06-02', '2026-06-03', '2026-06-04'].map((day) => rateOn(database, 'role', day)));
    } finally {
      await synced.close();
    }
  };
  const [base, typo, raised] = ['140.0000', '1450.0000', '145.0000'];
  try {
    await run('2026-06-01T08:00:00Z', 140);
    await run('2026-06-02T08:00:00Z', 1450);
    expect(await run('2026-06-03T08:00:00Z', 145)).toEqual([typo, raised, raised]);
    const removed = await runCommand('2026-06-03T09:00:00Z', ['rates', 'remove', '1', '--database', place.file]);
    expect(removed).toMatchObject({ code: 0, stderr: '' });
    expect(await run('2026-06-04T08:00:00Z', 145)).toEqual([base, raised, raised]);
    expect(await run('2026-06-04T09:00:00Z', 145.5)).toEqual([base, raised, '145.5000']);
  } finally {
    place.remove();
  }
});
