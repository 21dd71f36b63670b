import { createHash } from 'node:crypto';
import { isObject } from '../base/index.ts';

/** The fields that may hold the id of a record. */
export interface IdFields {
  readonly names: readonly string[];
  /** True if the id is a text; otherwise it is a positive integer. */
  readonly isText: boolean;
}

/** The longest id that is a text. Unit: characters. */
export const MAX_ID_CHARACTERS = 1_000;

/**
 * Returns the first id among the fields of a record; undefined if it isn't valid.
 * A value that would become an id by rounding or conversion, such as 1.5 or [1], isn't: it could name another record.
 */
export function idOf(record: Readonly<Record<string, unknown>>, { names, isText }: IdFields): string | undefined {
  const id = names.map((name) => record[name]).find((value) => value !== undefined && value !== null);
  if (typeof id === 'number') return Number.isSafeInteger(id) && id > 0 ? String(id) : undefined;
  if (typeof id !== 'string') return undefined;
  if (isText) return id !== '' && id.length <= MAX_ID_CHARACTERS ? id : undefined;
  return /^[1-9]\d{0,17}$/.test(id) ? id : undefined;
}

/** Returns what identifies a record: its id, or a digest of its text if it has none. */
export function identityOf(value: unknown, text: string, fields: IdFields): string {
  return sentIdOf(value, text, fields) ?? createHash('sha1').update(text).digest('base64');
}

/**
 * Returns the id of a record as it was sent; undefined if it isn't valid. A parsed number may have been rounded.
 * @param text The record as sent.
 */
export function sentIdOf(value: unknown, text: string, fields: IdFields): string | undefined {
  const id = isObject(value) ? idOf(value, fields) : undefined;
  if (id === undefined || fields.isText) return id;
  return isWritten(text, id, fields) ? id : undefined;
}

/** Returns whether the id of a record, such as 1.0000000000000000001, would become another one when it is loaded. */
export function isRounded(value: unknown, text: string, fields: IdFields): boolean {
  return isObject(value) && idOf(value, fields) !== undefined && sentIdOf(value, text, fields) === undefined;
}

function isWritten(text: string, id: string, { names }: IdFields): boolean {
  return names.some((name) => {
    const key = JSON.stringify(name);
    for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
      const value = /^\s*:\s*"?(\d+)(?=["\s,}])/.exec(text.slice(at + key.length, at + key.length + MAX_ID_CHARACTERS));
      if (value?.[1] === id) return true;
    }
    return false;
  });
}
