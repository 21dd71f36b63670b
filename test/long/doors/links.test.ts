import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fileWithoutRates, journalFile, workingFile } from '../../../src/store/generation/generation-files.ts';
import { openLiveSource } from '../../../src/store/live/live-source.ts';
import { companyFiles, makeFolder, maskText, run, writeFiles } from '../../errors/gallery.ts';
import { startProgram, startServer } from '../../errors/program.ts';

let folder = '';
let file = '';
let link = '';

let loaded = '';
beforeAll(async () => {
  loaded = await makeFolder();
  await writeFiles(loaded, companyFiles());
  const database = join(loaded, 'company.duckdb');
  expect(await run(['load', join(loaded, 'data'), '--database', database])).toMatchObject({ exitCode: 0 });
});
afterAll(() => rmSync(loaded, { recursive: true }));

beforeEach(async () => {
  folder = await makeFolder();
  mkdirSync(join(folder, 'data-disk'));
  mkdirSync(join(folder, 'names'));
  file = join(folder, 'data-disk', 'company.duckdb');
  link = join(folder, 'names', 'today.duckdb');
  await writeFiles(folder, companyFiles());
  for (const nameOf of [(name: string) => name, fileWithoutRates]) {
    copyFileSync(nameOf(join(loaded, 'company.duckdb')), nameOf(file));
  }
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const names = (of: string) => readdirSync(dirname(of)).sort();

const errorText = (outcome: { stderr: string }) => maskText(outcome.stderr, folder);

describe('a link to a database', () => {
  beforeEach(() => symlinkSync('../data-disk/company.duckdb', link));

  it('stays a link after a load: all files are written beside the database itself', async () => {
    const before = readFileSync(file);
    const outcome = await run(['load', join(folder, 'data'), '--database', link]);
    expect(outcome).toMatchObject({ exitCode: 0 });
    expect(errorText(outcome)).toContain('Loaded into DIR/data-disk/company.duckdb');
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file).equals(before)).toBe(false);
    expect(names(link)).toEqual(['today.duckdb']);
    expect(names(file)).toEqual(['company.duckdb', 'company.duckdb.lock', 'company.no-rates.duckdb']);
  });

  it('is followed by every command', async () => {
    const commands = [
      ['status'],
      ['report', 'people', '--start-date', '2026-01-01', '--end-date', '2026-01-31'],
      ['sql', 'SELECT 1 AS one'],
      ['token', 'list'],
      ['export', join(folder, 'out')],
    ];
    for (const command of commands) {
      expect(await run([...command, '--database', link]), command[0]).toMatchObject({ exitCode: 0 });
    }
  });

  it('is the same database for a second server, and for a load', async () => {
    const { program } = await startServer(file);
    const second = startProgram(['serve', '--write', '--database', link, '--port', '0']);
    expect(errorText(await second.outcome)).toContain(
      'Error: Another server or sync owns DIR/data-disk/company.work.duckdb',
    );
    expect(errorText(await run(['load', join(folder, 'data'), '--database', link]))).toContain(
      'A server owns the data of',
    );
    expect(names(link)).toEqual(['today.duckdb']);
    program.signal('SIGTERM');
    await program.outcome;
  });

  it('is locked by a load of its target', async () => {
    const first = startProgram(['load', join(folder, 'data'), '--database', file]);
    while (!names(file).some((name) => name.includes('.next-'))) await sleep(5);
    first.signal('SIGSTOP');
    expect(errorText(await run(['load', join(folder, 'data'), '--database', link]))).toContain('is under way');
    first.signal('SIGCONT');
    await first.outcome;
  });

  it('is refused with tokens beside it, because its server would require no authentication', async () => {
    writeFileSync(join(folder, 'names', 'today.tokens.json'), '{"tokens":[]}');
    expect(errorText(await run(['token', 'list', '--database', link]))).toBe(
      'Error: DIR/names/today.tokens.json is beside a link to DIR/data-disk/company.duckdb, not beside the database itself\n' +
        'Move it to DIR/data-disk/company.tokens.json, or name it with --tokens.\n',
    );
  });
});

