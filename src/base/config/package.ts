import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The package folder, which holds sql/ and reports/, whether code runs from src/ or dist/. */
export const packageDirectory = findPackageDirectory(dirname(fileURLToPath(import.meta.url)));

/** Returns the path of a file of the built program that runs in a process or thread of its own; code in src/ starts the built one, too. */
export function builtFile(name: string): string {
  return join(packageDirectory, 'dist', 'program', name);
}

function findPackageDirectory(directory: string): string {
  return existsSync(join(directory, 'package.json')) ? directory : findPackageDirectory(dirname(directory));
}

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { version: string };
  return version;
}
