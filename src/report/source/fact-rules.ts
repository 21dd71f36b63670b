import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageDirectory } from '../../config/package.ts';
import type { StateSource } from './state-source.ts';

/**
 * Reads a rule of sql/facts, whose parameters are relations that a statement makes.
 * @returns a function that returns it over the relations of a source.
 */
export function readFact(name: string): (source: StateSource) => string {
  const text = readFileSync(join(packageDirectory, 'sql', 'facts', `${name}.sql`), 'utf8').replace(/^(--.*\n)+/, '');
  return ({ alone }) =>
    text.replaceAll(/\b(?:core|marts)\.(\w+)/g, (relation, table) => `${alone.defined(relation)} AS ${table}`);
}
