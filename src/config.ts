import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package, where sql/ and reports/ lie, whether the program runs from src/ or from dist/src/. */
export const packageDirectory = findPackageDirectory(dirname(fileURLToPath(import.meta.url)));

function findPackageDirectory(directory: string): string {
  return existsSync(join(directory, 'package.json')) ? directory : findPackageDirectory(dirname(directory));
}
