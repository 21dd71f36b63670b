import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readConfig } from '../../base/config/index.ts';
import { type Database, quoteText, writeError } from '../../base/database/index.ts';
import { AppError, makeBeside } from '../../base/index.ts';
import { listMarts, type Mart } from '../../numbers/report/marts/index.ts';
import { hashFile } from '../../records/ingest/index.ts';
import { openPublished, readMeanings } from '../../store/generation/index.ts';
import { findStateFiles } from '../../store/history/index.ts';
import { PUBLISHED_SCHEMA } from '../postgres/published-schema.ts';
import { type Command, type Flags, givenInstead } from './command.ts';
import { readStateFlag, STATE_FLAG } from './state-flag.ts';

const FORMATS: Readonly<Record<string, string>> = {
  parquet: 'FORMAT parquet, COMPRESSION zstd',
  csv: 'FORMAT csv, HEADER',
  ndjson: 'FORMAT json',
};

interface ExportedFile {
  readonly file: string;
  readonly model: string;
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

interface Export {
  readonly database: Database;
  readonly dataVersion: string;
  readonly format: string;
  readonly hasRates: boolean;
}

export const exportMarts: Command = {
  name: 'export',
  summary:
    'Writes every mart to a file in a new or empty directory, with a manifest, or to a table in PostgreSQL; all or none.',
  usage: 'export DIR --format F | export marts --to postgres://HOST/DATABASE',
  flags: [
    { name: 'format', argument: 'F', help: `One of ${Object.keys(FORMATS).join(', ')}. Default: parquet.` },
    { name: 'to', argument: 'URL', help: 'A database of PostgreSQL, in which the marts become tables.' },
    { name: 'schema', argument: 'S', help: `With --to, the schema of the tables. Default: ${PUBLISHED_SCHEMA}.` },
    STATE_FLAG,
    { name: 'no-rates', help: 'Leave out every column that reveals a cost.' },
  ],
  examples: [
    'export marts/ --format parquet',
    'export marts-for-all/ --format csv --no-rates --database company.duckdb',
    'export marts --to postgres://plumbline@db.example.com/warehouse --no-rates --database company.duckdb',
  ],
  async run(positionals, flags, { stderr }) {
    const [directory] = positionals;
    if (directory === undefined || positionals.length > 1) {
      throw new AppError('usage', `export takes one directory${givenInstead(positionals)}`, {
        hint: 'For example: plumbline export marts/ --format parquet',
      });
    }
    const { to } = flags;
    if (typeof to === 'string') assertMarts(directory, flags);
    const format = parseFormat(flags['format']);
    const config = readConfig(flags);
    const target = resolve(directory);
    if (to === undefined) assertEmpty(directory, target);
    const hasRates = flags['no-rates'] !== true;
    const state = await findStateFiles(resolve(config.database), { main: readStateFlag(flags) });
    const published = await openPublished(state?.main ?? config.database, { memoryLimitMib: config.memoryLimitMib });
    try {
      const database = hasRates ? published.generation : published.withoutRates;
      const source = { database, dataVersion: published.dataVersion, hasRates };
      const version = `data version ${published.dataVersion}${hasRates ? '' : ', without rates'}`;
      if (typeof to === 'string') {
        const { exportToPostgres } = await import('./export-postgres.ts');
        const { tables, rows } = await exportToPostgres(to, flags, source);
        stderr.print(`Published ${tables} tables, ${rows} rows changed, ${version}.`);
      } else {
        const marts = await listMarts(database, readMeanings());
        assertNoMart(directory, marts);
        const files = await writeDirectory(target, { ...source, format }, marts);
        stderr.print(`Wrote ${files.length} files into ${directory}, ${version}.`);
      }
    } finally {
      await published.close();
    }
  },
};

/** @throws AppError usage for anything but the word marts before an address, and for a format. */
function assertMarts(word: string, flags: Flags): void {
  if (word !== 'marts') {
    throw new AppError('usage', `export --to takes the word marts, but was given ${word}`, {
      hint: 'For example: plumbline export marts --to postgres://plumbline@db.example.com/warehouse',
    });
  }
  if (flags['format'] !== undefined)
    throw new AppError('usage', '--format and --to are given together', {
      hint: 'Tables have no format; leave it out.',
    });
}

/** Checks that the directory isn't meant to be the one mart that is exported. @throws AppError usage */
function assertNoMart(directory: string, marts: readonly Mart[]): void {
  if (!marts.some(({ name }) => name === `marts.${directory}`)) return;
  throw new AppError(
    'usage',
    `export writes all ${marts.length} marts into a directory, and ${directory} is one of them`,
    {
      hint: `For this one: plumbline sql 'SELECT * FROM marts.${directory}' --output ${directory}.csv. For a directory of that name: plumbline export ./${directory}`,
    },
  );
}

function parseFormat(flag: Flags[string]): string {
  const format = typeof flag === 'string' ? flag : 'parquet';
  if (Object.hasOwn(FORMATS, format)) return format;
  throw new AppError('usage', `--format: "${format}" is not a format of an export`, {
    hint: `Give one of ${Object.keys(FORMATS).join(', ')}.`,
  });
}

function assertEmpty(directory: string, target: string): void {
  if (!existsSync(dirname(target))) {
    throw new AppError('storage', `There is no folder ${dirname(target)} for the directory ${basename(target)}`, {
      hint: 'Make the folder first, or name another directory.',
    });
  }
  if (!existsSync(target)) return;
  const names = readNames(directory, target);
  if (names.length === 0) return;
  throw new AppError('storage', `${directory} is not empty: it holds ${names[0]}`, {
    hint: 'Name a new or an empty directory: an export does not mix with existing files.',
  });
}

function readNames(directory: string, target: string): string[] {
  try {
    return readdirSync(target).sort();
  } catch (cause) {
    throw new AppError('storage', `${directory} is not a directory that can be read`, {
      hint: 'Name a new or an empty directory.',
      cause,
    });
  }
}

/** Writes into a directory beside the target and renames it at the end, so that no export is partial. */
async function writeDirectory(target: string, source: Export, marts: readonly Mart[]): Promise<ExportedFile[]> {
  const part = `${target}.part-${process.pid}`;
  try {
    return await makeBeside(part, async () => {
      await mkdir(part);
      const files: ExportedFile[] = [];
      for (const mart of marts) files.push(await writeModel(part, source, mart));
      await writeFile(join(part, 'manifest.json'), formatManifest(source, marts, files));
      await rename(part, target);
      return files;
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw writeError(target, error, 'name another directory');
  }
}

async function writeModel(directory: string, { database, format }: Export, model: Mart): Promise<ExportedFile> {
  const file = `${model.name.slice('marts.'.length)}.${format}`;
  const path = join(directory, file);
  await database.run(`COPY (FROM ${model.name}) TO ${quoteText(path)} (${FORMATS[format]})`);
  const [{ size }, sha256] = await Promise.all([stat(path), hashFile(path)]);
  return { file, model: model.name, rows: model.row_count, bytes: size, sha256 };
}

/** Formats the manifest: enough to verify the files, and to read them without the database. */
function formatManifest(source: Export, models: readonly Mart[], files: readonly ExportedFile[]): string {
  const described = files.map((file, index) => {
    const { grain, description, columns } = models[index] ?? { grain: '', description: '', columns: [] };
    return { ...file, grain, description, columns };
  });
  const manifest = {
    data_version: source.dataVersion,
    format: source.format,
    has_rates: source.hasRates,
    files: described,
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
