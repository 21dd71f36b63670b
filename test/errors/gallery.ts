import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { packageDirectory } from '../../src/base/config/package.ts';
import { openDatabase } from '../../src/base/database/database.ts';
import { runProgram } from '../../src/cli.ts';
import { fileWithoutRates, workingFile } from '../../src/store/generation/generation-files.ts';
import { openLiveSource } from '../../src/store/live/live-source.ts';
import { copyLoaded } from '../loaded.ts';

/** Content of a case's file: text, bytes, or a value to write as JSON. */
export type Content = string | Uint8Array | readonly unknown[] | Readonly<Record<string, unknown>>;

/** One case of the gallery; `expected/<name>.txt` has its input and complete output. */
export interface Case {
  readonly name: string;
  /** The fault, as a sentence. */
  readonly title: string;
  /** Files by path in DIR; files in data/ join or replace the small company's. */
  readonly files?: Readonly<Record<string, Content>>;
  readonly folders?: readonly string[];
  /** Command lines after `plumbline`; DIR is the case's folder, with company.duckdb in it. */
  readonly commands: readonly string[];
  /**
   * good (the default): the small company is loaded first. none: no database. foreign: a database
   * by another program. damaged: half of a good one. served: a good one and a server's working file.
   * earlier: a good one as an earlier version loaded it. copy: a copy without rates, by both names.
   */
  readonly database?: 'good' | 'none' | 'foreign' | 'damaged' | 'served' | 'earlier' | 'copy';
  /** False if data/ holds only the case's files. */
  readonly company?: boolean;
}

export interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

export const COMPANY: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  people: [{ people_id: 1, name: 'Ada', people_type_id: 1, cost_rate: 50 }],
  projects: [{ project_id: 1, name: 'Bridge', default_hourly_rate: 100, start_date: '2026-01-01' }],
  tasks: [{ task_id: 1, project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 6 }],
  logged_time: [{ logged_time_id: 'a', project_id: 1, people_id: 1, date: '2026-01-05', hours: 5.5 }],
};

const NOW = new Date('2026-02-01T09:30:00Z');

const DATABASE = 'company.duckdb';

const EXPECTED = join(packageDirectory, 'test', 'errors', 'expected');

/** Runs each case as a test. */
export function testCases(cases: readonly Case[]): void {
  let root = '';
  const good = () => join(root, 'good', DATABASE);

  beforeAll(async () => {
    root = await makeFolder();
    await loadSmallCompany(join(root, 'good'));
    if (cases.some(({ database }) => database === 'served')) {
      await (await openLiveSource({ database: good(), memoryLimitMib: 1024 }, NOW)).close();
    }
  });

  afterAll(() => rm(root, { recursive: true, force: true }));

  it.each(cases)('$name: $title', async (given) => {
    const folder = join(root, given.name);
    await mkdir(folder);
    const others =
      given.company === false ? [] : Object.entries(companyFiles()).filter(([path]) => !isGiven(given, path));
    await writeFiles(folder, { ...Object.fromEntries(others), ...given.files });
    for (const name of given.folders ?? []) await mkdir(join(folder, name), { recursive: true });
    const database = join(folder, DATABASE);
    if (!existsSync(database)) await makeDatabase(database, given.database ?? 'good', good());
    const parts = [`# ${given.title}\n`, ...Object.entries(given.files ?? {}).map(formatFile)];
    vi.stubEnv('PLUMBLINE_DATABASE', database);
    vi.stubEnv('PLUMBLINE_MEMORY_LIMIT', undefined);
    for (const command of given.commands) {
      const before = await readState(folder);
      const outcome = await run(splitWords(command.replaceAll('DIR', folder)));
      parts.push(formatOutcome(command, outcome, formatChange(before, await readState(folder))));
    }
    vi.unstubAllEnvs();
    await expect(maskText(parts.join('\n'), folder)).toMatchFileSnapshot(join(EXPECTED, `${given.name}.txt`));
    await rm(folder, { recursive: true });
  });
}

/** Puts the small company into a folder: its database and its dataset, data/. */
export function loadSmallCompany(folder: string): Promise<void> {
  return copyLoaded('small-company', folder, async (made) => {
    await writeFiles(made, companyFiles());
    const { exitCode, stderr } = await run(['load', join(made, 'data'), '--database', join(made, DATABASE)]);
    expect(exitCode, stderr).toBe(0);
  });
}

export async function run(args: readonly string[]): Promise<Outcome> {
  const stdout = captureStream();
  const stderr = captureStream();
  const exitCode = await runProgram(args, { stdout: stdout.stream, stderr: stderr.stream, now: () => NOW });
  return { stdout: stdout.text(), stderr: stderr.text(), exitCode };
}

export async function writeFiles(folder: string, files: Readonly<Record<string, Content>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), formatContent(content));
  }
}

