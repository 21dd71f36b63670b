import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageDirectory } from '../../../src/base/config/package.ts';
import {
  type Content,
  companyFiles,
  formatOutcome,
  makeFolder,
  maskText,
  type Outcome,
  readState,
  run,
  writeFiles,
} from '../../errors/gallery.ts';
import { canMount, mount } from '../../errors/mount.ts';
import { runProcess, startServer } from '../../errors/program.ts';
import { eventually } from '../../eventually.ts';

const KIB = 1024;
const REPORT = ['report', 'lines', '--start-date', '2026-01-01', '--end-date', '2026-12-31', '--format', 'csv'];

let root = '';
beforeAll(async () => {
  root = await makeFolder();
  await writeFiles(root, companyFiles());
  await writeFiles(root, largeFiles());
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('a limit on file sizes', () => {
  let folder = '';
  let file = '';
  beforeAll(async () => {
    folder = join(root, 'limited');
    file = join(folder, 'company.duckdb');
    await mkdir(folder);
    expect(await load('data', file)).toMatchObject({ exitCode: 0 });
  });

  it.each([0, 8, 64, 512, 1024, 2048])(
    'a load limited to %i KiB per file changes nothing and says why',
    async (limitKib) => {
      const before = await readState(folder);
      await expectFull(await load('data', file, limitKib), file);
      expect(await readState(folder)).toEqual(before);
    },
  );

  it('a load without the limit succeeds after them', async () => {
    expect(await load('data', file)).toMatchObject({ exitCode: 0 });
  });

  it('a large CSV file that does not fit changes nothing and says why', async () => {
    const before = await readState(folder);
    await expectFull(await load('large', file, 1024), file);
    expect(await readState(folder)).toEqual(before);
  });
});

it('a CSV file cut between two lines by lack of space is not loaded in part', async () => {
  const file = join(root, 'half.duckdb');
  await writeFiles(root, kibibyteLines());
  const outcome = await load('half', file, 16 * KIB);
  expect(outcome.exitCode, outcome.stderr).toBe(1);
  expect(readdirSync(root).filter((name) => name.startsWith('half.duckdb') && !name.endsWith('.lock'))).toEqual([]);
});

describe.skipIf(!canMount())('a full or read-only disk', () => {
  let disk = '';
  let file = '';
  const fillers: string[] = [];
  beforeAll(async () => {
    disk = join(root, 'disk');
    file = join(disk, 'company.duckdb');
    await mkdir(disk);
    mount(['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]);
    expect(await load('data', file)).toMatchObject({ exitCode: 0 });
  });
  afterAll(() => {
    spawnSync('umount', ['--lazy', disk]);
  });

  it.each([0, 8, 64, 512, 1024, 2048])(
    'a load onto a disk with %i KiB free changes nothing and says why',
    async (freeKib) => {
      const before = await readState(disk);
      await leaveFree(freeKib);
      const outcome = await load('data', file);
      const after = await readState(disk);
      await removeFiller();
      await expectFull(outcome, file);
      expect([...after].filter(([name]) => !name.startsWith('filler'))).toEqual([...before]);
    },
  );

  it('a load with enough space succeeds after them', async () => {
    expect(await load('data', file)).toMatchObject({ exitCode: 0 });
  });

  it('a load of a large CSV file onto a full disk changes nothing and says why', async () => {
    const before = await readState(disk);
    await leaveFree(512);
    const outcome = await load('large', file);
    await removeFiller();
    await expectFull(outcome, file);
    expect(await readState(disk)).toEqual(before);
  });

  it('a first load onto a full disk leaves no database', async () => {
    await leaveFree(64);
    const other = join(disk, 'other.duckdb');
    const outcome = await load('data', other);
    const names = readdirSync(disk).filter((name) => name.startsWith('other') && !name.endsWith('.lock'));
    await removeFiller();
    await expectFull(outcome, other);
    expect(names).toEqual([]);
  });

  it('a report onto a full disk leaves the previous report unchanged', async () => {
    const output = join(disk, 'lines.csv');
    await writeFile(output, 'the report of yesterday\n');
    expect(await load('large', file)).toMatchObject({ exitCode: 0 });
    await leaveFree(64);
    const outcome = await run([...REPORT, '--database', file, '--output', output]);
    const names = readdirSync(disk);
    await removeFiller();
    await expectGolden(
      'disk-full-output',
      'A report goes to a full disk.',
      'report lines ... --output DIR/lines.csv',
      outcome,
    );
    expect(await readFile(output, 'utf8')).toBe('the report of yesterday\n');
    expect(names.filter((name) => name.startsWith('lines'))).toEqual(['lines.csv']);
  });

  it('a server with --write reports a full disk, keeps all answered writes, and goes on', async () => {
    expect(await load('data', file)).toMatchObject({ exitCode: 0 });
    const { ino } = await stat(file);
    const { program, url } = await startServer(file);
    // biome-ignore lint/suspicious/noExplicitAny: tests read whatever they requested.
    const send = async (path: string, body?: object): Promise<{ status: number; json: any }> => {
      const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const answer = await fetch(new URL(path, url), body && post);
      return { status: answer.status, json: await answer.json() };
    };
    const record = { people_id: 1, project_id: 1, date: '2026-01-07', hours: 0.25, notes: 'x'.repeat(3000) };
    const answered: string[] = [];
    const write = async () => {
      const { status, json } = await send('/v3/logged-time', record);
      if (status === 201) answered.push(json.logged_time_id);
      return { status, json };
    };
    const readIds = async () => {
      const { status, json } = await send('/v3/logged-time?per-page=200&start_date=2026-01-07&end_date=2026-01-07');
      const mine = status === 200 && json.filter(({ notes }: { notes: string }) => notes === record.notes);
      return mine ? mine.map(({ logged_time_id: id }: { logged_time_id: string }) => id).sort() : { status, json };
    };
    const message = expect.stringMatching(/^The disk that holds the data is full .* Confirmed changes are kept\.$/);
    const refusal = { status: 503, json: { message } };
    expect(await write()).toMatchObject({ status: 201 });
    // The first publication frees its space when it fails, so the disk is filled after it.
    await eventually(async () => expect((await stat(file)).ino).not.toBe(ino));
    await leaveFree(0);
    let last = await write();
    for (let count = 0; last.status === 201 && count < 500; count += 1) {
      // Files just removed by the server, such as the source of a publication, free space again.
      await leaveFree(0);
      last = await write();
    }
    expect(last).toMatchObject(refusal);
    // Readers see all answered writes, or are refused.
    const read = await readIds();
    if (Array.isArray(read)) expect(read).toEqual(answered.toSorted());
    else expect(read).toMatchObject(refusal);
    await removeFiller();
    expect(await write()).toMatchObject({ status: 201 });
    expect(await readIds()).toEqual(answered.toSorted());
    // The server only recovers at its next retry.
    await eventually(async () => expect(await send('/readyz')).toMatchObject({ status: 200 }));
    program.signal('SIGTERM');
    expect(await program.outcome).toMatchObject({ exitCode: 0 });
    for (const name of readdirSync(disk)) await rm(join(disk, name), { recursive: true });
    expect(await load('data', file)).toMatchObject({ exitCode: 0 });
  });

  it("a read-only disk can be reported on, and a load says that it can't be written", async () => {
    mount(['-o', 'remount,ro', disk]);
    const before = await readState(disk);
    const report = await run([...REPORT, '--database', file, '--limit', '1']);
    const outcome = await load('data', file);
    const first = await load('data', join(disk, 'first.duckdb'));
    mount(['-o', 'remount,rw', disk]);
    expect(report.exitCode, report.stderr).toBe(0);
    expect(await readState(disk)).toEqual(before);
    expect(outcome.exitCode).toBe(1);
    expect(first.exitCode).toBe(1);
    await expectGolden('disk-read-only', 'The disk is read only.', 'load DIR/data', outcome);
  });

  /** Fills the disk except for a few KiB, also while the server writes there. */
  async function leaveFree(freeKib: number): Promise<void> {
    const { bavail, bsize } = await statfs(disk);
    fillers.push(join(disk, `filler-${fillers.length}`));
    const filled = writeFile(fillers.at(-1) ?? '', Buffer.alloc(Math.max(0, bavail * bsize - freeKib * KIB)));
    await filled.catch((error) => expect(error).toMatchObject({ code: 'ENOSPC' }));
  }

  async function removeFiller(): Promise<void> {
    for (const filler of fillers.splice(0)) await rm(filler);
  }
});

function load(dataset: string, file: string, limitKib?: number): Promise<Outcome> {
  return runProcess(
    ['load', join(root, dataset), '--accept-shrink', '--database', file],
    limitKib === undefined ? {} : { limitKib },
  );
}

/** Expects one of the messages of a load without space. */
async function expectFull(outcome: Outcome, file: string): Promise<void> {
  expect(outcome.stderr.replaceAll(file, 'DIR/company.duckdb')).toBe(
    `Error: The disk that holds DIR/company.duckdb is full or can't be written\n` +
      'Free some space (a load needs about twice the size of the database for a while) and load again. Nothing was changed.\n',
  );
  expect(outcome.exitCode).toBe(1);
  await expectGolden('disk-full', 'The disk is full.', 'load DIR/data', {
    ...outcome,
    stderr: outcome.stderr.replaceAll(file, 'DIR/company.duckdb'),
  });
}

async function expectGolden(name: string, title: string, command: string, outcome: Outcome): Promise<void> {
  const text = `# ${title}\n\n${formatOutcome(command, outcome, 'every file as it was')}`;
  const golden = join(packageDirectory, 'test', 'errors', 'expected', `${name}.txt`);
  await expect(maskText(text, join(root, 'disk'))).toMatchFileSnapshot(golden);
}

/** Makes the small company with several MiB of logged time as CSV. */
function largeFiles(): Record<string, Content> {
  const rows = Array.from({ length: 40_000 }, (_, index) => {
    const day = String((index % 28) + 1).padStart(2, '0');
    return `${index},1,1,2026-01-${day},0.0001,"some words about what was done"\n`;
  });
  const { 'large/logged_time.json': _small, ...others } = companyFiles('large');
  return {
    ...others,
    'large/logged_time.csv': `logged_time_id,project_id,people_id,date,hours,notes\n${rows.join('')}`,
  };
}

/** Makes CSV whose lines are 1 KiB as JSON, so any limit in KiB falls between two. */
function kibibyteLines(): Record<string, Content> {
  const cells = (index: number) => [String(index).padStart(5, '0'), '1', '1', '2026-01-12', '0.0001'];
  const names = ['logged_time_id', 'project_id', 'people_id', 'date', 'hours'];
  const known = Object.fromEntries(names.map((name, index) => [name, cells(0)[index]]));
  const filler = 'x'.repeat(KIB - JSON.stringify({ ...known, '': null }).length - 1);
  const rows = Array.from({ length: 40_000 }, (_, index) => `${[...cells(index), ''].join(',')}\n`);
  return { 'half/logged_time.csv': `${[...names, filler].join(',')}\n${rows.join('')}` };
}
