import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** The text that is buffered before compression. Unit: characters. */
const BLOCK_CHARACTERS = 65_536;

/** Level 1 takes half the time of the default level 6, and its files are a fifth larger. */
const COMPRESSION_LEVEL = 1;

/** The largest file and archive that all readers support. Unit: bytes. */
const MAX_BYTES = 0xffff_ffff;

/** Names are UTF-8; sizes follow a file's bytes, when they are known. */
const FLAGS = 0x0808;

/** The version that readers must support: deflate. */
const VERSION = 20;

const DEFLATED = 8;

/** The error of a file or an archive beyond its largest size. */
export class TooLargeError extends Error {}

export interface ArchiveEntry {
  /** Resolves when more may be written. */
  write(text: string): Promise<void>;
  /** @throws TooLargeError */
  end(): Promise<void>;
  /** The uncompressed size so far. Unit: bytes. */
  size(): number;
}

export interface Archive {
  /** The archive's bytes; ends with close(), throws the error given to fail(). */
  readonly bytes: AsyncIterable<Buffer>;
  /** Starts a file after the previous one has ended. */
  open(path: string): ArchiveEntry;
  add(path: string, text: string): Promise<void>;
  /** @throws TooLargeError */
  close(): void;
  fail(error: Error): void;
}

interface DirectoryEntry {
  readonly name: Buffer;
  readonly offset: number;
  readonly crc: number;
  readonly compressed: number;
  readonly size: number;
}

/**
 * Opens an archive.
 * @param time The modification time of all files, in UTC.
 */
export function openArchive(time: Date): Archive {
  const output = new PassThrough({ highWaterMark: 4 * BLOCK_CHARACTERS });
  const listed: DirectoryEntry[] = [];
  const stamp = dosTime(time);
  let offset = 0;
  const put = (bytes: Buffer) => {
    output.write(bytes);
    offset += bytes.length;
  };
  const open = (path: string): ArchiveEntry => {
    const name = Buffer.from(path);
    const start = offset;
    put(Buffer.concat([header(0x04034b50, [u16(VERSION), ...common(stamp, 0, 0, 0), u16(name.length), u16(0)]), name]));
    const deflate = createDeflateRaw({ level: COMPRESSION_LEVEL, chunkSize: BLOCK_CHARACTERS });
    let [block, crc, size, compressed] = ['', 0, 0, 0];
    deflate.on('data', (bytes: Buffer) => {
      compressed += bytes.length;
    });
    deflate.pipe(output, { end: false });
    const flush = async () => {
      const bytes = Buffer.from(block);
      block = '';
      crc = crc32(bytes, crc);
      size += bytes.length;
      if (!deflate.write(bytes)) await once(deflate, 'drain');
    };
    return {
      async write(text) {
        block += text;
        if (block.length >= BLOCK_CHARACTERS) await flush();
      },
      async end() {
        await flush();
        deflate.end();
        await finished(deflate);
        assertFits(path, size);
        offset += compressed;
        listed.push({ name, offset: start, crc, compressed, size });
        put(header(0x08074b50, [u32(crc), u32(compressed), u32(size)]));
      },
      size: () => size,
    };
  };
  return {
    bytes: output,
    open,
    async add(path, text) {
      const entry = open(path);
      await entry.write(text);
      await entry.end();
    },
    close() {
      const start = offset;
      for (const file of listed) put(directoryEntry(file, stamp));
      assertFits('the archive', offset);
      const count = u16(listed.length);
      put(header(0x06054b50, [u16(0), u16(0), count, count, u32(offset - start), u32(start), u16(0)]));
      output.end();
    },
    fail: (error) => output.destroy(error),
  };
}

function directoryEntry({ name, offset, crc, compressed, size }: DirectoryEntry, stamp: Buffer): Buffer {
  const rest = [u16(name.length), u16(0), u16(0), u16(0), u16(0), u32(0), u32(offset)];
  const made = [u16(VERSION), u16(VERSION), ...common(stamp, crc, compressed, size), ...rest];
  return Buffer.concat([header(0x02014b50, made), name]);
}

function common(stamp: Buffer, crc: number, compressed: number, size: number): Buffer[] {
  return [u16(FLAGS), u16(DEFLATED), stamp, u32(crc), u32(compressed), u32(size)];
}

function assertFits(subject: string, bytes: number): void {
  if (bytes <= MAX_BYTES) return;
  throw new TooLargeError(`${subject} takes ${bytes} bytes, and a workbook's file holds ${MAX_BYTES}`);
}

/** Encodes a time in the DOS format, which has a resolution of two seconds. */
function dosTime(time: Date): Buffer {
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  return Buffer.concat([u16(clock), u16(day)]);
}

function header(signature: number, fields: readonly Buffer[]): Buffer {
  return Buffer.concat([u32(signature), ...fields]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
