import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Database, openDatabase } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { buildRecordViews } from '../../numbers/model/index.ts';
import { sqlDirectory } from '../../numbers/relation/index.ts';
import {
  assertInvoiceCurrency,
  assertOnce,
  createDataset,
  type IngestSummary,
  type InputFile,
  ingestFiles,
  inputResources,
  type Listing,
  listInput,
  type Mapping,
  parseMapping,
  readBillableHours,
  storeOrigins,
} from '../../records/ingest/index.ts';
import { settings } from '../../records/resource/index.ts';
import { settleRecords } from '../record/storage/tables.ts';
import { noteForeign, openFindRecords } from './foreign-records.ts';
import { shortenSummary } from './short-summary.ts';

const MAPPING_NAME = 'the mapping';

/** The files of a load in a folder of their own, and the text of their mapping. */
export interface PlacedLoad {
  /** Undefined for the files that are on their way. */
  readonly id: number | undefined;
  readonly folder: string;
  readonly mapping: string;
}

/** The settings of the company, and the folder for their file. */
export interface KnownSettings {
  readonly folder: string;
  readonly settings: object;
}

export interface IngestedLoads {
  readonly summary: IngestSummary | undefined;
  /** Sentences on lists of the summary that are cut. */
  readonly cuts: readonly string[];
  /** True if a file holds the settings of the company. */
  readonly hasSettings: boolean;
}

/** The database that files are read into, and the live data that their rows may describe. */
interface LoadedInto {
  readonly memoryLimitMib: number;
  readonly onProgress?: (step: string, part: number) => void;
  /** The path of the ids of live records, which writeHere has written. */
  readonly here: string;
}

/** Parses the text of a mapping. @throws AppError input, with the line, for one that means nothing or leaves a decision open. */
export function parseLoadMapping(text: string): Mapping {
  return parseMapping(text, MAPPING_NAME, inputResources);
}

/**
 * Reads the files of several loads into a new database, as one load of all of them: equal rows of exports that overlap count once.
 * @param path The path of the new database.
 * @param known The settings of the company, which count unless a file has others.
 * @throws AppError input if a file can't be parsed, or several have different entries of one day.
 */
export async function ingestLoads(
  path: string,
  loads: readonly PlacedLoad[],
  known: KnownSettings,
  { memoryLimitMib, onProgress, here }: LoadedInto,
): Promise<IngestedLoads> {
  const database = await openDatabase(path, { memoryLimitMib });
  try {
    if (loads.length === 0) {
      await createDataset(database);
      await noteForeign(database, []);
      return { summary: undefined, cuts: [], hasSettings: false };
    }
    const { files, ignored, mapping, hasSettings } = await listLoads(loads, known);
    await assertOnce(files);
    const summary = await ingestFiles(
      database,
      { files, ignored },
      {
        leavesTimesEmpty: true,
        mapping,
        findRecords: openFindRecords(database, here),
        onProgress: ({ resource, done, total }) => onProgress?.(`reading ${resource}`, total === 0 ? 0 : done / total),
      },
    );
    await assertInvoiceCurrency(database, files);
    await storeOrigins(database, summary.controls);
    await buildRecordViews(database, sqlDirectory);
    const controls = await readBillableHours(database, summary.controls);
    await settleRecords(database);
    await noteForeign(database, summary.foreign ?? []);
    await database.run('CHECKPOINT');
    return { ...shortenSummary({ ...summary, controls }), hasSettings };
  } finally {
    await database.close();
  }
}

/** Lists the files of loads in the order in which they are loaded, the latest load last. */
async function listLoads(
  loads: readonly PlacedLoad[],
  known: KnownSettings,
): Promise<Listing & { readonly mapping: Mapping | undefined; readonly hasSettings: boolean }> {
  const mappings = openMappings(loads);
  const listings = await Promise.all(
    loads.map(async (load) => {
      const listing = await listInput(load.folder, inputResources, mappings(load.mapping));
      // Two loads may have files of one name.
      const nameOf = (name: string) => (load.id === undefined ? name : `load ${load.id}, ${name}`);
      return {
        files: listing.files.map((file) => ({ ...file, name: nameOf(file.name) })),
        ignored: listing.ignored.map(nameOf),
      };
    }),
  );
  const all = listings.flatMap(({ files }) => files);
  const given = all.filter(({ resource }) => resource === 'settings').at(-1);
  const records = all.filter(({ resource }) => resource !== 'settings');
  const places = new Map(inputResources.map(({ name }, place) => [name, place]));
  const placeOf = ({ resource }: InputFile) => places.get(resource) ?? 0;
  const files = [given ?? (await placeSettings(known)), ...records.sort((a, b) => placeOf(a) - placeOf(b))];
  return {
    files: files.map((file, index) => ({ ...file, number: index + 1 })),
    ignored: listings.flatMap(({ ignored }) => ignored),
    mapping: mappings(loads.at(-1)?.mapping ?? ''),
    hasSettings: given !== undefined,
  };
}

/** Writes the settings of the company as a file of a load: days with a time are those of its zone. */
export async function placeSettings(known: KnownSettings): Promise<InputFile> {
  const path = join(known.folder, 'settings.json');
  const text = JSON.stringify(known.settings);
  await mkdir(known.folder, { recursive: true });
  await writeFile(path, text);
  return {
    number: 1,
    name: 'settings.json',
    path,
    resource: 'settings',
    format: 'json',
    bytes: Buffer.byteLength(text),
  };
}

/**
 * Opens the mappings of loads. Those that differ in nothing but which overlapping entries count are one, the latest: their files
 * are exports of one kind, whose equal rows are the same.
 */
function openMappings(loads: readonly PlacedLoad[]): (text: string) => Mapping {
  const latest = new Map(loads.map(({ mapping }) => [keyOf(mapping), mapping]));
  const parsed = new Map([...latest].map(([key, text]) => [key, parseLoadMapping(text)]));
  return (text) => parsed.get(keyOf(text)) ?? parseLoadMapping(text);
}

/** Returns what mappings have in common that are one. A text that is no YAML has its own error later. */
function keyOf(text: string): string {
  try {
    return JSON.stringify(parse(text), (name, value: unknown) => (name === 'overlap' ? undefined : value));
  } catch {
    return text;
  }
}

/** Reads the settings of live data as a file of a dataset has them. */
export async function readGivenSettings(database: Pick<Database, 'rows'>): Promise<object> {
  const names = Object.keys(settings);
  const [row] = await database.rows<Record<string, unknown>>(
    `SELECT ${names.map((name) => `CAST(to_json(${name}) AS VARCHAR) AS ${name}`).join(', ')} FROM source.settings`,
  );
  if (!row) throw new AppError('internal', 'The database has no settings');
  const given = names.filter((name) => row[name] !== null && row[name] !== 'null');
  return Object.fromEntries(given.map((name) => [name, JSON.parse(String(row[name]))]));
}
