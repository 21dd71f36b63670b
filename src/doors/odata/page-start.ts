import { isDay } from '../../base/calendar/index.ts';
import type { Value } from '../../base/database/index.ts';
import { literalOf, type ValueKind, wrongPart } from '../../numbers/condition/index.ts';
import { assertSameVersion, parsePlace } from '../../numbers/report/request/number.ts';

/** The place where the next page begins: the content of $skiptoken. */
export interface PageStart {
  /** The version of the data: the place exists only there. */
  readonly version: string;
  /** The rows that remain of $top; null without it. */
  readonly left: number | null;
  /** The number of all rows, if the first page counted them. */
  readonly count: number | null;
  /** The values that the last row has in the order of pages, as texts. */
  readonly after: readonly (string | null)[];
}

export function formatStart({ version, left, count, after }: PageStart): string {
  return Buffer.from(JSON.stringify([version, left, count, after])).toString('base64url');
}

/**
 * Parses a $skiptoken.
 * @param kinds The kinds of the values that rows are ordered by.
 * @throws AppError usage for a text that doesn't belong to this request.
 */
export function parseStart(text: string, kinds: readonly ValueKind[]): PageStart {
  const [version, left, count, after] = parsePlace(text);
  const isCount = (value: unknown) => value === null || (Number.isSafeInteger(value) && Number(value) >= 0);
  const isPlace =
    Array.isArray(after) && after.length === kinds.length && kinds.every((kind, i) => isOf(kind, after[i]));
  if (typeof version === 'string' && isCount(left) && isCount(count) && isPlace)
    return { version, left: left as number | null, count: count as number | null, after };
  throw wrongPart('$skiptoken', "$skiptoken doesn't belong to this request; follow @odata.nextLink unchanged");
}

/** @throws an error of status 410 if the place is in data of another version. */
export function assertCurrent(start: PageStart | undefined, version: string): void {
  if (start) assertSameVersion('link', start.version, version);
}

export function formatPlace(values: readonly Value[]): (string | null)[] {
  return values.map((value) => (value === null ? null : String(value)));
}

export function placeLiteral(kind: ValueKind, value: string | null): string {
  return value === null ? 'NULL' : literalOf(kind, value);
}

function isOf(kind: ValueKind, value: unknown): boolean {
  if (value === null) return true;
  if (typeof value !== 'string') return false;
  if (kind === 'date') return isDay(value);
  if (kind === 'number') return /^-?\d{1,38}(\.\d{1,38})?$/.test(value);
  return kind !== 'boolean' || /^(true|false)$/.test(value);
}
