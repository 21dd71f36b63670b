import { AppError, isObject } from '../base/index.ts';
import { type IdFields, identityOf } from './record-id.ts';
import { recordTexts } from './record-texts.ts';
import { parseMoment } from './requests/clock.ts';
import type { SourceAnswer } from './requests/request.ts';

/** A record of a page: its text as sent, and the values that paging needs. */
export interface PageRecord {
  readonly text: string;
  /** The parsed text. Its numbers are binary floats, so amounts are never read from it. */
  readonly value: unknown;
  /** The id; a digest of the text for a record without one. */
  readonly id: string;
  /** The field that the list is sorted by. Unit: ms since 1970. */
  readonly moment: number | undefined;
}

export interface SourcePage {
  readonly records: readonly PageRecord[];
  /** Records on all pages, as the source counts them. */
  readonly total: number | undefined;
  readonly pageCount: number | undefined;
}

export interface RecordFields {
  readonly ids: IdFields;
  readonly moment: 'created' | 'modified';
}

/**
 * Parses a page of a list.
 * @throws AppError source if the answer is not a list.
 */
export function parseSourcePage(answer: SourceAnswer, path: string, fields: RecordFields): SourcePage {
  const items = parseItems(answer, path);
  const texts = items.length === 0 ? [] : recordTexts(answer.text);
  if (texts.length !== items.length) throw noList(path);
  const records = items.map((value, index): PageRecord => {
    const text = texts[index] ?? '';
    const moment = isObject(value) ? parseMoment(value[fields.moment]) : undefined;
    return { text, value, id: identityOf(value, text, fields.ids), moment };
  });
  const { headers } = answer;
  return {
    records,
    total: parseHeaderCount(headers.get('x-pagination-total-count')),
    pageCount: parseHeaderCount(headers.get('x-pagination-page-count')),
  };
}

/**
 * Returns the items of a list: an array, an object whose `data` is one, or no body.
 * @throws AppError source for anything else.
 */
export function parseItems({ status, json }: Pick<SourceAnswer, 'status' | 'json'>, path: string): readonly unknown[] {
  if (status === 204 || status === 404) return [];
  const items = isObject(json) ? json['data'] : json;
  if (Array.isArray(items)) return items;
  throw noList(path);
}

/** Parses a number of records or pages in a header; undefined for anything else. */
export function parseHeaderCount(text: string | null): number | undefined {
  return text !== null && /^\d{1,12}$/.test(text.trim()) ? Number(text) : undefined;
}

function noList(path: string): AppError {
  return new AppError('source', `/${path} answers with something other than a list`, {
    hint: 'Check that the address is the root of the scheduling API, version v3.',
  });
}
