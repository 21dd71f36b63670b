import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type Database, quoteText, zoned } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import type { ControlTotals } from '../../records/ingest/index.ts';

/*
 * The loads of files into live data, in the working file: service.loads has a row a load, and service.load_files the bytes of
 * its files. They are written in the transaction of the records, so that no load is there in part, and a backup has them.
 */

export interface LoadedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface LoadEntry {
  readonly id: number;
  readonly loadedAt: string;
  /** The label of its token. */
  readonly loadedBy: string;
  readonly files: readonly LoadedFile[];
  readonly mapping: string;
  /** The control totals of its files at the load, without the amounts of the ledger. */
  readonly totals: readonly ControlTotals[];
  readonly undoneAt: string | null;
  readonly undoneBy: string | null;
}

const CREATE = [
  `CREATE TABLE IF NOT EXISTS service.loads (load_id BIGINT NOT NULL, loaded_at TIMESTAMP NOT NULL, loaded_by VARCHAR NOT NULL,
    mapping VARCHAR NOT NULL, totals VARCHAR NOT NULL, undone_at TIMESTAMP, undone_by VARCHAR)`,
  `CREATE TABLE IF NOT EXISTS service.load_files (load_id BIGINT NOT NULL, position INTEGER NOT NULL, name VARCHAR NOT NULL,
    bytes BIGINT NOT NULL, sha256 VARCHAR NOT NULL, content BLOB NOT NULL)`,
];

/** Reads the loads of a working database, the newest first. */
export async function readLoads(database: Pick<Database, 'rows'>): Promise<LoadEntry[]> {
  const tables = await database.rows(
    "SELECT 1 FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = 'service' AND table_name = 'loads'",
  );
  if (tables.length === 0) return [];
  const found = await database.rows<Omit<LoadEntry, 'totals'> & { readonly totals: string }>(`
    SELECT load_id AS id, ${zoned('loaded_at')} AS "loadedAt", loaded_by AS "loadedBy", mapping, totals,
      ${zoned('undone_at')} AS "undoneAt", undone_by AS "undoneBy", (
        SELECT list({'name': name, 'bytes': bytes, 'sha256': sha256} ORDER BY position)
        FROM service.load_files WHERE load_files.load_id = loads.load_id) AS files
    FROM service.loads ORDER BY load_id DESC`);
  return found.map((load) => ({ ...load, totals: JSON.parse(load.totals) as ControlTotals[] }));
}

/** Returns a load. @throws AppError unknown if there is none with this id. */
export function findLoad(loads: readonly LoadEntry[], id: string): LoadEntry {
  const found = loads.find((load) => String(load.id) === id);
  if (found) return found;
  const ids = loads.map((each) => each.id).join(', ');
  throw new AppError('unknown', `There is no load ${id}`, {
    hint: ids === '' ? 'No files have been loaded here.' : `The loads are ${ids}.`,
  });
}

/** Writes the files of a load into a folder, as they came. */
export async function unpackFiles(database: Pick<Database, 'rows' | 'run'>, id: number, folder: string): Promise<void> {
  const files = await database.rows<{ position: number; name: string }>(
    `SELECT position, name FROM service.load_files WHERE load_id = ${id} ORDER BY position`,
  );
  // The engine writes each file: as a value it would be in the memory of this process. It would pack a .gz once more.
  for (const { position, name } of files) {
    const packed = `${folder}.${position}.packed`;
    await database.run(`COPY (SELECT content FROM service.load_files WHERE load_id = ${id} AND position = ${position})
      TO ${quoteText(packed)} (FORMAT BLOB)`);
    await pipeline(createReadStream(packed), createGunzip(), createWriteStream(join(folder, name)));
    await rm(packed);
  }
}

/** Packs a file for its load. @returns the path of the packed file. */
export async function packFile(path: string, packed: string): Promise<string> {
  await pipeline(createReadStream(path), createGzip(), createWriteStream(packed));
  return packed;
}

/**
 * Returns the statements that note a load with its files.
 * @param at As YYYY-MM-DD HH:MM:SS in UTC.
 */
export function noteLoad(
  { id, loadedBy, mapping, totals }: Pick<LoadEntry, 'id' | 'loadedBy' | 'mapping' | 'totals'>,
  files: readonly (LoadedFile & { readonly packed: string })[],
  at: string,
): string[] {
  return [
    ...CREATE,
    `INSERT INTO service.loads VALUES (${id}, TIMESTAMP ${quoteText(at)}, ${quoteText(loadedBy)}, ${quoteText(mapping)},
      ${quoteText(JSON.stringify(totals))}, NULL, NULL)`,
    ...files.map(
      ({ name, bytes, sha256, packed }, position) => `INSERT INTO service.load_files
        SELECT ${id}, ${position}, ${quoteText(name)}, ${bytes}, ${quoteText(sha256)}, content FROM read_blob(${quoteText(packed)})`,
    ),
  ];
}

/** Returns the statement that notes that a load is undone. @param at As YYYY-MM-DD HH:MM:SS in UTC. */
export function noteUndone(id: number, by: string, at: string): string {
  return `UPDATE service.loads SET undone_at = TIMESTAMP ${quoteText(at)}, undone_by = ${quoteText(by)} WHERE load_id = ${id}`;
}
