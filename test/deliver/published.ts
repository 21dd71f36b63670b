import { cpSync, linkSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { loadDataset } from '../../src/doors/command/load/load-dataset.ts';
import { type PublishedMarts, publishMarts } from '../../src/doors/postgres/publish-marts.ts';
import { usePublishedCopy } from '../../src/doors/postgres/published-copy.ts';
import { fileWithoutRates } from '../../src/store/generation/generation-files.ts';
import { copyLoaded } from '../loaded.ts';

/** A database whose marts are published, in two versions. */
export interface PublishedDatabase {
  readonly database: string;
  /** Publishes the version that was put last. */
  publish(options?: {
    readonly hasRates?: boolean;
    readonly marts?: readonly string[];
    readonly readers?: readonly string[];
  }): Promise<PublishedMarts>;
  /** Renames a version into place, as a load does. */
  put(version: 'company' | 'changed'): void;
}

type LoggedTime = { logged_time_id: string; hours: number };

/** Loads the company with an entry less, and one of other hours, into a folder. */
async function loadChanged(folder: string): Promise<void> {
  const dataset = join(folder, 'dataset');
  cpSync('fixtures/company', dataset, { recursive: true });
  const file = join(dataset, 'logged_time.7.json');
  const [, first, ...others] = JSON.parse(readFileSync(file, 'utf8')) as LoggedTime[];
  writeFileSync(file, JSON.stringify([{ ...first, hours: 3.25 }, ...others]));
  await loadDataset(dataset, join(folder, 'company.duckdb'));
}

/** Opens the company as a database whose marts go to a schema of PostgreSQL. */
export async function openPublishedDatabase(url: string, schema = 'plumbline'): Promise<PublishedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-published-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const folderOf = (version: string) => join(folder, version);
  await copyLoaded('delivered', folderOf('company'), (made) =>
    loadDataset('fixtures/company', join(made, 'company.duckdb')),
  );
  await copyLoaded('delivered-changed', folderOf('changed'), loadChanged);
  const database = join(folder, 'company.duckdb');
  const put = (version: string) => {
    const from = join(folderOf(version), 'company.duckdb');
    for (const [file, place] of [
      [fileWithoutRates(from), fileWithoutRates(database)],
      [from, database],
    ] as const) {
      linkSync(file, `${place}.part`);
      renameSync(`${place}.part`, place);
    }
  };
  put('company');
  return {
    database,
    put,
    publish: ({ hasRates = true, marts, readers = [] } = {}) =>
      usePublishedCopy({ database, hasRates, target: 'test' }, (source) =>
        publishMarts({ ...source, compute: (work) => work() }, { url, schema, marts, readers }),
      ),
  };
}
