import type { BodyOf, BodySchema } from '../../base/body/index.ts';
import { type Database, quoteName, quoteText } from '../../base/database/index.ts';
import { AppError } from '../../base/index.ts';
import { fold } from './admission.ts';
import { MAX_ATTACHED_STATES } from './sandbox-limits.ts';

/** Declares kept states beside the data of a statement, by the name that the statement gives each. */
export const NAMED_STATES = {
  type: 'object',
  propertyNames: {
    pattern: '^[a-z][a-z0-9_]{0,29}$',
    expected: 'a name of at most 30 small letters, digits and _, of which the first is a letter',
  },
  additionalProperties: { type: 'string', expected: 'a text, the name of a kept state' },
  maxProperties: MAX_ATTACHED_STATES,
  expected: 'an object of kept states by name, such as {"march": "2026-03"}',
} as const satisfies BodySchema;

/** Kept states: references, or files. */
export type NamedStates = BodyOf<typeof NAMED_STATES>;

/** The kept states that a statement reads: the one in place of the present data, if any, and those beside it. */
export interface StatementStates {
  readonly main?: string | undefined;
  readonly states?: NamedStates | undefined;
}

/**
 * Attaches states to the database of a statement; nothing can be attached after its configuration is locked.
 * @param states Their files by name.
 * @throws AppError usage for a name that the database has, or a state that it reads already.
 */
export async function attachStates(database: Database, file: string, states: NamedStates): Promise<void> {
  const taken = await database.rows<{ name: string }>(
    'SELECT schema_name AS name FROM duckdb_schemas() UNION SELECT database_name FROM duckdb_databases()',
  );
  const names = new Set(taken.map(({ name }) => fold(name)));
  const paths = new Set([file]);
  for (const [name, path] of Object.entries(states)) {
    if (names.has(name)) throw nameFault(name, `"${name}" is a schema of the database; give the state another name`);
    if (paths.has(path)) throw nameFault(name, `The statement reads the state ${name} already; name it once`);
    paths.add(path);
    await database.run(`ATTACH ${quoteText(path)} AS ${quoteName(name)} (READ_ONLY)`);
  }
}

function nameFault(name: string, message: string): AppError {
  return new AppError('usage', message, { fields: [{ field: `states.${name}`, message }] });
}
