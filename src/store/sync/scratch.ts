import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, openDatabase, quoteText } from '../../base/database/index.ts';
import { buildRecordViews } from '../../numbers/model/index.ts';
import { sqlDirectory } from '../../numbers/relation/index.ts';
import { findList, type Pulled, type PulledResource, resourcesBeside } from '../../pull/index.ts';
import {
  type IngestSummary,
  ingestFiles,
  inputResources,
  listInput,
  MAX_RECORD_BYTES,
  readSummary,
} from '../../records/ingest/index.ts';
import { findResource, type Resource } from '../../records/resource/index.ts';
import { settleRecords } from '../record/storage/tables.ts';
import { type FilesBeside, fieldsBeside, listFilesBeside } from './files-beside.ts';
import { mergeFields } from './merge-fields.ts';
import { comparedLists, type LoadedRecords } from './record-differences.ts';
import { parseSourceSettings } from './source-settings.ts';

/** Matches the files of a run's records in its folder, and the folders of the engine's temporary files. */
const SCRATCH = /^records-.*\.duckdb/;

/** Entries of a deletion log written by one statement. Unit: entries. */
const DELETIONS_AT_ONCE = 1000;

/** Lists loaded together: a contract may have its rate from a role, a project may hold its expenses, time off names its type. */
const TOGETHER = [
  ['roles', 'people'],
  ['projects', 'project_expenses'],
  ['timeoff_types', 'timeoffs'],
];

/** Lists whose records settleRecords changes. */
const SETTLED = new Set(['people', 'projects']);

/** Returns the lists that can differ from the stored records. @param withFields Those whose fields files beside the source may have. */
function changedLists({ resources }: Pulled, withFields: readonly string[]): PulledResource[] {
  // An unchanged list may lose a record after it was read.
  const hasChanged = ({ isWhole, isUnchanged, read, deleted, large }: PulledResource) =>
    deleted.length > 0 || large.length > 0 || (isWhole ? !isUnchanged : read > 0);
  const changed = [...resources.filter(hasChanged).map(({ resource }) => resource), ...withFields];
  const groups = TOGETHER.filter((names) => names.some((name) => changed.includes(name)));
  const wanted = new Set([...changed, ...groups.flat()]);
  return resources.filter(({ resource }) => wanted.has(resource));
}

export interface ScratchOptions {
  readonly folder: string;
  readonly memoryLimitMib: number;
  /** A JSON file with the settings of the company, for a run that reads everything. */
  readonly settingsFile?: string | undefined;
  /** A folder with files of records that the source doesn't have. */
  readonly besideFolder?: string | undefined;
}

/** Validates what was pulled as a load does, and attaches it as `pulled`, if it can differ from the records known. */
export async function loadPulled(
  session: Database,
  pulled: Pulled,
  { folder, memoryLimitMib, settingsFile, besideFolder }: ScratchOptions,
): Promise<LoadedRecords> {
  const sent = pulled.resources.map(({ resource }) => resource);
  const files = besideFolder === undefined ? undefined : await listFilesBeside(besideFolder, sent);
  const changed = changedLists(pulled, files ? Object.keys(fieldsBeside) : []);
  const takesFile = pulled.wholeBecause !== undefined && settingsFile !== undefined;
  const given = takesFile ? await readFile(settingsFile, 'utf8') : undefined;
  const settings = given ?? (pulled.settings === undefined ? undefined : parseSourceSettings(pulled.settings));
  const beside = besideFolder === undefined ? [] : resourcesBeside(sent);
  const lists = [...comparedLists(changed), ...beside.map((resource) => ({ resource, isWhole: true }))];
  const loaded = { pulled, lists, settings, areGiven: takesFile, hasFields: files !== undefined };
  if (changed.length === 0 && settings === undefined && beside.length === 0) return { ...loaded, load: undefined };
  // A run whose DETACH failed leaves its records attached.
  await session.run('DETACH DATABASE IF EXISTS pulled');
  const scratch = await fillScratch(folder, pulled, changed, { memoryLimitMib, settings, files });
  await session.run(`ATTACH ${quoteText(scratch.file)} AS pulled`);
  return { ...loaded, load: scratch.summary };
}

/**
 * Validates the records of a run as a load does, in a separate database.
 * A record deleted after its last change is left out. Missing times stay empty.
 * @returns the file, and the summary of the load.
 */
