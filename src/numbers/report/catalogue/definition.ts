import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { LineCounter, parseDocument } from 'yaml';
import { packageDirectory } from '../../../base/config/index.ts';
import { AppError } from '../../../base/index.ts';

/** Compiled schemas by path: compiling one takes longer than reading all files that it validates. */
const validators = new Map<string, ValidateFunction>();

/** A file beside the built program: definitions that the build has parsed and validated, by their digest. */
const BUILT_FILE = join(packageDirectory, 'dist', 'definitions.json');

/** The contents of that file, read once; empty for a program that runs from its sources. */
let built: ReadonlyMap<string, unknown> | undefined;

/**
 * Reads a YAML file and validates it against the JSON Schema that editors use.
 * A definition that is as it was built is not parsed again, which takes most of the time of a small report.
 * @throws AppError definition, with file and line, for a syntax error or a schema violation.
 */
export function readDefinition(directory: string, file: string, schemaName: string): unknown {
  built ??= existsSync(BUILT_FILE) ? new Map(Object.entries(JSON.parse(readFileSync(BUILT_FILE, 'utf8')))) : new Map();
  const digest = built.size > 0 ? digestDefinition(directory, file, schemaName) : '';
  return built.get(digest) ?? parseDefinition(directory, file, schemaName);
}

/** Returns a digest of the texts of a definition and its schema. Form: SHA-256 in hexadecimal digits. */
export function digestDefinition(directory: string, file: string, schemaName: string): string {
  const hash = createHash('sha256');
  for (const path of [join(directory, file), schemaFile(directory, schemaName)]) hash.update(readFileSync(path));
  return hash.digest('hex');
}

function parseDefinition(directory: string, file: string, schemaName: string): unknown {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(join(directory, file), 'utf8'), { lineCounter: lines, merge: true });
  const [syntaxError] = document.errors;
  if (syntaxError) throw definitionError(file, lines.linePos(syntaxError.pos[0]).line, syntaxError.message);
  const validate = readValidator(directory, schemaName);
  const value: unknown = document.toJS();
  if (!validate(value)) {
    const [error] = validate.errors ?? [];
    const extraKey: unknown = error?.params['additionalProperty'];
    const parent = (error?.instancePath ?? '').split('/').slice(1);
    const path = parent.map((part) => part.replaceAll('~1', '/'));
    const place = extraKey === undefined ? path : [...path, String(extraKey)];
    const node = document.getIn(place, true) as { range?: [number, number, number] } | undefined;
    const line = lines.linePos(node?.range?.[0] ?? 0).line;
    const extra = extraKey ?? error?.params['allowedValues'];
    throw definitionError(file, line, `${path.join('.')} ${error?.message}${extra ? ` (${String(extra)})` : ''}`);
  }
  return value;
}

export const WORKBOOK_FILE = 'workbook.yaml';

export function listDefinitions(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.yaml') && name !== WORKBOOK_FILE)
    .sort();
}

/** Returns the error of a definition that the schema can't detect. */
export function definitionError(file: string, line: number, message: string): AppError {
  return new AppError('definition', `reports/${file}:${line}: ${message}`, {
    hint: `The schema in reports/schema describes what ${basename(file)} may contain.`,
  });
}

/** Returns the line number of a text's first occurrence in a file; 1 when there is none. */
export function findLine(directory: string, file: string, text: string): number {
  const index = readFileSync(join(directory, file), 'utf8')
    .split('\n')
    .findIndex((line) => line.includes(text));
  return Math.max(index, 0) + 1;
}

function readValidator(directory: string, name: string): ValidateFunction {
  const file = schemaFile(directory, name);
  const known = validators.get(file);
  if (known) return known;
  // A test validates the schemas themselves, which takes most of the compile time.
  const ajv = new Ajv2020({ allErrors: false, strict: false, validateSchema: false });
  const validator = ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
  validators.set(file, validator);
  return validator;
}

function schemaFile(directory: string, name: string): string {
  return join(directory, 'schema', `${name}.schema.json`);
}
