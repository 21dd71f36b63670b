import { basename, dirname, resolve } from 'node:path';
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Document, LineCounter } from 'yaml';
import { formatForeign, MAX_SHOWN_CHARACTERS } from '../foreign-text.ts';
import { listNames } from '../nearest-name.ts';
import { lineOfPath } from '../yaml-line.ts';

export type SettingPath = readonly (string | number)[];

/** Collects all that is wrong with a file, each with its line. */
export interface SetupFaults {
  readonly found: readonly string[];
  add(path: SettingPath, message: string): void;
  /** Returns the line of a setting, whether or not it is wrong. */
  lineOf(path: SettingPath): number;
  /** Runs a check whose error is a fault of a setting. @returns undefined if it fails. */
  try<T>(path: SettingPath, check: () => T): T | undefined;
  /** The folder of the file, in which relative paths begin. */
  readonly folder: string;
}

export function openFaults(file: string, document: Document, lines: LineCounter): SetupFaults {
  const faults: { line: number; text: string }[] = [];
  const lineOf = (path: SettingPath) => (path.length === 0 ? 1 : lineOfPath(document, lines, path));
  const add = (path: SettingPath, message: string) => {
    const line = lineOf(path);
    const place = path.map((part) => (typeof part === 'number' ? `[${part + 1}]` : `.${part}`)).join('');
    faults.push({ line, text: `${basename(file)}:${line}: ${place.replace(/^\./, '')}${place && ' '}${message}` });
  };
  return {
    get found() {
      return faults.toSorted((one, other) => one.line - other.line).map(({ text }) => text);
    },
    add,
    lineOf,
    try(path, check) {
      try {
        return check();
      } catch (error) {
        add(path, `is wrong: ${error instanceof Error ? error.message : String(error)}`);
        return undefined;
      }
    },
    folder: dirname(resolve(file)),
  };
}

/** Adds what a schema finds wrong, in words. */
export function addSchemaFaults(faults: SetupFaults, errors: readonly ErrorObject[], root: unknown): void {
  for (const error of errors) {
    const path = pathOf(error.instancePath, root);
    const { params, data, parentSchema = {} } = error;
    const form = formatForeign(parentSchema['description'] ?? '');
    const shown = `is ${formatForeign(JSON.stringify(data) ?? 'empty', MAX_SHOWN_CHARACTERS)}`;
    const words: Readonly<Record<string, () => void>> = {
      additionalProperties: () => {
        const name = String(params['additionalProperty']);
        const allowed = Object.keys((parentSchema['properties'] as object | undefined) ?? {});
        faults.add([...path, name], `is unknown; here are allowed ${listNames(name, allowed)}`);
      },
      required: () => faults.add(path, `has no ${params['missingProperty']}`),
      enum: () =>
        faults.add(
          path,
          `${shown}, not one of ${listNames(String(data), (params['allowedValues'] as unknown[]).map(String))}`,
        ),
      type: () =>
        faults.add(path, `${shown}, not ${[params['type']].flat().join(' or ')}. ${form}`.replace(/\. $/, '')),
      pattern: () => faults.add(path, `${shown}. ${form}`.trim()),
    };
    const say = words[error.keyword];
    if (say) say();
    else faults.add(path, `${shown}, which ${error.message}`);
  }
}

/** Returns the path of a JSON pointer, with the numbers of items as numbers. */
function pathOf(pointer: string, root: unknown): SettingPath {
  const path: (string | number)[] = [];
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(value) ? Number(name) : name);
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return path;
}
