import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { AppError, formatForeign, isObject, lineOfPath, messageOf } from '../../../base/index.ts';
import { nearestField } from './nearest-field.ts';

/** The largest mapping file. Unit: characters. */
export const MAX_MAPPING_CHARACTERS = 262_144;

/** The lists and objects inside each other in a mapping file. Unit: levels. */
export const MAX_MAPPING_DEPTH = 20;

/** The most names that an error lists. Unit: names. */
const MAX_LISTED_NAMES = 60;

export interface YamlValue {
  readonly value: unknown;
  readonly path: readonly (string | number)[];
  /** Throws an error that names the place. */
  fail(problem: string, hint: string): never;
  /** Returns the members of an object; an unknown one is an error. */
  members<K extends string>(names: readonly K[]): Readonly<Partial<Record<K, YamlValue>>>;
  /** Returns the members of an object with any names. */
  entries(): readonly (readonly [name: string, value: YamlValue])[];
  items(): readonly YamlValue[];
  /** Returns a text, or a number as it is written, with all of its digits. */
  text(): string;
  oneOf<T extends string>(texts: readonly T[]): T;
}

interface YamlFile {
  readonly name: string;
  readonly document: Document;
  readonly lines: LineCounter;
}

/**
 * Reads a YAML text.
 * @param name The file, for messages.
 * @throws AppError input, with the line, for a text that isn't YAML; limit for one that is too large or too deep.
 */
export function readYaml(text: string, name: string): YamlValue {
  if (text.length > MAX_MAPPING_CHARACTERS)
    throw new AppError('limit', `${name} has more than ${MAX_MAPPING_CHARACTERS} characters`, {
      hint: 'Name patterns of files, such as "time-*.csv", instead of each file. Nothing was loaded.',
    });
  if (deepest(text) > MAX_MAPPING_DEPTH)
    throw new AppError('limit', `${name} has more than ${MAX_MAPPING_DEPTH} lists and objects inside each other`, {
      hint: 'A mapping needs five. Nothing was loaded.',
    });
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines });
    const [error] = document.errors;
    if (error) {
      const [problem = ''] = error.message.split(' at line ');
      throw yamlError(name, lines.linePos(error.pos[0]).line, problem, 'Repair its YAML.');
    }
    keepNumberNames(document);
    return wrap(document.toJS({ maxAliasCount: 0 }), [], { name, document, lines });
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('input', `${name} can't be read: ${messageOf(cause)}`, { hint: 'Repair its YAML.', cause });
  }
}

/** Returns a bound of the depth of a YAML text: its brackets, or its steps of indentation. */
function deepest(text: string): number {
  let [open, most] = [0, 0];
  for (const character of text) {
    if (character === '[' || character === '{') open += 1;
    else if (character === ']' || character === '}') open -= 1;
    most = Math.max(most, open);
  }
  for (const line of text.split('\n')) {
    const dashes = /^[\s-]*/.exec(line)?.[0] ?? '';
    most = Math.max(most, dashes.split('- ').length - 1, (dashes.length - dashes.trimStart().length) / 2);
  }
  return most;
}

function wrap(value: unknown, path: readonly (string | number)[], file: YamlFile): YamlValue {
  const fail = (problem: string, hint: string): never => {
    const place = path.length === 0 ? '' : `${formatPath(path)}: `;
    throw yamlError(file.name, lineOfPath(file.document, file.lines, path), `${place}${problem}`, hint);
  };
  const entries = () => {
    if (!isObject(value))
      return fail(`is ${describe(value)}, not an object`, 'Write one name: value a line, indented.');
    return Object.entries(value).map(([name, each]) => [name, wrap(each, [...path, name], file)] as const);
  };
  return {
    value,
    path,
    fail,
    entries,
    members<K extends string>(names: readonly K[]) {
      const found = entries();
      for (const [name, each] of found) if (!names.some((known) => known === name)) failUnknown(each, name, names);
      return Object.fromEntries(found) as Partial<Record<K, YamlValue>>;
    },
    items() {
      if (!Array.isArray(value)) return fail(`is ${describe(value)}, not a list`, 'Begin each item with "- ".');
      return value.map((each, index) => wrap(each, [...path, index], file));
    },
    text() {
      const isPlain = typeof value === 'string' || typeof value === 'number';
      if (!isPlain || value === '') return fail(`is ${describe(value)}, not a text`, 'Write a text.');
      return writtenAt(file, path) ?? String(value);
    },
    oneOf<T extends string>(texts: readonly T[]): T {
      const found = texts.find((text) => text === value);
      return (
        found ?? fail(`is ${describe(value)}, not one of ${texts.join(', ')}`, `Write one of ${texts.join(', ')}.`)
      );
    },
  };
}

/** Makes names that are numbers texts, as they are written: the word 1.10 is another one than 1.1. */
function keepNumberNames(document: Document): void {
  visit(document, {
    Scalar(key, node) {
      if (key === 'key' && typeof node.value === 'number' && node.source !== undefined) node.value = node.source;
    },
  });
}

/** Returns the characters of a number; undefined for another value. */
function writtenAt({ document }: YamlFile, path: readonly (string | number)[]): string | undefined {
  const node = document.getIn(path, true);
  return isScalar(node) && typeof node.value === 'number' ? node.source : undefined;
}

/** Throws the error of a name that means nothing where it stands. */
export function failUnknown(value: YamlValue, name: string, names: readonly string[]): never {
  const nearest = nearestField(name, names);
  const listed = names.slice(0, MAX_LISTED_NAMES).join(', ');
  return value.fail('is unknown', `${nearest === undefined ? '' : `Is it ${nearest}? `}Here are allowed ${listed}.`);
}

function yamlError(file: string, line: number, problem: string, hint: string): AppError {
  return new AppError('input', `${file}:${line}: ${problem}`, { hint: `${hint} Nothing was loaded.` });
}

function formatPath(path: readonly (string | number)[]): string {
  const parts = path.map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${formatForeign(part)}`));
  return parts.join('').replace(/^\./, '');
}

function describe(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : formatForeign(value, 100);
}
