import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { packageDirectory, readVersion } from '../../base/config/index.ts';
import { type Catalogues, loadCatalogues } from '../../numbers/report/catalogue/index.ts';
import { loadMeanings, type Meanings } from '../../numbers/report/marts/index.ts';

const directory = join(packageDirectory, 'reports');

let catalogues: Catalogues | undefined;
let meanings: Meanings | undefined;

/** Returns the catalogues of the program's own reports, loaded once. */
export function readCatalogues(): Catalogues {
  catalogues ??= loadCatalogues(directory);
  return catalogues;
}

/** Returns the meanings of the marts' columns, loaded once. */
export function readMeanings(): Meanings {
  meanings ??= loadMeanings(directory, readCatalogues().full);
  return meanings;
}

/** Returns a digest that changes with the definitions of the program's own reports, and with its version. */
export function digestReports(): string {
  const definitions = [readVersion(), readCatalogues().full];
  const text = JSON.stringify(definitions, (_key, value) => (value instanceof Map ? [...value] : value));
  return createHash('sha256').update(text).digest('base64url');
}
