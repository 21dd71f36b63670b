import { openFolderStore } from '../../src/cluster/lake/folder-store.ts';
import { type LakeVersion, lakeVersion } from '../../src/cluster/lake/lake-version.ts';
import { sqlDirectory } from '../../src/numbers/relation/sql-file.ts';

/** Returns a version of a lake in a folder. */
export function versionIn(folder: string): LakeVersion {
  const lake = { catalog: 'lake', schemaPrefix: 'acme_', functions: 'memory', store: openFolderStore(folder) };
  return lakeVersion({ ...lake, uri: 'local:///' }, '20260101T120000Z-0123abcd', sqlDirectory);
}
