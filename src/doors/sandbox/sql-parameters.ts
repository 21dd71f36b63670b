import { AppError } from '../../base/index.ts';
import type { SqlParameter } from './protocol.ts';
import { MAX_PARAMETERS } from './sandbox-limits.ts';

/** The digits of a decimal number, which DECIMAL holds. Unit: digits. */
const MAX_DIGITS = 38;

const FORMS: Readonly<Record<SqlParameter['type'], { pattern: RegExp; words: string }>> = {
  text: { pattern: /^/, words: 'text' },
  number: {
    pattern: /^-?(\d+(\.\d*)?|\.\d+)$/,
    words: `a decimal number such as -12.50, of ${MAX_DIGITS} digits at most`,
  },
  boolean: { pattern: /^(true|false)$/, words: 'true or false' },
  date: { pattern: /^\d{4}-\d{2}-\d{2}$/, words: 'a day written YYYY-MM-DD' },
  null: { pattern: /^/, words: 'nothing' },
};

/**
 * Parses a parameter's text.
 * @throws AppError usage when the text doesn't match the type.
 */
export function parseParameter(name: string, type: string, text: string): SqlParameter {
  if (!Object.hasOwn(FORMS, type)) {
    throw new AppError('usage', `$${name}: "${type}" is not a type of parameters`, {
      hint: `The types are ${Object.keys(FORMS).join(', ')}.`,
    });
  }
  const known = type as SqlParameter['type'];
  const isRight =
    FORMS[known].pattern.test(text) &&
    (known !== 'number' || text.replaceAll(/\D/g, '').length <= MAX_DIGITS) &&
    (known !== 'date' || isDay(text));
  if (!isRight) throw new AppError('usage', `$${name}: "${text}" is not ${FORMS[known].words}`);
  return { type: known, text };
}

/**
 * Checks that the given parameters equal the names in the statement.
 * @param tree The parsed result of json_serialize_sql.
 * @throws AppError usage for a missing or an unknown parameter.
 */
export function assertGiven(tree: Readonly<Record<string, unknown>>, given: readonly string[]): void {
  if (given.length > MAX_PARAMETERS) {
    throw givenError('parameters', `${given.length} parameters are given; at most ${MAX_PARAMETERS} are allowed`);
  }
  const [statement] = tree['statements'] as readonly { named_param_map: readonly { key: string }[] }[];
  const named = (statement?.named_param_map ?? []).map(({ key }) => key);
  const missing = named.find((name) => !given.includes(name));
  if (missing !== undefined) {
    throw givenError(
      `parameters.${missing}`,
      `The SQL names $${missing}, which has no value`,
      `Give ${missing} a value beside the SQL.`,
    );
  }
  const unused = given.find((name) => !named.includes(name));
  if (unused === undefined) return;
  throw givenError(
    `parameters.${unused}`,
    `The SQL has no parameter $${unused}`,
    named.length === 0 ? 'It names none.' : `It names ${named.map((name) => `$${name}`).join(', ')}.`,
  );
}

function givenError(field: string, message: string, hint?: string): AppError {
  return new AppError('usage', message, { fields: [{ field, message }], ...(hint === undefined ? {} : { hint }) });
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text);
}
