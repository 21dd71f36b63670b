import { crc32, deflateRawSync } from 'node:zlib';

/** A file of an archive, with what its directory says of it if that isn't true. */
export interface ArchivePart {
  readonly name: string;
  readonly content: string | Buffer;
  readonly crc?: number;
  readonly size?: number;
  readonly flags?: number;
  readonly method?: number;
}

/** Returns a zip archive of files, by name or in a list, which may have a name twice. */
export function archive(files: Readonly<Record<string, string | Buffer>> | readonly ArchivePart[]): Buffer {
  const parts: readonly ArchivePart[] = Array.isArray(files)
    ? files
    : Object.entries(files).map(([name, content]) => ({ name, content }));
  const entries: Buffer[] = [];
  const contents: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const name = Buffer.from(part.name);
    const content = Buffer.from(part.content);
    const data = deflateRawSync(content, { level: 9 });
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(part.flags ?? 0, 8);
    entry.writeUInt16LE(part.method ?? 8, 10);
    entry.writeUInt32LE(part.crc ?? crc32(content), 16);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(part.size ?? content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    entries.push(entry, name);
    contents.push(local, name, data);
    offset += local.length + name.length + data.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...contents, directory, end]);
}
