import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';
import { openDatabase } from '../../../src/base/database/database.ts';
import { storageError } from '../../../src/store/generation/generation-files.ts';
import { openLock } from '../../../src/store/generation/generation-lock.ts';
import { makeFolder } from '../../errors/gallery.ts';

/** Processes that open a lock at once. */
const PROCESSES = 4;

/** Locks, one after the other. Of one that the engine itself creates, a process in fifty says that it is no database. */
const LOCKS = 40;

const MODULE = join(packageDirectory, 'dist', 'src', 'store', 'generation', 'generation-lock.js');

/** Opens the lock of each file that it is sent, holds it for a moment, and answers "opened" or the error. */
const PROGRAM = `
import { rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openLock } from ${JSON.stringify(MODULE)};
process.on('message', async (file) => {
  const lock = await openLock(file, { message: 'held by another', hint: '' }).catch((error) => error);
  if (!(lock instanceof Error)) {
    // Fails if another process holds the lock, too.
    writeFileSync(file + '.held', '', { flag: 'wx' });
    await sleep(2);
    rmSync(file + '.held');
    await lock.close();
  }
  process.send(lock instanceof Error ? lock.message : 'opened');
});
process.send('ready');
`;

it.each(['a new', 'a damaged'])(
  'processes that open %s lock at once get it or learn that another holds it',
  async (kind) => {
    const folder = await makeFolder();
    const whole = join(folder, 'whole.lock');
    await (await openDatabase(whole)).close();
    const bytes = readFileSync(whole);
    rmSync(whole);
    if (kind === 'a damaged')
      for (let count = 0; count < LOCKS; count += 1) {
        const length = Math.floor((bytes.length * count) / LOCKS);
        writeFileSync(join(folder, `${count}.lock`), bytes.subarray(0, length));
      }
    const children = Array.from({ length: PROCESSES }, startChild);
    await Promise.all(children.map(readAnswer));
    for (let count = 0; count < LOCKS; count += 1) {
      const answers = Promise.all(children.map(readAnswer));
      for (const child of children) child.send(join(folder, `${count}`));
      const given = await answers;
      expect(given).toContain('opened');
      expect(given.filter((answer) => answer !== 'opened' && answer !== 'held by another')).toEqual([]);
    }
    for (const child of children) child.disconnect();
    expect(readdirSync(folder)).toHaveLength(LOCKS);
    await rm(folder, { recursive: true });
  },
);

it('a full disk asks to load again, or to start a sync again', () => {
  const error = new Error('No space left on device');
  expect(storageError('company.duckdb', error)).toMatchObject({ hint: expect.stringMatching(/a load .* load again/) });
  expect(storageError('company.work.duckdb', error, 'working')).toMatchObject({
    hint: expect.stringMatching(/a sync, .* start it again/),
  });
});

it('a larger file that is no lock is left alone', async () => {
  const folder = await makeFolder();
  const other = join(folder, 'company.duckdb.lock');
  writeFileSync(other, 'x'.repeat(100_000));
  const lock = openLock(join(folder, 'company.duckdb'), { message: '', hint: '' });
  await expect(lock).rejects.toThrow(`${other} is not a database that this version reads`);
  expect(readFileSync(other, 'utf8')).toHaveLength(100_000);
  expect(readdirSync(folder)).toHaveLength(1);
  await rm(folder, { recursive: true });
});

function startChild(): ChildProcess {
  const args = ['--input-type=module', '--eval', PROGRAM];
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
}

async function readAnswer(child: ChildProcess): Promise<string> {
  const [answer] = await once(child, 'message');
  return String(answer);
}
