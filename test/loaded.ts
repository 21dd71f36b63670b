import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns a loader that loads once per worker and then copies the files: a load takes a second.
 * @param load Loads a database into an empty folder.
 */
export function loadOnce(load: (folder: string) => Promise<unknown>): (folder: string) => Promise<void> {
  let files: Promise<Map<string, Buffer>> | undefined;
  return async (folder) => {
    const isFirst = files === undefined;
    files ??= load(folder).then(
      () => new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))])),
    );
    const loaded = await files;
    if (isFirst) return;
    for (const [name, bytes] of loaded) writeFileSync(join(folder, name), bytes);
  };
}
