import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageDirectory } from '../../config/package.ts';
import type { StateSource } from './state-source.ts';

/**
 * Reads a rule of sql/facts, whose parameters are relations that a statement makes.
 * @returns a function that returns it over the relations of a source.
 */
export function readFact(name: string): (source: StateSource) => string {
  return overRelations(readSelect('facts', name));
}

/** Reads a model with the rules that it reads, to make its relation otherwise in a statement. @returns as readFact */
export function readModel(schema: string, name: string): (source: StateSource) => string {
  const text = readSelect(schema, name);
  return overRelations(text.replaceAll(/\bfacts\.(\w+)/g, (_, fact: string) => `(${readSelect('facts', fact)})`));
}

function readSelect(schema: string, name: string): string {
  return readFileSync(join(packageDirectory, 'sql', schema, `${name}.sql`), 'utf8').replace(/^(--.*\n)+/, '');
}

function overRelations(text: string): (source: StateSource) => string {
  return ({ alone }) =>
    text.replaceAll(/\b(?:core|marts)\.(\w+)/g, (relation, table) => `${alone.defined(relation)} AS ${table}`);
}
