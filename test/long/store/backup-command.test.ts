import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createToken } from '../../../src/doors/identity/tokens.ts';
import { fileWithoutRates } from '../../../src/store/generation/generation-files.ts';
import { openPublished } from '../../../src/store/generation/open-generation.ts';
import { openIdleWorking } from '../../../src/store/live/working-file.ts';
import { readState, run } from '../../errors/gallery.ts';
import { runProcess, startProgram } from '../../errors/program.ts';
import { openData } from '../../live/data.ts';
import { priced } from '../../published/dataset.ts';
import { type LoadedCompany, loadCompany } from '../../sql/company.ts';

let company: LoadedCompany;
let folder: string;
/** The paths of a backup, and of a database to restore. */
let [backup, database]: [string, string] = ['', ''];
beforeEach(async () => {
  company = await loadCompany(priced);
  folder = mkdtempSync(join(tmpdir(), 'plumbline-backup-'));
  [backup, database] = [join(folder, 'backup'), join(folder, 'other', 'restored.duckdb')];
  mkdirSync(dirname(database));
});
afterEach(() => {
  company.remove();
  rmSync(folder, { recursive: true });
});

const backUp = () => run(['backup', backup, '--database', company.file]);
const restore = (...flags: string[]) => run(['restore', backup, '--database', database, ...flags]);

/** Returns the ids of logged time in a restored working file. */
async function readIds(): Promise<unknown[]> {
  const { database: working, close } = await openIdleWorking(database, {});
  const rows = await working.rows('SELECT logged_time_id AS id FROM source.logged_time');
  await close();
  return rows.map(({ id }) => id);
}

describe('a working file that another process owns', () => {
  // Without a refresh, writes stay in the journal.
  it.each([
    ['between writes', { refreshDelayMs: 1_000_000 }, 60_000],
    ['while its numbers cannot be refreshed', { refreshDelayMs: 20 }, 60_000],
    ['between publications', { refreshDelayMs: 1 }, 1],
  ])('is backed up %s, with every write answered before', async (when, limits, publishEveryMs) => {
    let frozen = 0;
    let overlaps = 0;
    const thaw = () => {
      frozen -= 1;
    };
    const data = await openData(company.file, {
      limits,
      publishEveryMs,
      wrap: (source) => ({
        ...source,
        refresh: (...given) =>
          when.includes('cannot')
            ? sleep(50).then(() => Promise.reject(new Error('broken')))
            : source.refresh(...given),
        async freeze() {
          overlaps += frozen;
          frozen += 1;
          await source.freeze();
        },
        publish: () => source.publish().finally(thaw),
        copy: (to) => source.copy(to).finally(thaw),
      }),
    });
    const answered = [await data.logHour()];
    const backingUp = runProcess(['backup', backup, '--database', company.file]);
    let before: readonly string[] = [];
    for (let isOver = false; !isOver; ) {
      answered.push(await data.logHour());
      // The request for a copy comes after these writes.
      if (!existsSync(`${company.file.replace('.duckdb', '.work.duckdb')}.backup.lock`)) before = [...answered];
      isOver = await Promise.race([backingUp.then(() => true), sleep(25).then(() => false)]);
    }
    expect(await backingUp).toMatchObject({ exitCode: 0 });
    await data.close();
    expect(await restore()).toMatchObject({ exitCode: 0 });
    expect(before.length).toBeGreaterThan(1);
    expect(overlaps).toBe(0);
    expect(await readIds()).toEqual(expect.arrayContaining([...before]));
    const left = readdirSync(dirname(company.file)).filter((name) => /backup|next-/.test(name));
    expect(left).toEqual(['company.work.duckdb.backup.lock']);
  });

  it('is not backed up by halves: the reason of its owner is told, and nothing is left', async () => {
    const data = await openData(company.file, {
      wrap: (source) => ({ ...source, copy: () => Promise.reject(new Error('no space')) }),
    });
    const { exitCode, stderr } = await runProcess(['backup', backup, '--database', company.file]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("can't copy it: no space")]);
    expect(readdirSync(folder)).toEqual(['other']);
    await data.close();
  });

  it('leaves nothing of a backup that a signal ends, and makes the next one', async () => {
    const data = await openData(company.file, { limits: { pollMs: 1_000_000 } });
    const before = readdirSync(dirname(company.file)).sort();
    const program = startProgram(['backup', backup, '--database', company.file]);
    await expect.poll(() => readdirSync(dirname(company.file))).toContain('company.work.duckdb.backup-asked');
    program.signal('SIGTERM');
    await program.outcome;
    expect(readdirSync(folder)).toEqual(['other']);
    const left = readdirSync(dirname(company.file)).filter((name) => !name.endsWith('.backup.lock'));
    expect(left.sort()).toEqual(before);
    await data.close();
    expect((await backUp()).exitCode).toBe(0);
  });
});

it('a restored database has the records, reports, tokens and permissions of the one that was backed up', async () => {
  const tokens = join(dirname(company.file), 'company.tokens.json');
  await createToken(tokens, { label: 'test', scopes: ['reports'], expires: null }, new Date());
  const read = async (file: string) => {
    const { dataVersion, generation, withoutRates, close } = await openPublished(file, {});
    const rows = [generation, withoutRates].map((each) => each.rows('SELECT * FROM marts.lines ORDER BY ALL'));
    const found = { dataVersion, rows: await Promise.all(rows) };
    await close();
    return found;
  };
  const expected = await read(company.file);
  expect(await backUp()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining(expected.dataVersion) });
  expect(statSync(backup).mode & 0o777).toBe(0o700);
  expect(await restore()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('revoke again') });
  expect(await read(database)).toEqual(expected);
  const restored = join(dirname(database), 'restored.tokens.json');
  expect(readFileSync(restored, 'utf8')).toBe(readFileSync(tokens, 'utf8'));
  expect(statSync(restored).mode & 0o777).toBe(0o600);
});

