import { AppError, type FieldError } from '../error.ts';
import { formatForeign, MAX_SHOWN_CHARACTERS } from '../foreign-text.ts';
import { joinItems } from '../report/catalogue/definitions.ts';
import type { ToolArguments } from './tool.ts';

/**
 * Checks that a tool is given no argument of another name.
 * @throws AppError usage with one entry for each.
 */
export function assertKnown(tool: string, sent: ToolArguments, known: readonly string[]): void {
  const takes = known.length === 0 ? 'no argument' : known.join(', ');
  throwArgumentFaults(
    Object.keys(sent)
      .filter((field) => !known.includes(field))
      .map((field) => ({ field, message: `${field} is not an argument of ${tool}; it takes ${takes}` })),
  );
}

/** Returns a text argument; undefined if it is left out. @throws AppError usage for another value. */
export function readText(sent: ToolArguments, field: string): string | undefined {
  const value = sent[field] ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  throwArgumentFaults([{ field, message: `${field}: ${shorten(value)} is not a text` }]);
  return undefined;
}

/** Returns a text argument. @throws AppError usage, naming its values, if it is left out. */
export function requireText(sent: ToolArguments, field: string, values: readonly string[]): string {
  const text = readText(sent, field);
  if (text !== undefined) return text;
  const message = `${field} is missing; give one of ${values.join(', ')}`;
  throw new AppError('usage', message, { fields: [{ field, message }] });
}

/**
 * Returns the parameters of a report as the texts of a query string; null leaves one out.
 * A list may be an array, whose items keep their commas.
 * @throws AppError usage with one entry for each value of a wrong type.
 */
export function readParameters(sent: ToolArguments): Record<string, string> {
  const faults: FieldError[] = [];
  const texts = Object.entries(sent).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const text = Array.isArray(value) ? formatList(value) : formatScalar(value);
    if (text !== undefined) return [[name, text] as const];
    faults.push({
      field: name,
      message: `${name}: ${shorten(value)} is not a text, a whole number, true, false or a list of them`,
    });
    return [];
  });
  throwArgumentFaults(faults);
  return Object.fromEntries(texts);
}

/** Returns the text of a list; undefined for an item of a wrong type. */
function formatList(items: readonly unknown[]): string | undefined {
  const texts = items.map(formatScalar);
  return texts.every((text) => text !== undefined) ? joinItems(texts) : undefined;
}

function formatScalar(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '0';
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

function shorten(value: unknown): string {
  return formatForeign(JSON.stringify(value), MAX_SHOWN_CHARACTERS);
}

/** @throws AppError usage, if there are faults. */
export function throwArgumentFaults(fields: readonly FieldError[]): void {
  if (fields.length === 0) return;
  throw new AppError('usage', fields.map(({ message }) => message).join('; '), { fields });
}
