import { fieldFault } from '../body.ts';
import { parseValue } from '../value.ts';

/**
 * Parses the dates of a `del`.
 * @throws AppError input.
 */
export function parseDates(field: string, sent: unknown): (string | null)[] {
  if (sent === undefined) return [];
  if (!Array.isArray(sent)) throw fieldFault(field, 'del: not a list');
  return sent.map((each) => {
    const parsed = parseValue({ type: 'date' }, each);
    if ('value' in parsed) return parsed.value as string | null;
    throw fieldFault(field, `del: ${JSON.stringify(each)} is ${parsed.fault}`);
  });
}
