import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quoteName } from '../../base/database/index.ts';
import { PRELUDE, type TrinoPlace } from '../trino/trino-engine.ts';
import type { LakeStore } from './lake-store.ts';

/** The layer of a version that holds copies of a lakehouse's own tables. */
export const INCOMING = 'incoming';

/** The lake of a company: files, and schemas of a catalog whose names begin alike. */
export interface Lake {
  readonly catalog: string;
  readonly schemaPrefix: string;
  readonly functions: string;
  readonly store: LakeStore;
  /** The address of the store in the catalog, with a slash at its end. */
  readonly uri: string;
}

export interface LakeVersion {
  readonly lake: Lake;
  /** The start of its schemas' names, and its folder in the store. */
  readonly name: string;
  readonly place: TrinoPlace;
}

/** The characters of a digest in the name of the schema of functions. */
const DIGEST_CHARACTERS = 12;

/**
 * Returns the place of a version.
 * Functions have a schema by their text, because builds of several companies and versions may run at once.
 * @param dataVersion Such as 20261123T031000Z-0a1b2c3d.
 * @param directory The folder sql/.
 */
export function lakeVersion(lake: Lake, dataVersion: string, directory: string): LakeVersion {
  const name = `${lake.schemaPrefix}${dataVersion.toLowerCase().replaceAll('-', '_')}`;
  const digest = createHash('sha256');
  for (const file of PRELUDE) digest.update(readFileSync(join(directory, 'prelude', file)));
  const functions = `plumbline_${digest.digest('hex').slice(0, DIGEST_CHARACTERS)}`;
  return {
    lake,
    name,
    place: {
      catalog: lake.catalog,
      schemaPrefix: `${name}_`,
      functions: `${quoteName(lake.functions)}.${quoteName(functions)}`,
      location: `${lake.uri}${name}`,
    },
  };
}

/** Matches the part after the prefix in the names of versions. */
export const VERSION_NAME = /^\d{8}t\d{6}z_[0-9a-f]{8}$/;
