import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { findResource } from '../../src/records/resource/resources.ts';
import { openStore } from '../../src/store/live/store.ts';
import { CREATE_CHANGES } from '../../src/store/record/storage/changes.ts';
import { type Journal, openJournal } from '../../src/store/record/storage/journal.ts';
import { prepareService } from '../../src/store/record/storage/tables.ts';
import { loadCompany } from '../sql/company.ts';
import { NOW } from './service.ts';

let folder: string;
let file: string;
let database: Database;
let journal: Journal;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-journal-'));
  file = join(folder, 'journal');
  database = await makeDatabase();
  journal = await openJournal(database, file);
});
afterEach(async () => {
  await journal.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

async function makeDatabase(): Promise<Database> {
  const made = await openDatabase(':memory:');
  await made.run(
    `CREATE SCHEMA service; ${CREATE_CHANGES}; CREATE TABLE notes (id BIGINT, text VARCHAR, hours DECIMAL(9,4))`,
  );
  return made;
}

const TEXT = "line\nbreak, \u2028 and \u2029, 'quotes', \u0000 and 😀";

function append(id: number, text = TEXT, to: Journal = journal): Promise<void> {
  return to.append(id, [
    { into: 'notes (id, text, hours)', rows: `(${id}, ${literal(text)}, ${id}.25)` },
    {
      into: 'service.changes (change_id, changed_at, method, resource, record_id)',
      rows: `(${id}, TIMESTAMP '2026-01-01 00:00:00', 'POST', 'notes', '${id}')`,
    },
  ]);
}

const literal = (text: string) =>
  text
    .split('\u0000')
    .map((part) => `'${part.replaceAll("'", "''")}'`)
    .join(' || chr(0) || ');

const note = (id: number, text = TEXT) => ({ id, text, hours: `${id}.2500` });

const readNotes = (from: Database = database) => from.rows('SELECT id, text, hours FROM notes ORDER BY id');

const readChanges = async (from: Database = database) => {
  const rows = await from.rows<{ id: number }>('SELECT change_id AS id FROM service.changes ORDER BY ALL');
  return rows.map(({ id }) => id);
};

/** Opens a (new) database with these bytes as its journal. @returns Its changes. */
async function reopen(bytes: Uint8Array, opened?: Database): Promise<number[]> {
  const other = join(folder, 'other');
  writeFileSync(other, bytes);
  const recovered = opened ?? (await makeDatabase());
  const again = await openJournal(recovered, other);
  const changes = await readChanges(recovered);
  expect(await readNotes(recovered)).toEqual(changes.map((id) => note(id)));
  await again.close();
  if (!opened) await recovered.close();
  return changes;
}

describe('a write in the journal', () => {
  it('is on disk at once, and in the database exactly once after apply', async () => {
    for (const id of [1, 2, 3]) await append(id);
    expect(await readNotes()).toEqual([]);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
    await journal.apply();
    await journal.apply();
    expect(await readNotes()).toEqual([1, 2, 3].map((id) => note(id)));
    expect(await readChanges()).toEqual([1, 2, 3]);
  });

  it('survives a crash completely or not at all, whatever length the file has left', { tags: ['slow'] }, async () => {
    for (const id of [1, 2, 3]) await append(id);
    const bytes = readFileSync(file);
    const ends = [...bytes.entries()].flatMap(([index, byte]) => (byte === 10 ? [index] : []));
    expect(ends).toHaveLength(3);
    const lengths = new Set([...ends.flatMap((end) => [end, end + 1, end + 2]), ...range(0, bytes.length, 23)]);
    for (const length of lengths) {
      // A line proves itself complete, so its line feed may be missing.
      const whole = ends.filter((end) => end <= length).length;
      expect(await reopen(bytes.subarray(0, length)), `${length} bytes`).toEqual([1, 2, 3].slice(0, whole));
    }
  });

  it('damaged on disk is missed: the journal is refused and left unchanged', async () => {
    for (const id of [1, 2, 3]) await append(id);
    const bytes = readFileSync(file);
    const place = bytes.indexOf('\n') + 100;
    bytes[place] = (bytes[place] ?? 0) ^ 1;
    await expect(reopen(bytes)).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringMatching(/is damaged at line 2, byte \d+: .*; missing: change 2$/),
      hint: expect.stringContaining('journal --salvage'),
    });
    expect(readFileSync(join(folder, 'other'))).toEqual(bytes);
  });

  it('is not inserted twice after a crash that follows its insertion', async () => {
    for (const id of [1, 2]) await append(id);
    await journal.apply();
    const applied = readFileSync(file);
    expect(applied.length).toBeGreaterThan(0);
    expect(await reopen(applied, database)).toEqual([1, 2]);
    // Shorter than the entry it overwrites, whose end remains behind it.
    await append(3);
    expect(readFileSync(file).length).toBe(applied.length);
    expect(await reopen(readFileSync(file), database)).toEqual([1, 2, 3]);
    await journal.apply().catch(() => undefined);
  });

  it('is awaited by readers, whoever applies it', async () => {
    expect(journal.untilApplied()).toBeUndefined();
    await append(1);
    const waiting = [journal.untilApplied(), journal.untilApplied()];
    await journal.apply();
    await Promise.all(waiting);
    expect(journal.untilApplied()).toBeUndefined();
  });

  it('is awaited by readers while it is applied', async () => {
    await append(1);
    const applying = journal.apply();
    const waiting = journal.untilApplied();
    await applying;
    await waiting;
    expect(await readChanges()).toEqual([1]);
  });

  it('refused because the disk is full has not happened, even if its line reached the disk', async () => {
    await append(1);
    const length = readFileSync(file).length;
    const probe = await open(file);
    const datasync = vi.spyOn(Object.getPrototypeOf(probe), 'datasync');
    await probe.close();
    datasync.mockRejectedValueOnce(new Error('ENOSPC: no space left on device'));
    await expect(append(2)).rejects.toThrow('no space left');
    datasync.mockRestore();
    expect(readFileSync(file).length).toBe(length);
    expect(await reopen(readFileSync(file))).toEqual([1]);
    await append(3);
    expect(await reopen(readFileSync(file))).toEqual([1, 3]);
  });

  it('refused by the database fails its readers, stays, and is applied once possible', async () => {
    await append(1);
    const waiting = journal.untilApplied();
    await database.run('ALTER TABLE notes RENAME TO others');
    const refusal = /notes does not exist/;
    const rejected = expect(waiting).rejects.toThrow(refusal);
    await expect(journal.apply()).rejects.toThrow(refusal);
    await rejected;
    expect(journal.untilApplied()).toBeInstanceOf(Promise);
    expect(await readChanges()).toEqual([]);
    await database.run('ALTER TABLE others RENAME TO notes');
    await append(2);
    await journal.apply();
    expect(await readChanges()).toEqual([1, 2]);
  });

  it('does not wait forever: a write that finds more than 1 MiB applies it', async () => {
    const text = 'x'.repeat(600 * 1024);
    for (const id of [1, 2]) await append(id, text);
    expect(await readChanges()).toEqual([]);
    await append(3, text);
    expect(await readChanges()).toEqual([1, 2]);
    await journal.apply();
    expect(await readNotes()).toEqual([1, 2, 3].map((id) => note(id, text)));
  });
});

