import { readFile, stat } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { AppError, messageOf } from '../error.ts';

/** The largest workbook that is read. Unit: bytes. */
export const MAX_WORKBOOK_BYTES = 268_435_456;

/** The largest part of a workbook that is read, so that a small file can't fill the memory. Unit: bytes. */
export const MAX_PART_BYTES = 268_435_456;

const [END_SIGNATURE, ENTRY_SIGNATURE] = [0x06054b50, 0x02014b50];

/** The end of a directory without its note, and the longest note. Unit: bytes. */
const [END_BYTES, MAX_NOTE_BYTES] = [22, 65_535];

const [STORED, DEFLATED] = [0, 8];

/** The files of an archive. */
export interface ZipFile {
  /**
   * Returns a file as text; undefined if there is none of that name.
   * @throws AppError usage for a damaged or a too large one.
   */
  read(name: string): string | undefined;
}

interface ZipEntry {
  readonly method: number;
  readonly compressed: number;
  readonly offset: number;
}

/**
 * Opens an archive.
 * @throws AppError usage for a file that is missing, too large or no archive.
 */
export async function openZip(path: string): Promise<ZipFile> {
  const bytes = await readWhole(path);
  const wrong = (reason: string) =>
    new AppError('usage', `${path} is not a workbook: ${reason}`, {
      hint: 'Give an Excel file (.xlsx).',
    });
  const entries = listEntries(bytes);
  if (!entries) throw wrong('it is no zip archive');
  return {
    read(name) {
      const entry = entries.get(name);
      if (!entry) return undefined;
      try {
        return inflate(bytes, entry);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
          throw wrong(`its part ${name} has more than ${MAX_PART_BYTES} bytes`);
        throw wrong(`its part ${name} is damaged (${messageOf(error)})`);
      }
    },
  };
}

async function readWhole(path: string): Promise<Buffer> {
  const problem = (reason: string) =>
    new AppError('usage', `${path} ${reason}`, { hint: 'Give the path of a workbook.' });
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw problem(found ? 'is not a file' : 'does not exist');
  if (found.size > MAX_WORKBOOK_BYTES) throw problem(`has ${found.size} bytes, more than ${MAX_WORKBOOK_BYTES}`);
  return readFile(path);
}

/** Returns the entries of an archive's directory by name; undefined if it has none. */
function listEntries(bytes: Buffer): Map<string, ZipEntry> | undefined {
  const lowest = Math.max(0, bytes.length - END_BYTES - MAX_NOTE_BYTES);
  let end = bytes.length - END_BYTES;
  while (end >= lowest && bytes.readUInt32LE(end) !== END_SIGNATURE) end -= 1;
  if (end < lowest) return undefined;
  const entries = new Map<string, ZipEntry>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) return undefined;
    const length = bytes.readUInt16LE(at + 28);
    entries.set(bytes.toString('utf8', at + 46, at + 46 + length), {
      method: bytes.readUInt16LE(at + 10),
      compressed: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function inflate(bytes: Buffer, { method, compressed, offset }: ZipEntry): string {
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const data = bytes.subarray(start, start + compressed);
  if (method === STORED) return data.toString('utf8');
  if (method !== DEFLATED) throw new Error(`compression method ${method}`);
  return inflateRawSync(data, { maxOutputLength: MAX_PART_BYTES }).toString('utf8');
}