export function companyFiles(directory = 'data'): Record<string, Content> {
  return Object.fromEntries(Object.entries(COMPANY).map(([name, records]) => [`${directory}/${name}.json`, records]));
}

export function makeFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'plumbline-errors-'));
}

/** Formats a run for a golden file. @param change The change of the files, in words. */
export function formatOutcome(command: string, { stdout, stderr, exitCode }: Outcome, change: string): string {
  const streams = Object.entries({ stdout, stderr }).filter(([, text]) => text !== '');
  const texts = streams.map(
    ([name, text]) => `-- ${name}\n${text}${text.endsWith('\n') ? '' : '\n-- (no line feed)\n'}`,
  );
  return `$ plumbline ${command}\n${texts.join('')}-- exit ${exitCode}, ${change}\n`;
}

/** Replaces text that differs between runs with placeholders. */
export function maskText(text: string, folder: string): string {
  return text
    .replaceAll(folder, 'DIR')
    .replaceAll(/\S+\/plumbline-loaded-\S+(?=\/data)/g, 'LOADED')
    .replaceAll('\r\n', '\n')
    .replaceAll(/\d{8}T\d{6}Z-[0-9a-f]{8}/g, 'DATA_VERSION')
    .replaceAll(/\b(part|next)-\d+/g, '$1-PID')
    .replaceAll(`${packageDirectory}/`, '');
}

/** Returns the SHA-256 of every file in a folder by path, except lock files. */
export async function readState(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'));
  const paths = files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort();
  const hash = async (path: string) =>
    createHash('sha256')
      .update(await readFile(join(folder, path)))
      .digest('hex');
  return new Map(await Promise.all(paths.map(async (path) => [path, await hash(path)] as const)));
}

/** Describes the change of the files between two states, in words. */
export function formatChange(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string {
  const added = [...after.keys()].filter((path) => !before.has(path)).map((path) => `${path} is new`);
  const changed = [...before].flatMap(([path, hash]) => {
    const now = after.get(path);
    return now === hash ? [] : [`${path} is ${now === undefined ? 'gone' : 'another'}`];
  });
  return [...added, ...changed].join(', ') || 'every file as it was';
}

async function makeDatabase(file: string, kind: NonNullable<Case['database']>, good: string): Promise<void> {
  if (kind === 'good' || kind === 'served') await copyFile(good, file);
  if (kind === 'served') await copyFile(workingFile(good), workingFile(file));
  if (kind === 'damaged') await writeFile(file, (await readFile(good)).subarray(0, 100_000));
  if (kind === 'earlier') await makeEarlier(good, file);
  if (kind === 'copy') for (const to of [file, fileWithoutRates(file)]) await copyFile(fileWithoutRates(good), to);
  if (kind !== 'foreign') return;
  const database = await openDatabase(file);
  await database.run("CREATE TABLE mine AS SELECT 'the work of a year' AS text; CHECKPOINT");
  await database.close();
}

/** Makes a database as a version loaded it that had no lines with names, and numbered no format. */
async function makeEarlier(good: string, file: string): Promise<void> {
  await copyFile(good, file);
  await copyFile(fileWithoutRates(good), fileWithoutRates(file));
  for (const each of [file, fileWithoutRates(file)]) {
    const database = await openDatabase(each);
    await database.run('DROP TABLE IF EXISTS core.build; DROP VIEW marts.ledger; CHECKPOINT');
    await database.close();
  }
}

/** Tells whether a case replaces a file of the company's resource. */
function isGiven({ files = {} }: Case, path: string): boolean {
  const resourceOf = (name: string) => name.split('.')[0];
  return Object.keys(files).some((name) => resourceOf(name) === resourceOf(path));
}

function captureStream(): { stream: NodeJS.WriteStream; text: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream: stream as unknown as NodeJS.WriteStream, text: () => chunks.join('') };
}

function formatContent(content: Content): string | Uint8Array {
  if (typeof content === 'string' || content instanceof Uint8Array) return content;
  if (!Array.isArray(content) || content.length === 0) return `${JSON.stringify(content)}\n`;
  return `[\n${content.map((record) => `  ${JSON.stringify(record)}`).join(',\n')}\n]\n`;
}

/** Longest file content in a golden file. Unit: characters. */
const SHOWN_CHARACTERS = 1500;

function formatFile([path, content]: [string, Content]): string {
  const given = formatContent(content);
  const text = typeof given === 'string' ? given : JSON.stringify(Buffer.from(given).toString('latin1'));
  const visible = text.trim() === '' ? '(blank)' : text.replaceAll('\ufeff', '<BOM>');
  const shown = text.length > SHOWN_CHARACTERS ? `(${text.length} characters)` : visible;
  return `${path}:\n${shown.replaceAll(/^(?=.)/gm, '  ').replace(/\n?$/, '\n')}`;
}

/** Splits a command line into words; quotes keep spaces together. */
function splitWords(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}
