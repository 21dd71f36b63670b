import { openZone } from '../../base/calendar/index.ts';
import { type Database, formatTime, openDatabase, quoteText } from '../../base/database/index.ts';
import { settingsResource } from '../resource/company-resources.ts';
import type { Resource } from '../resource/resource.ts';
import { resources } from '../resource/resources.ts';
import { keepOrigins } from './controls/amount-totals.ts';
import { readControlTotals } from './controls/file-totals.ts';
import {
  assertNamesKnown,
  type IngestSummary,
  readSummary,
  requireNothingSetAside,
} from './controls/ingest-summary.ts';
import { assertInvoiceCurrency } from './controls/invoice-currency.ts';
import { noteCounts, noteFiles, noteNames } from './controls/load-notes.ts';
import { findSharedEmails, listNamingFiles, readOtherNames } from './controls/own-names.ts';
import { requireUsed } from './controls/used-rows.ts';
import type { MadeIds } from './mapping/made-ids.ts';
import type { Mapping } from './mapping/mapping.ts';
import { formatNearName } from './mapping/near-names.ts';
import { assertFormMeant, type InputFile, type Listing, listInput } from './reading/files.ts';
import type { FindRecords } from './reading/merge-spool.ts';
import { assertOnce } from './reading/once.ts';
import { settleOverlaps } from './reading/overlaps.ts';
import { openSpoolRoom } from './reading/spool-file.ts';
import { verifySums } from './reading/sums.ts';
import { createEmptyTables } from './records/empty-tables.ts';
import { createLoadTables, finishTables, type LoadCounts, loadRecords, NO_COUNTS } from './records/loading.ts';
import { buildNestedRelation } from './records/record-query.ts';
import { createDefaultSettings, describeAssumed, loadSettings } from './records/settings-file.ts';
import { containersOf, filesOf, isGiven, type Load, openLoad, sumBytes, withRelation } from './resource-files.ts';

/** Everything that files can hold: the settings and every resource, in the order of loading. */
export const inputResources: readonly Resource[] = [settingsResource, ...resources];

export interface IngestOptions {
  /** Reject the load if any record would be set aside. */
  readonly strict?: boolean;
  /** The moment of the load: the times of records without any. Default: now. */
  readonly now?: Date;
  /** Leaves the times of records without any empty, to be filled from records known already. */
  readonly leavesTimesEmpty?: boolean;
  /** The resources to read, with the settings as `settings`. Default: all. */
  readonly only?: readonly string[];
  /** Says how files with headers are read. Default: headers name fields. */
  readonly mapping?: Mapping | undefined;
  /** Finds the records outside the files that their rows may describe. Default: there are none. */
  readonly findRecords?: FindRecords;
  /** Called before each resource and at the end. Unit of done and total: bytes of all files. */
  readonly onProgress?: (step: { resource: string; done: number; total: number }) => void;
}

/**
 * Loads a dataset directory into the schema source of a new database.
 * Each resource, and each list inside one, has its table; bad records go whole into source.rejected.
 * After an error the database is unusable.
 * @throws AppError input if there is no dataset, a file can't be parsed, or, if strict, a record is set aside.
 */
export async function ingestDirectory(
  database: Database,
  directory: string,
  options: IngestOptions = {},
): Promise<IngestSummary> {
  const wanted = inputResources.filter(({ name }) => options.only?.includes(name) ?? true);
  const listing = await listInput(directory, wanted, options.mapping);
  assertFormMeant(listing, options.mapping);
  await verifySums(directory);
  await assertOnce(listing.files);
  const summary = await ingestFiles(database, listing, options);
  await assertInvoiceCurrency(database, listing.files);
  assertNamesKnown(summary);
  requireUsed(summary);
  return summary;
}

/**
 * Loads the files of a dataset, wherever they are, as ingestDirectory does.
 * @throws AppError input if a file can't be parsed, or, if strict, a record is set aside.
 */
export async function ingestFiles(
  database: Database,
  { files, ignored }: Listing,
  options: IngestOptions = {},
): Promise<IngestSummary> {
  const at = options.leavesTimesEmpty ? undefined : formatTime(options.now ?? new Date());
  const room = await openSpoolRoom(database, files);
  const load = openLoad(database, files, room, at, options.findRecords);
  // A checkpoint may renumber rows, which are identified by row id until the end of the load.
  await database.run("SET checkpoint_threshold = '1TB'");
  let assumed: string[];
  let names: Pick<IngestSummary, 'nearNames' | 'foundNames' | 'nameQuestions'>;
  try {
    const ids = options.mapping ? await learnNames(files) : new Set<MadeIds>();
    await createLoadTables(database);
    await noteFiles(database, files);
    assumed = await loadAll(load, options);
    // Left-out resources have files, too.
    if (!options.only) await noteNames(database, 'ignored file', ignored);
    await noteNames(database, 'conflict', load.conflicts);
    names = await readNames(database, ids, options.mapping?.ids);
    await noteNames(database, 'near name', names.nearNames.map(formatNearName));
    await noteNames(database, 'found name', names.foundNames.map(formatNearName));
    await noteNames(
      database,
      'encoding',
      [...load.encodings].map(([name, encoding]) => `${name}: ${encoding}`),
    );
  } finally {
    await database.run('RESET checkpoint_threshold');
  }
  const summary = {
    ...(await readSummary(database)),
    ...names,
    controls: load.controls,
    ...(load.foreign.length > 0 && { foreign: load.foreign }),
    assumedSettings: await describeAssumed(database, assumed),
    mappingFile: options.mapping?.path,
  };
  if (options.strict) requireNothingSetAside(summary);
  return summary;
}

/**
 * Reads the names of records whose ids aren't made of them alone, so that rows which name one find its record.
 * @returns the ids of all mappings of the files.
 */
