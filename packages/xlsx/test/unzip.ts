import { inflateRawSync } from 'node:zlib';

/** Returns the files of a zip archive by name, from its directory. */
export function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const files = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((field) => bytes.readUInt16LE(at + field)) as [
      number,
      number,
      number,
    ];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const [compressed, start] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 42)];
    const data = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28);
    files.set(name, inflateRawSync(bytes.subarray(data, data + compressed)).toString('utf8'));
    at += 46 + nameLength + extraLength + noteLength;
  }
  return files;
}