it('a transaction that writes before it reads sees the journal, and its changes come later', {
  tags: ['slow'],
}, async () => {
  const { file: loaded, remove } = await loadCompany({ people: [{ people_id: 1, name: 'Ana' }] });
  const company = await openDatabase(loaded);
  await prepareService(company, '2026-01-01 00:00:00');
  const own = await openJournal(company, join(folder, 'own'));
  const store = await openStore(company, { now: () => NOW, journal: own });
  const clients = findResource('clients');
  const writer = { id: '', label: '', seesRates: true };
  await store.write(writer, (transaction) => transaction.insert(clients, { name: 'first' }));
  expect(own.untilApplied()).toBeInstanceOf(Promise);
  const seen = await store.write(writer, async (transaction) => {
    await transaction.insert(clients, { name: 'second' });
    return transaction.rows('SELECT name FROM source.clients ORDER BY client_id');
  });
  expect(seen).toEqual([{ name: 'first' }, { name: 'second' }]);
  expect(await readChanges(company)).toEqual([1, 2]);
  await store.close();
  await own.close();
  await company.close();
  remove();
});

describe('the file', () => {
  it('is deleted on close, and stays while an entry is not applied', async () => {
    const other = join(folder, 'second');
    const second = await openJournal(database, other);
    await append(1, TEXT, second);
    copyFileSync(other, join(folder, 'kept'));
    await second.close();
    expect(readFileSync(other)).toEqual(readFileSync(join(folder, 'kept')));
    const third = await openJournal(database, other);
    expect(await readChanges()).toEqual([1]);
    await third.close();
    expect(existsSync(other)).toBe(false);
  });

  it("that can't be inserted is left unchanged, and the error says what to do", async () => {
    await append(1);
    const other = join(folder, 'second');
    copyFileSync(file, other);
    const empty = await openDatabase(':memory:');
    await empty.run(`CREATE SCHEMA service; ${CREATE_CHANGES}`);
    await expect(openJournal(empty, other)).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining(`The content of ${other} can't be inserted into the working file: `),
      hint: expect.stringContaining('move the file away'),
    });
    await empty.close();
    expect(readFileSync(other)).toEqual(readFileSync(file));
  });

  it('can be closed twice', async () => {
    const second = await openJournal(database, join(folder, 'second'));
    await second.close();
    await second.close();
  });

  it('can be read and written by its owner only', () => {
    const { mode } = statSync(file);
    expect(mode & 0o777).toBe(0o600);
  });
});

function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / step) }, (_, index) => from + index * step);
}
