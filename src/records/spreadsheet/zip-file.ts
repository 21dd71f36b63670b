import { type FileHandle, open, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { AppError, fileReasonOf, messageOf } from '../../base/index.ts';

/** The largest workbook that is read. Unit: bytes. */
export const MAX_WORKBOOK_BYTES = 268_435_456;

const [END_SIGNATURE, ENTRY_SIGNATURE, LOCAL_SIGNATURE] = [0x06054b50, 0x02014b50, 0x04034b50];

/** The end of a directory without its note, and the longest note. Unit: bytes. */
const [END_BYTES, MAX_NOTE_BYTES] = [22, 65_535];

/** The fixed parts of an entry in the directory, and of the header before a file. Unit: bytes. */
const [ENTRY_BYTES, LOCAL_BYTES] = [46, 30];

/** The first bytes of old .xls files and of encrypted workbooks. */
const OLE_SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex');

const [STORED, DEFLATED] = [0, 8];

/** The bytes unpacked at once. */
const CHUNK_BYTES = 65_536;

/** The part of an archive's directory that describes one file. */
interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  /** Unit: bytes. */
  readonly compressed: number;
  readonly size: number;
  readonly offset: number;
}

/** The files of an archive; names differ in more than their case. */
export interface ZipFile {
  readonly bytes: number;
  /** Returns the size of a file, unpacked, in bytes; undefined for an unknown name. */
  sizeOf(name: string): number | undefined;
  /**
   * Reads a file as text, in pieces; yields nothing for an unknown name.
   * @throws AppError usage for a damaged file, whose checksum or size differs from the directory.
   */
  read(name: string): AsyncGenerator<string, void, undefined>;
}

/**
 * Opens an archive.
 * @throws AppError usage for a file that is missing, too large or not an archive.
 */
export async function openZip(path: string): Promise<ZipFile> {
  const hint = 'Give the path of a workbook.';
  const found = await stat(path).catch((cause) => {
    throw new AppError('usage', `Can't read ${path}: ${fileReasonOf(cause)}`, { hint, cause });
  });
  if (!found.isFile()) throw new AppError('usage', `${path} is not a file`, { hint });
  if (found.size > MAX_WORKBOOK_BYTES)
    throw new AppError('usage', `${path} has ${found.size} bytes, more than ${MAX_WORKBOOK_BYTES}`, { hint });
  const entries = new Map<string, ZipEntry>();
  const file = await open(path);
  try {
    for (const entry of await readDirectory(file, path, found.size)) {
      const key = entry.name.toLowerCase();
      if (entries.has(key)) throw partError(path, entry.name, 'is there twice');
      entries.set(key, entry);
    }
  } finally {
    await file.close();
  }
  return {
    bytes: found.size,
    sizeOf: (name) => entries.get(name.toLowerCase())?.size,
    async *read(name) {
      const entry = entries.get(name.toLowerCase());
      if (entry) yield* readText(path, entry);
    },
  };
}

export function partError(path: string, part: string, problem: string): AppError {
  return new AppError('usage', `${path} is damaged: its part ${part} ${problem}`, {
    hint: 'Save the workbook again.',
  });
}

/** Returns the error of a file that is something else. */
export function notWorkbook(path: string, reason: string): AppError {
  return new AppError('usage', `${path} is not a workbook: ${reason}`, { hint: 'Give an Excel file (.xlsx).' });
}

/** Reads the entries of an archive's directory, which is at its end. */
async function readDirectory(file: FileHandle, path: string, bytes: number): Promise<ZipEntry[]> {
  const start = Math.max(0, bytes - END_BYTES - MAX_NOTE_BYTES);
  const tail = await readAt(file, start, bytes - start);
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end -= 1;
  if (end < 0) {
    const isOle = (await readAt(file, 0, OLE_SIGNATURE.length)).equals(OLE_SIGNATURE);
    throw notWorkbook(path, isOle ? 'it is an old .xls file, or has a password' : 'it is no zip archive');
  }
  const directory = await readAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries: ZipEntry[] = [];
  for (let [at, left] = [0, tail.readUInt16LE(end + 10)]; left > 0; left -= 1) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE)
      throw notWorkbook(path, 'it is a damaged zip archive');
    const length = ENTRY_BYTES + directory.readUInt16LE(at + 28) + directory.readUInt16LE(at + 30);
    entries.push(parseEntry(directory.subarray(at, at + length)));
    at += length + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** Reads bytes at a position; fewer at the end of the file. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { size } = await file.stat();
  const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - position)));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
  return buffer.subarray(0, bytesRead);
}

function parseEntry(entry: Buffer): ZipEntry {
  const nameEnd = ENTRY_BYTES + entry.readUInt16LE(28);
  const [size, compressed, offset] = readSizes(entry, entry.subarray(nameEnd));
  return {
    name: entry.toString('utf8', ENTRY_BYTES, nameEnd),
    method: entry.readUInt16LE(10),
    isEncrypted: (entry.readUInt16LE(8) & 1) === 1,
    crc: entry.readUInt32LE(16),
    compressed,
    size,
    offset,
  };
}

/** Reads the sizes and the position of a file; values marked as 64-bit are in an extra field. */
function readSizes(entry: Buffer, extra: Buffer): [size: number, compressed: number, offset: number] {
  let [at, end] = [0, 0];
  while (at + 4 <= extra.length) {
    const [id, length] = [extra.readUInt16LE(at), extra.readUInt16LE(at + 2)];
    at += 4;
    end = Math.min(at + length, extra.length);
    if (id === 1) break;
    at = end;
  }
  const read = (place: number) => {
    const value = entry.readUInt32LE(place);
    if (value !== 0xffff_ffff || at + 8 > end) return value;
    at += 8;
    return Number(extra.readBigUInt64LE(at - 8));
  };
  return [read(24), read(20), read(42)];
}

async function* readText(path: string, entry: ZipEntry): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [size, crc] = [0, 0];
  try {
    for await (const bytes of await openBytes(path, entry)) {
      size += bytes.length;
      crc = crc32(bytes, crc);
      if (size > entry.size) break;
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  } catch (error) {
    throw error instanceof AppError ? error : partError(path, entry.name, `can't be unpacked (${messageOf(error)})`);
  }
  if (size !== entry.size) throw partError(path, entry.name, "hasn't the size that is written beside it");
  if (crc !== entry.crc) throw partError(path, entry.name, "hasn't the content of its checksum");
}

async function openBytes(path: string, entry: ZipEntry): Promise<AsyncIterable<Buffer>> {
  const { method, compressed, offset } = entry;
  if (entry.isEncrypted) throw partError(path, entry.name, 'is encrypted');
  if (method !== STORED && method !== DEFLATED)
    throw partError(path, entry.name, `is packed by a method that isn't supported (${method})`);
  const file = await open(path);
  const header = await readAt(file, offset, LOCAL_BYTES);
  if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL_SIGNATURE) {
    await file.close();
    throw partError(path, entry.name, "isn't where the directory says");
  }
  const start = offset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = file.createReadStream({ start, end: Math.max(start, start + compressed - 1) });
  if (method === STORED) return packed;
  const inflated = createInflateRaw({ chunkSize: CHUNK_BYTES });
  // An error of this pipeline ends the iteration over the other stream.
  pipeline(packed, inflated, () => undefined);
  return inflated;
}