it('a link to the token file stays a link', async () => {
  const tokens = join(folder, 'names', 'tokens.json');
  writeFileSync(join(folder, 'data-disk', 'tokens.json'), '{"tokens":[]}');
  symlinkSync('../data-disk/tokens.json', tokens);
  expect(await run(['token', 'create', '--label', 'x', '--tokens', tokens])).toMatchObject({ exitCode: 0 });
  expect(lstatSync(tokens).isSymbolicLink()).toBe(true);
  expect(names(tokens)).toEqual(['tokens.json']);
  expect(readFileSync(join(folder, 'data-disk', 'tokens.json'), 'utf8')).toContain('"label": "x"');
});

describe('a broken link is reported as such', () => {
  const commands = [
    (name: string) => ['load', join(folder, 'data'), '--database', name],
    (name: string) => ['status', '--database', name],
    (name: string) => ['serve', '--write', '--port', '0', '--database', name],
    (name: string) => ['token', 'list', '--tokens', name],
  ];

  it.each([
    { title: 'to nothing', target: 'nothing.duckdb', message: 'is a link to nothing.duckdb, which is not there' },
    { title: 'to itself', target: 'today.duckdb', message: 'is a link to today.duckdb, which leads back to itself' },
  ])('$title', async ({ target, message }) => {
    symlinkSync(target, link);
    for (const command of commands) {
      const outcome = await run(command(link));
      expect(errorText(outcome)).toContain(
        `Error: DIR/names/today.duckdb ${message}\nCorrect the link, or name the file itself with --`,
      );
      expect(outcome.exitCode).toBe(1);
    }
    expect(names(link)).toEqual(['today.duckdb']);
  });

  it('to a link that leads back to it', async () => {
    symlinkSync('tomorrow.duckdb', link);
    symlinkSync('today.duckdb', join(dirname(link), 'tomorrow.duckdb'));
    for (const command of commands) {
      const outcome = await run(command(link));
      expect(errorText(outcome)).toContain('is a link to tomorrow.duckdb, which leads back to itself');
      expect(outcome.exitCode).toBe(1);
    }
  });

  it('to a folder', async () => {
    symlinkSync('../data-disk', link);
    for (const command of commands.slice(0, 3)) {
      const outcome = await run(command(link));
      expect(errorText(outcome)).toMatch(/^Error: .*DIR\/data-disk/);
      expect(outcome.exitCode).toBe(1);
    }
  });
});

describe('a link in place of a file beside a database is refused', () => {
  const beside = [fileWithoutRates, workingFile, journalFile, (name: string) => `${name}.lock`];

  it.each(beside.map((nameOf) => [basename(nameOf('company.duckdb')), nameOf] as const))('%s', async (name, nameOf) => {
    const target = join(folder, 'names', 'elsewhere');
    writeFileSync(target, '');
    rmSync(nameOf(file), { force: true });
    symlinkSync(target, nameOf(file));
    const outcome = await run(['load', join(folder, 'data'), '--database', file]);
    expect(errorText(outcome)).toContain(`Error: DIR/data-disk/${name} is a link, and must be a file of its own`);
    await expect(openLiveSource({ database: file, memoryLimitMib: 512 }, new Date())).rejects.toThrow(
      `${name} is a link`,
    );
    expect(lstatSync(nameOf(file)).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe('');
  });
});

it('a hard link of a published database stays at its generation; one of a working file is refused', async () => {
  linkSync(file, link);
  expect(await run(['load', join(folder, 'data'), '--database', file])).toMatchObject({ exitCode: 0 });
  expect(lstatSync(link).nlink).toBe(1);
  // Only the name of the database has a copy without rates.
  expect(await run(['status', '--database', link])).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('no-rates'),
  });
  const work = workingFile(file);
  await (await openLiveSource({ database: file, memoryLimitMib: 512 }, new Date())).close();
  expect(existsSync(work)).toBe(true);
  linkSync(work, join(folder, 'names', 'other.work.duckdb'));
  const opening = openLiveSource({ database: file, memoryLimitMib: 512 }, new Date());
  await expect(opening).rejects.toMatchObject({
    code: 'storage',
    message: `${work} has 2 names (hard links); only one is allowed`,
  });
});
