import { copyFile, mkdir, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Database, openDatabase } from '../../base/database/index.ts';
import { type FindRecords, formatReason, ingestFiles, inputResources, listInput } from '../../records/ingest/index.ts';
import { type Resource, resources } from '../../records/resource/index.ts';
import { type KnownSettings, parseLoadMapping, placeSettings } from './ingest-loads.ts';
import type { FirstRecords } from './load-json.ts';
import { cutShown, mainResource, SHOWN_ROWS } from './understand-files.ts';

/** The beginning of a file whose first records are read. Unit: bytes. */
const FIRST_BYTES = 65_536;

/** The largest file that can't be cut whose first records are read. Unit: bytes. */
const MAX_WHOLE_BYTES = 4_194_304;

/** The memory of the engine for the first records. Unit: MiB. */
const MEMORY_MIB = 256;

/**
 * Reads the first records of each file as a load would, from the beginning of the files.
 * @param known The settings of the company. @param seesRates False to leave out rates and costs.
 */
export async function readFirstRecords(
  folder: string,
  mapping: string,
  known: KnownSettings,
  seesRates: boolean,
): Promise<FirstRecords[]> {
  const cut = join(known.folder, 'first');
  await mkdir(cut, { recursive: true });
  const { files } = await listInput(folder, inputResources, parseLoadMapping(mapping));
  const names = [...new Set(files.map(({ path }) => path))];
  const copied = await Promise.all(
    names.map(
      async (path, index) => [path, await copyBeginning(path, join(cut, String(index), basename(path)))] as const,
    ),
  );
  const beginnings = new Map(copied);
  const found: FirstRecords[] = [];
  for (const path of names) {
    const place = beginnings.get(path);
    const own = files.filter((file) => file.path === path && file.resource !== 'settings');
    if (place === undefined || own.length === 0) continue;
    const settings = await placeSettings(known);
    const listed = [settings, ...own.map((file) => ({ ...file, path: place }))].map((file, at) => ({
      ...file,
      number: at + 1,
    }));
    const database = await openDatabase(':memory:', { memoryLimitMib: MEMORY_MIB });
    try {
      // Other files may have the records that the rows of this one describe.
      const findRecords: FindRecords = async (_, ids) => new Set(ids);
      const options = { leavesTimesEmpty: true, findRecords };
      const { reasons } = await ingestFiles(database, { files: listed, ignored: [] }, options);
      const problems = reasons.filter(({ example }) => example.position <= SHOWN_ROWS).map(formatReason);
      found.push({
        file: own[0]?.name ?? '',
        problems,
        ...(await readRows(database, mainResource(own.map((file) => file.resource)), seesRates)),
      });
    } finally {
      await database.close();
    }
  }
  return found;
}

/** Copies the whole lines at the beginning of a file. @returns the copy; undefined for a large file that can't be cut, or whose first line is too long. */
async function copyBeginning(path: string, to: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    await mkdir(dirname(to), { recursive: true });
    const { size } = await file.stat();
    const isCut = size > FIRST_BYTES && /\.(csv|tsv|txt)$/i.test(path);
    if (!isCut) {
      if (size > MAX_WHOLE_BYTES) return undefined;
      await copyFile(path, to);
      return to;
    }
    const { buffer } = await file.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0);
    const end = endOfLines(buffer);
    if (end === 0) return undefined;
    const copy = await open(to, 'wx');
    await copy.writeFile(buffer.subarray(0, end)).finally(() => copy.close());
    return to;
  } finally {
    await file.close();
  }
}

/** Returns the place after the last line of a text, which is UTF-16 if it begins with its mark. */
function endOfLines(text: Buffer): number {
  const isWide = (text[0] === 0xff && text[1] === 0xfe) || (text[0] === 0xfe && text[1] === 0xff);
  const last = Math.max(text.lastIndexOf(0x0a), text.lastIndexOf(0x0d)) + 1;
  return isWide ? last + (last % 2) : last;
}

async function readRows(
  database: Database,
  resource: Resource | undefined,
  seesRates: boolean,
): Promise<Pick<FirstRecords, 'resource' | 'columns' | 'rows'>> {
  if (!resource) return { resource: 'settings', columns: [], rows: [] };
  const { name, table, id, fields, needsRates } = resource;
  const shown = Object.entries(fields).filter(
    ([field, { isMoment }]) => field !== id && isMoment !== true && (seesRates || !needsRates.includes(field)),
  );
  const texts = shown.map(([field, { refers }]) => {
    const referred = resources.find((each) => each.name === refers);
    const label = referred && ['name', 'task_name', 'timeoff_type_name'].find((each) => referred.fields[each]);
    const plain = `CAST(record.${field} AS VARCHAR)`;
    if (!referred || label === undefined) return `${plain} AS ${field}`;
    return `COALESCE((SELECT ${label} FROM ${referred.table} AS named WHERE named.${referred.id} = record.${field}), ${plain}) AS ${field}`;
  });
  const rows = await database.rows<Record<string, string | null>>(
    `SELECT ${texts.join(', ')} FROM (FROM ${table} ORDER BY rowid LIMIT ${SHOWN_ROWS}) AS record`,
  );
  const columns = shown.map(([field]) => field).filter((field) => rows.some((row) => row[field] !== null));
  return { resource: name, columns, rows: rows.map((row) => columns.map((field) => cutPerhaps(row[field]))) };
}

function cutPerhaps(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : cutShown(text);
}
