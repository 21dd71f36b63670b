import { type FieldError, formatForeign, MAX_SHOWN_CHARACTERS, refuseFields } from '../../base/index.ts';
import { joinItems } from '../../numbers/report/catalogue/index.ts';

/**
 * Returns the parameters of a report, sent as JSON, as the texts of a query string; null leaves one out.
 * A list may be an array, whose items keep their commas.
 * @throws AppError usage with one entry for each value of a wrong type.
 */
export function readParameters(sent: Readonly<Record<string, unknown>>): Record<string, string> {
  const faults: FieldError[] = [];
  const texts = Object.entries(sent).flatMap(([name, value]) => {
    if (value === null || value === undefined) return [];
    const text = Array.isArray(value) ? formatList(value) : formatScalar(value);
    if (text !== undefined) return [[name, text] as const];
    const shown = formatForeign(JSON.stringify(value), MAX_SHOWN_CHARACTERS);
    const message = `${name}: ${shown} is not a text, a whole number, true, false or a list of them`;
    faults.push({ field: name, message });
    return [];
  });
  refuseFields(faults);
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