const edit = (change: (text: string) => string) => {
  const file = join(backup, 'manifest.json');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
};

it('restores no file that can be run, and none with rates that others can read', async () => {
  await backUp();
  edit((text) => text.replaceAll(/("mode": ")[^"]*/g, '$1777'));
  expect((await restore()).exitCode).toBe(0);
  expect(statSync(database).mode & 0o777).toBe(0o600);
  expect(statSync(fileWithoutRates(database)).mode & 0o777).toBe(0o664);
});

const WRONG: readonly [string, RegExp, () => void][] = [
  [
    'with a byte changed',
    /company\.no-rates\.duckdb is not the file that was backed up: its SHA-256 is/,
    () => {
      const file = join(backup, 'company.no-rates.duckdb');
      const bytes = readFileSync(file);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      writeFileSync(file, bytes);
    },
  ],
  [
    'with a file cut short',
    /it has 100 bytes instead of/,
    () => writeFileSync(join(backup, 'company.duckdb'), Buffer.alloc(100)),
  ],
  ['without one of its files', /it is missing/, () => rmSync(join(backup, 'company.duckdb'))],
  ['without a manifest', /is not a backup/, () => rmSync(join(backup, 'manifest.json'))],
  [
    'that names a file outside',
    /it lists "\.\.\/x", which is no file of a backup/,
    () => edit((text) => text.replace('company.no-rates.duckdb', '../x')),
  ],
  ['that names a file twice', /a file twice/, () => edit((text) => text.replace('company.no-rates', 'company'))],
  ['whose manifest is no object', /names no version/, () => edit(() => 'null')],
  ['whose manifest is cut short', /is not JSON/, () => edit((text) => text.slice(0, 200))],
  ['with an endless manifest', /more than 16777216 bytes/, () => edit((text) => text + ' '.repeat(16_777_216))],
  [
    'of a newer version',
    /Plumbline 0\.10\.0 made the backup .*older version/,
    () => edit((text) => text.replace(/(program_version": ")[^"]*/, '$10.10.0')),
  ],
  [
    'with newer tables',
    /has the format 99 of a later version/,
    () => edit((text) => text.replace(/(data_format": )\d+/, '$199')),
  ],
];

it('a backup that is damaged, foreign or newer is refused, and nothing changes', async () => {
  await backUp();
  const kept = new Map(readdirSync(backup).map((name) => [name, readFileSync(join(backup, name))]));
  writeFileSync(database, 'what was there');
  const before = await readState(dirname(database));
  for (const [which, reason, damage] of WRONG) {
    damage();
    const { exitCode, stderr } = await restore('--replace');
    expect([exitCode, stderr], which).toEqual([1, expect.stringMatching(reason)]);
    expect(await readState(dirname(database)), which).toEqual(before);
    for (const [name, bytes] of kept) writeFileSync(join(backup, name), bytes);
  }
  expect((await restore('--replace')).exitCode).toBe(0);
});

it('a restore over other data needs --replace, and keeps all of it under other names', async () => {
  await backUp();
  const others = ['restored.duckdb', 'restored.work.duckdb', 'restored.work.duckdb.wal', 'restored.tokens.json'];
  for (const name of others) writeFileSync(join(dirname(database), name), name);
  expect(await restore()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('add --replace') });
  expect((await restore('--replace')).exitCode).toBe(0);
  const names = readdirSync(dirname(database)).filter((name) => !name.endsWith('.lock'));
  // The backup has no tokens, so these stay.
  expect(names.map((name) => name.replace(/\d{8}T\d{6}Z/, 'TIME')).sort()).toEqual([
    'restored.duckdb',
    'restored.duckdb.replaced-TIME',
    'restored.no-rates.duckdb',
    'restored.tokens.json',
    'restored.work.duckdb.replaced-TIME',
    'restored.work.duckdb.wal.replaced-TIME',
  ]);
  for (const name of names.filter((each) => each.includes('.replaced-'))) {
    expect(readFileSync(join(dirname(database), name), 'utf8')).toBe(name.replace(/\.replaced-.*/, ''));
  }
});

it('files that do not belong together are not backed up', async () => {
  const other = await loadCompany(priced, { now: new Date('2026-06-15T12:00:00Z') });
  copyFileSync(fileWithoutRates(other.file), fileWithoutRates(company.file));
  other.remove();
  const { exitCode, stderr } = await backUp();
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('is not the copy without rates of')]);
  expect(readdirSync(folder)).toEqual(['other']);
});

it('an empty folder is filled', async () => {
  mkdirSync(backup);
  expect((await backUp()).exitCode).toBe(0);
  expect(readdirSync(backup)).toEqual(['company.duckdb', 'company.no-rates.duckdb', 'manifest.json']);
});

it.each([
  [
    'a folder with other content',
    () => writeFileSync(join(folder, 'notes'), 'mine'),
    () => folder,
    /not an empty folder/,
  ],
  ['a file', () => writeFileSync(backup, 'mine'), () => backup, /not an empty folder/],
  ['a folder in none', () => undefined, () => join(folder, 'no', 'backup'), /There is no folder/],
])('no backup is made into %s', async (_where, prepare, target, reason) => {
  prepare();
  const before = await readState(folder);
  const { exitCode, stderr } = await run(['backup', target(), '--database', company.file]);
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(reason)]);
  expect(await readState(folder)).toEqual(before);
});
