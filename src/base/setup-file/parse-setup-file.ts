/*
 * The door of this room: files of settings in YAML, read by a JSON Schema that editors know, too.
 * `setup-faults` says all that is wrong with one at once, each fault with its line.
 */
import { readFile } from 'node:fs/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Document, LineCounter, parseDocument } from 'yaml';
import { AppError, fileReasonOf, messageOf } from '../error.ts';
import { addSchemaFaults, openFaults, type SetupFaults } from './setup-faults.ts';

/** The largest file of settings. Unit: characters. */
export const MAX_SETUP_CHARACTERS = 1_048_576;

/** A kind of files of settings. */
export interface SetupForm {
  readonly schema: object;
  /** The noun of its subject in errors, such as "access". */
  readonly noun: string;
  /** The way out of a file with faults. */
  readonly hint: string;
}

const COMPILING = { allErrors: true, verbose: true, strict: false, validateSchema: false };

/** Compiling takes longer than reading; a server reads the file again whenever it changes. */
const validators = new WeakMap<object, ValidateFunction>();

/** Reads the text of a file of settings. @throws AppError input when it can't be read. */
export function readSetupText(file: string, { noun }: SetupForm): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new AppError('input', `Can't read the ${noun} ${file}: ${fileReasonOf(cause)}`, {
      hint: `Name a YAML file of ${noun}.`,
      cause,
    });
  });
}

/**
 * Parses the text of a file of settings.
 * @param understand Makes the settings of values that meet the schema, and adds the faults that no schema finds.
 * @throws AppError input with all that is wrong with it, each with its line.
 */
export function parseSetupFile<Written, Setup>(
  text: string,
  file: string,
  { schema, hint }: SetupForm,
  understand: (written: Written, faults: SetupFaults) => Setup,
): Setup {
  if (text.length > MAX_SETUP_CHARACTERS)
    throw new AppError('limit', `${file} has more than ${MAX_SETUP_CHARACTERS} characters`);
  const faulty = (found: readonly string[]) =>
    new AppError('input', `${file} has ${found.length === 1 ? 'a fault' : `${found.length} faults`}`, {
      items: found,
      hint,
    });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const faults = openFaults(file, document, lines);
  const [broken] = document.errors;
  if (broken) {
    const [problem = ''] = broken.message.split(' at line ');
    throw faulty([`${file}:${lines.linePos(broken.pos[0]).line}: ${problem}`]);
  }
  const written = readValue(document, (problem) => faulty([`${file}: ${problem}`])) ?? {};
  const validator = validators.get(schema) ?? new Ajv2020(COMPILING).compile(schema);
  validators.set(schema, validator);
  if (!validator(written)) {
    addSchemaFaults(faults, validator.errors ?? [], written);
    throw faulty(faults.found);
  }
  const setup = understand(written as Written, faults);
  if (faults.found.length > 0) throw faulty(faults.found);
  return setup;
}

/** Returns the value of a document; aliases are refused, as few of them can stand for a huge one. */
function readValue(document: Document, fail: (problem: string) => AppError): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    throw fail(messageOf(error));
  }
}
