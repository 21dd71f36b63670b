import { readStatement } from '../../relation/sql-file.ts';
import type { StateSource } from './state-source.ts';

/**
 * Reads a rule of sql/, such as "facts/fee_lives", whose parameters are relations that a statement makes.
 * @returns a function that returns it over the relations of a source.
 */
export function readRule(path: string): (source: StateSource) => string {
  return overRelations(readStatement(path));
}

/** Reads a model with the rules that it reads, to make its relation otherwise in a statement. @returns as readRule */
export function readModel(path: string): (source: StateSource) => string {
  const text = readStatement(path);
  return overRelations(text.replaceAll(/\bfacts\.(\w+)/g, (_, fact: string) => `(${readStatement(`facts/${fact}`)})`));
}

function overRelations(text: string): (source: StateSource) => string {
  return ({ alone }) =>
    text.replaceAll(/\b(?:core|marts)\.(\w+)/g, (relation, table) => `${alone.defined(relation)} AS ${table}`);
}