async function learnNames(files: readonly InputFile[]): Promise<ReadonlySet<MadeIds>> {
  const all = new Set(files.flatMap(({ mapping }) => mapping?.ids ?? []));
  const naming = listNamingFiles(files);
  if (naming.length === 0) return all;
  const fresh = new Map([...all].map((ids) => [ids, ids.again()]));
  const copies = naming.map((file, index) => {
    const { mapping } = file;
    const ids = mapping && fresh.get(mapping.ids);
    return { ...file, number: index + 1, ...(mapping && ids && { mapping: { ...mapping, ids } }) };
  });
  const database = await openDatabase(':memory:');
  try {
    await ingestFiles(database, { files: copies, ignored: [] });
    const made = [...fresh.values()].flatMap((ids) => ids.madeNames());
    const records = await readOtherNames(database, made);
    for (const ids of all) ids.know(records);
  } finally {
    await database.close();
  }
  return all;
}

/** Reads what a load tells and asks of names. @param latest The ids of the mapping whose names are told. */
async function readNames(database: Database, all: ReadonlySet<MadeIds>, latest: MadeIds | undefined) {
  const made = [...all].flatMap((ids) => ids.madeNames());
  return {
    nearNames: latest?.nearNames() ?? [],
    foundNames: latest?.foundNames() ?? [],
    nameQuestions: [...[...all].flatMap((ids) => ids.questions()), ...(await findSharedEmails(database, made))],
  };
}

/** Fills the schema source of a new database with an empty dataset. */
export async function createDataset(database: Database): Promise<void> {
  await createLoadTables(database);
  const room = await openSpoolRoom(database, []);
  const at = formatTime(new Date(0));
  await loadAll(openLoad(database, [], room, at), {});
}

/** @returns the names of the settings that are assumed. */
async function loadAll(given: Load, options: IngestOptions): Promise<string[]> {
  const assumed = await loadGivenSettings(given);
  await loadResources({ ...given, files: await placeInZone(given) }, options);
  return assumed;
}

/** Loads the settings, or assumes them. @returns the names of those that are assumed. */
async function loadGivenSettings(load: Load): Promise<string[]> {
  const { database, files } = load;
  const given = files.filter(({ resource }) => resource === settingsResource.name);
  const settingsFile = given.map(({ name }) => name).join(' and ');
  return given.length === 0
    ? createDefaultSettings(database)
    : withRelation(load, settingsResource, (relation) => loadSettings(database, relation, settingsFile));
}

/** Returns the files with the company's zone, in which days are meant. */
async function placeInZone({ database, files }: Load): Promise<InputFile[]> {
  if (!files.some(({ mapping }) => mapping)) return [...files];
  const [row] = await database.rows<{ time_zone: string }>('SELECT time_zone FROM source.settings');
  const zone = openZone(row?.time_zone ?? 'UTC');
  return files.map((file) => (file.mapping ? { ...file, mapping: { ...file.mapping, zone } } : file));
}

async function loadResources(load: Load, options: IngestOptions): Promise<void> {
  const { onProgress } = options;
  const { database, files } = load;
  const total = sumBytes(files);
  await createEmptyTables(
    database,
    resources.filter((resource) => !isGiven(load, resource)),
  );
  let done = sumBytes(filesOf(load, settingsResource));
  const counts: [Resource, LoadCounts][] = [];
  for (const resource of resources) {
    onProgress?.({ resource: resource.name, done, total });
    const loaded = isGiven(load, resource) ? await loadResource(load, resource) : NO_COUNTS;
    const replaced = resource.name === 'logged_time' ? await settleOverlaps(database, filesOf(load, resource)) : 0;
    counts.push([resource, { ...loaded, loaded: loaded.loaded - replaced, duplicates: loaded.duplicates + replaced }]);
    done += sumBytes(filesOf(load, resource));
  }
  onProgress?.({ resource: resources.at(-1)?.name ?? '', done, total });
  if (options.mapping?.path !== undefined) load.controls.push(...(await readControlTotals(load)));
  await keepOrigins(database, load.controls);
  await finishTables(
    database,
    resources.filter((resource) => isGiven(load, resource)),
  );
  await addTimeoffTypes(database, load.at);
  await noteCounts(database, files, load.hashes, counts, load.controls);
}

function loadResource(load: Load, resource: Resource): Promise<LoadCounts> {
  const parents = containersOf(resource).filter(({ container }) => isGiven(load, container));
  return withRelation(load, resource, (relation) => {
    const nested = parents.map(({ container, list }) => buildNestedRelation(container, list));
    const [first] = parents;
    return loadRecords(load.database, {
      resource,
      relation: [...nested, relation].join('\n  UNION ALL\n  '),
      containerId: first?.container.id,
      bytes: sumBytes(filesOf(load, resource)),
      at: load.at,
    });
  });
}

/**
 * Adds the time off types that appear in time off only, under their last name there.
 * @param at Their times, as YYYY-MM-DD HH:MM:SS in UTC; undefined leaves these empty.
 */
async function addTimeoffTypes(database: Database, at: string | undefined): Promise<void> {
  const moment = at === undefined ? 'NULL' : `TIMESTAMP ${quoteText(at)}`;
  await database.run(`
    INSERT INTO source.timeoff_types (timeoff_type_id, timeoff_type_name, created, modified)
    SELECT timeoff_type_id, arg_max(timeoff_type_name, timeoff_id), ${moment}, ${moment}
    FROM source.timeoffs
    WHERE timeoff_type_id IS NOT NULL AND timeoff_type_id NOT IN (SELECT timeoff_type_id FROM source.timeoff_types)
    GROUP BY timeoff_type_id
    ORDER BY timeoff_type_id`);
}
