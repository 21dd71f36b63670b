import { spawnSync } from 'node:child_process';
import { statfsSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/base/database/database.ts';
import { runProcess, startProgram } from '../../errors/program.ts';
import { type Served, serve } from '../../http/served.ts';
import { takePart } from '../../seed.ts';
import { company } from '../../sync/company.ts';
import { makeFolder, TOKEN } from '../../sync/pulling.ts';

const KIB = 1024;

/** The size of the disk: some three times that of the files of a synced company. Unit: MiB. */
const DISK_MIB = 112;

const FULL = "Error: The disk that holds FILE is full or can't be written";
const ROOM = 'Free some space (a publication needs about twice the size of the database for a while).';
const AGAIN = 'Free some space (a sync needs about twice the size of the database for a while) and sync again.';

/** The ends of a sync that finds no room: before its records are stored, before their numbers are, and before the files. */
const ENDS = [
  `${FULL}\n${AGAIN} Nothing was changed.\n`,
  'Error: The records are synced, but the disk that holds FILE has no room for their numbers\n' +
    'The published files are as they were. Free some space and sync again: it brings the numbers up to date, too.\n',
  `Error: The records are synced but not published. The disk that holds FILE is full or can't be written. ${ROOM}\n` +
    'The published files are as they were. Once that is mended, sync again: it publishes the records, too.\n',
];

describe.skipIf(!canMount())('a disk that fills while a sync runs', () => {
  const { folder, remove } = makeFolder();
  const disk = join(folder, 'disk');
  const file = join(disk, 'company.duckdb');
  const filler = join(disk, 'filler');
  let served: Served;
  const args = () => ['sync', served.url, '--token-file', join(folder, 'token'), '--requests-per-minute', '6000'];
  const sync = async (...flags: string[]) => {
    const { exitCode, stderr } = await runProcess([...args(), '--database', file, ...flags]);
    return { exitCode, stderr: stderr.replaceAll(file, 'FILE').replaceAll(disk, 'DISK') };
  };

  beforeAll(async () => {
    await mkdir(disk);
    writeFileSync(join(folder, 'token'), TOKEN);
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', disk]).status).toBe(0);
    served = await serve({ write: true, inMemory: true, now: () => new Date(), data: company });
    expect(await sync()).toMatchObject({ exitCode: 0 });
  });
  afterAll(async () => {
    spawnSync('umount', ['--lazy', disk]);
    await served.close();
    remove();
  });

  /** Gives the tasks a new name at the source. */
  async function rename(name: string): Promise<void> {
    const body = JSON.stringify({ name });
    const headers = { 'content-type': 'application/json' };
    for (const id of [1, 2, 3]) await fetch(`${served.url}/v3/tasks/${id}`, { method: 'PATCH', headers, body });
  }

  function leaveFree(freeKib: number): void {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeKib * KIB)));
  }

  async function readNames(): Promise<unknown> {
    const database = await openDatabase(file, { readOnly: true });
    try {
      return await database.rows('SELECT DISTINCT name FROM source.tasks WHERE task_id <= 3');
    } finally {
      await database.close();
    }
  }

  it.each(takePart([0, 16, 64, 256, 512, 1024, 2048, 3072, 4096, 8192]))(
    'with %i KiB free, it says what was kept, and the next one heals',
    async (freeKib) => {
      const name = `Free: ${freeKib} KiB`;
      const before = await readFile(file);
      await rename(name);
      leaveFree(freeKib);
      const { exitCode, stderr } = await sync('--full');
      const after = await readFile(file);
      await rm(filler);
      expect(exitCode).toBe(1);
      expect(ENDS).toContain(stderr.slice(stderr.indexOf('Error: ')));
      expect(after.equals(before)).toBe(true);
      expect(await sync()).toMatchObject({ exitCode: 0 });
      expect(await readNames()).toEqual([{ name }]);
    },
  );

  it('with --every, a publication without room is told once, and made when there is room', async () => {
    await rename('At last');
    leaveFree(8192);
    const program = startProgram([...args(), '--every', '1s', '--database', file]);
    let told = '';
    program.onStderr((text) => {
      told += text;
    });
    const sentence = `The data can't be published, and is tried again: ${FULL.slice('Error: '.length)}. ${ROOM}\n`;
    await expect.poll(() => told.replaceAll(file, 'FILE')).toContain(sentence);
    await rm(filler);
    await expect.poll(readNames, { interval: 500 }).toEqual([{ name: 'At last' }]);
    program.signal('SIGTERM');
    expect(await program.outcome).toMatchObject({ exitCode: 0 });
    expect(told.split("The data can't be published")).toHaveLength(2);
  });
});

function canMount(): boolean {
  return spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/mnt']).status === 0;
}
