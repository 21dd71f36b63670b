import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

export const RELEASED = join(import.meta.dirname, 'released');

/** The released versions that have kept a state. */
export const RELEASED_VERSIONS: readonly string[] = readdirSync(RELEASED);

/** Reads the files of a state that a released version has kept, by name: files.br has them, one after the other. */
export function readReleased(version: string): ReadonlyMap<string, Buffer> {
  const [closing, packed] = ['closing.json', 'files.br'].map((name) => readFileSync(join(RELEASED, version, name)));
  const { files } = JSON.parse(String(closing)) as { files: { name: string; bytes: number }[] };
  const bytes = brotliDecompressSync(packed ?? '');
  let start = 0;
  return new Map(
    files.map((file) => {
      start += file.bytes;
      return [file.name, bytes.subarray(start - file.bytes, start)];
    }),
  );
}

/** Puts a state that a released version has kept beside a database. @param folder That of the database. */
export function placeReleased(version: string, folder: string): void {
  const state = join(folder, 'company.closings', '2026-03@1');
  for (const [name, bytes] of readReleased(version)) {
    mkdirSync(dirname(join(state, name)), { recursive: true });
    writeFileSync(join(state, name), bytes);
  }
  writeFileSync(join(state, 'closing.json'), readFileSync(join(RELEASED, version, 'closing.json')));
  writeFileSync(
    join(folder, 'company.closings', 'events.ndjson'),
    readFileSync(join(RELEASED, version, 'events.ndjson')),
  );
}
