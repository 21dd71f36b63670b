import { createReadStream, createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../../base/index.ts';
import type { RowTally } from '../mapping/row-tally.ts';
import { ENCODING_NAMES } from './encoding.ts';
import type { InputFile } from './files.ts';
import { type JsonTables, readJsonTables } from './json-tables.ts';
import { mendJson } from './mended-json.ts';
import { type FindRecords, type Merged, openMergeSpool } from './merge-spool.ts';
import type { ReadableFile } from './relation.ts';
import { spoolSheet } from './sheets.ts';
import { spoolCsv } from './spool.ts';
import { openSpoolFile, type SpoolRoom } from './spool-file.ts';
import { spoolJson } from './spool-json.ts';

/** The start of a .json file searched for its first character. Unit: bytes. */
const PEEK_BYTES = 64 * 1024;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export interface Preparation {
  readonly files: readonly ReadableFile[];
  /** The names of files that aren't UTF-8, with their encodings. */
  readonly encodings: ReadonlyMap<string, string>;
  /** The rows that are no records, by the number of their file. */
  readonly tallies: ReadonlyMap<number, RowTally>;
  /** The joining of records that several files describe; undefined if there is none. */
  readonly merged: Merged | undefined;
  /** Returns the files, with copies in place of files with records that the engine refuses; undefined if there is no such file. */
  mend(): Promise<readonly ReadableFile[] | undefined>;
  /** Deletes the temporary files. Must be called. */
  close(): Promise<void>;
}

/**
 * Makes files readable for DuckDB: converts CSV to lines of JSON and detects the layout of .json.
 * @param findRecords Finds the records outside the files that rows may describe.
 */
export async function openFiles(
  inputs: readonly InputFile[],
  room: SpoolRoom,
  findRecords: FindRecords,
): Promise<Preparation> {
  const written: string[] = [];
  const encodings = new Map<string, string>();
  const tallies = new Map<number, RowTally>();
  const tables = new Map<string, JsonTables>();
  const merge = openMergeSpool(inputs, findRecords);
  const close = async () => {
    await Promise.all(written.map((path) => rm(path, { force: true })));
  };
  const prepare = async (input: InputFile): Promise<ReadableFile> => {
    const { number, path, format, name, sheet, mapping } = input;
    if (format === 'parquet') return { number, path, layout: 'parquet' };
    if (format === 'json' && !mapping) return { number, path, layout: await readLayout(input) };
    if (format === 'ndjson' && !(await hasMark(path))) return { number, path, layout: 'lines' };
    const copy = `${room.prefix}.input-${number}.ndjson`;
    written.push(copy);
    if (mapping) {
      const file = await openSpoolFile(copy, name, room);
      const output = merge ? merge.take(input, file) : file;
      const spool = async () => {
        if (sheet) return spoolSheet(sheet, name, mapping, output);
        if (format !== 'json') return spoolCsv(input, mapping, output);
        // One file often has the records of five resources: its members are looked for once.
        const known = tables.get(path) ?? (await readJsonTables(path, name, 0));
        tables.set(path, known);
        return spoolJson(input, mapping, known, output);
      };
      const { encoding, tally } = await spool().finally(() => output.close());
      if (encoding !== 'utf-8') encodings.set(name, ENCODING_NAMES[encoding]);
      tallies.set(number, tally);
    } else await pipeline(createReadStream(path, { start: BYTE_ORDER_MARK.length }), createWriteStream(copy));
    return { number, path: copy, layout: 'lines', marksBroken: mapping !== undefined };
  };
  const mendFile = async ({ number, path, layout, marksBroken }: ReadableFile): Promise<ReadableFile | undefined> => {
    if (layout === 'parquet' || marksBroken) return undefined;
    const copy = `${room.prefix}.input-${number}.mended.json`;
    written.push(copy);
    const name = inputs.find((input) => input.number === number)?.name ?? path;
    const output = await openSpoolFile(copy, name, room);
    const isMended = await mendJson(path, layout, output).finally(() => output.close());
    return isMended ? { number, path: copy, layout, marksBroken: true } : undefined;
  };
  const files: ReadableFile[] = [];
  let merged: Merged | undefined;
  try {
    for (const input of inputs) files.push(await prepare(input));
    merged = await merge?.finish();
  } catch (error) {
    await merge?.close();
    await close();
    throw error;
  }
  const mend = async () => {
    const mended = [];
    for (const file of files) mended.push((await mendFile(file)) ?? file);
    return mended.some((file, index) => file !== files[index]) ? mended : undefined;
  };
  return { files, encodings, tallies, merged, mend, close };
}

/** Tells whether a file begins with a byte order mark, which DuckDB rejects in lines of JSON only. */
async function hasMark(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const { buffer } = await handle.read(Buffer.alloc(BYTE_ORDER_MARK.length), 0, BYTE_ORDER_MARK.length, 0);
    return buffer.equals(BYTE_ORDER_MARK);
  } finally {
    await handle.close();
  }
}

async function readLayout(file: InputFile): Promise<'array' | 'values'> {
  const handle = await open(file.path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(PEEK_BYTES), 0, PEEK_BYTES, 0);
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead));
    const [first] = text.trimStart();
    if (first === '[') return 'array';
    if (first === '{') return 'values';
    const before = text.slice(0, text.length - text.trimStart().length).split('\n');
    const found = first === undefined ? 'the file is empty' : `a list of records is expected, not ${first}`;
    const problem = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${found}`;
    throw new AppError('input', `${file.name} can't be parsed: ${problem}`, {
      hint: 'Put [ ] into it if there are no records; otherwise export it again. Nothing was loaded.',
    });
  } finally {
    await handle.close();
  }
}