async function fillScratch(
  folder: string,
  { directory }: Pulled,
  resources: readonly PulledResource[],
  {
    memoryLimitMib,
    settings,
    files: besides,
  }: Pick<ScratchOptions, 'memoryLimitMib'> & {
    readonly settings: string | undefined;
    readonly files: FilesBeside | undefined;
  },
): Promise<{ file: string; summary: IngestSummary }> {
  await removeScratch(folder);
  // Another statement may still read the file of the previous run, which can't be attached again until it ends.
  const file = join(folder, `records-${randomUUID()}.duckdb`);
  if (settings !== undefined) await writeFile(join(directory, 'settings.json'), settings);
  const database = await openDatabase(file, { memoryLimitMib });
  try {
    const only = [...resources.map(({ resource }) => resource), 'settings'];
    const isPulled = resources.length > 0 || settings !== undefined;
    const wanted = inputResources.filter(({ name }) => only.includes(name));
    const files = isPulled ? (await listInput(directory, wanted)).files : [];
    const beside = (besides?.records ?? []).map((each, index) => ({ ...each, number: files.length + index + 1 }));
    await ingestFiles(
      database,
      { files: [...files, ...beside], ignored: [] },
      { leavesTimesEmpty: true, only: [...only, ...resourcesBeside(only).map(({ name }) => name)] },
    );
    if (besides && besides.fields.length > 0) {
      const own = join(folder, `records-${randomUUID()}.duckdb`);
      await mergeFields(
        database,
        { database: await openDatabase(own, { memoryLimitMib }), file: own },
        besides.fields,
        resources,
      );
    }
    if (resources.some(({ resource }) => SETTLED.has(resource))) {
      await buildRecordViews(database, sqlDirectory);
      await settleRecords(database);
    }
    await database.transaction(async () => {
      await database.run('CREATE TABLE source.deleted (resource VARCHAR, record_id VARCHAR, deleted_at TIMESTAMP)');
      for (const resource of resources) {
        for (const sql of [...countList(resource), ...setLargeAside(resource), ...removeDeleted(resource)])
          await database.run(sql);
      }
    });
    await database.run('CHECKPOINT');
    return { file, summary: await readSummary(database) };
  } finally {
    await database.close();
  }
}

export async function removeScratch(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => SCRATCH.test(name));
  await Promise.all(files.map((name) => rm(join(folder, name), { recursive: true, force: true })));
}

/**
 * Builds SQL that counts the records of a list. Records that also come inside others, such as expenses inside projects,
 * don't count as duplicates: otherwise the counts of a load would differ from the counts of the run.
 */
function countList({ resource, nestedIn, read }: PulledResource): string[] {
  if (findList(resource).nested === undefined || nestedIn !== undefined) return [];
  const kept = 'loaded + set_aside';
  return [
    `UPDATE source.load_counts SET read = greatest(${read}, ${kept}), duplicates = greatest(${read} - (${kept}), 0)
    WHERE resource = ${quoteText(resource)}`,
  ];
}

/** Builds SQL that sets aside the records of a list that are too large to be loaded. */
function setLargeAside({ resource, large, read }: PulledResource): string[] {
  if (large.length === 0) return [];
  const rows = large.map((id, index) => {
    const reason = quoteText(`larger than ${MAX_RECORD_BYTES / 1024 / 1024} MiB`);
    return `(${quoteText(resource)}, ${quoteText(`${resource}.ndjson`)}, ${read + index + 1}, ${quoteText(id)}, NULL, [${reason}], NULL)`;
  });
  return [
    `INSERT INTO source.rejected VALUES ${rows.join(', ')}`,
    `UPDATE source.load_counts SET read = read + ${large.length}, set_aside = set_aside + ${large.length}
    WHERE resource = ${quoteText(resource)}`,
  ];
}

/** Builds SQL that removes the records of a list that its deletion log names, unless changed since. */
function removeDeleted({ resource, deleted }: PulledResource): string[] {
  if (deleted.length === 0) return [];
  const { table, id, lists } = findResource(resource);
  const rows = deleted.map((entry) => {
    return `(${quoteText(resource)}, ${quoteText(entry.id)}, TIMESTAMP ${quoteText(entry.at)})`;
  });
  const inserts = chunk(rows, DELETIONS_AT_ONCE).map((some) => `INSERT INTO source.deleted VALUES ${some.join(', ')}`);
  const isDeleted = `EXISTS (SELECT 1 FROM source.deleted AS log
    WHERE log.resource = ${quoteText(resource)} AND log.record_id = CAST(record.${id} AS VARCHAR)
      AND COALESCE(record.modified, log.deleted_at) <= log.deleted_at)`;
  return [
    ...inserts,
    ...Object.values(lists).map(
      (items) =>
        `DELETE FROM source.${items.table} WHERE ${id} IN (SELECT ${id} FROM ${table} AS record WHERE ${isDeleted})`,
    ),
    `DELETE FROM ${table} AS record WHERE ${isDeleted}`,
    countLoaded(findResource(resource)),
  ];
}

/** Builds SQL that counts the records of a run again, once some are removed. @param prefix The prefix of the schema. */
export function countLoaded({ name, table }: Resource, prefix = ''): string {
  const count = `(SELECT count(*) FROM ${prefix}${table})`;
  return `UPDATE ${prefix}source.load_counts SET read = read - loaded + ${count}, loaded = ${count}
    WHERE resource = ${quoteText(name)}`;
}

function chunk<T>(values: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size),
  );
}
