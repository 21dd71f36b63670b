import { LRUCache } from 'lru-cache';
import { AppError, type FieldError, tupleKey } from '../../../base/index.ts';
import { type Catalogues, findReport } from '../../../numbers/report/catalogue/index.ts';
import type { Query } from '../../../numbers/report/request/number.ts';
import { partKey, type ReaderPart, seenWhole } from '../../../numbers/report/source/index.ts';
import {
  CSV_STYLES,
  type CsvStyle,
  type DecimalStyle,
  META_STYLES,
  type MetaStyle,
} from '../../../numbers/write/index.ts';
import { type AskedStates, type contextBefore, parseAsked, queryKeyOf, versionOf } from '../../../store/ask/index.ts';
import { chooseCoding } from '../protocol/content-coding.ts';
import { makeEtag } from '../protocol/headers.ts';
import { type AnswerFormat, chooseFormat, findFormat } from './answer-formats.ts';

export interface ReportRequest {
  /** The report, and perhaps a suffix: "projects.csv". */
  readonly name: string;
  readonly url: string;
  readonly accept: string | undefined;
  readonly acceptEncoding: string | undefined;
  readonly seesRates: boolean;
  readonly part: ReaderPart | undefined;
  /** The parameters as sent, completed with those of a kept state. */
  readonly sent: AskedStates['sent'];
}

/** A request for a report as understood: the report's query, and the form of the answer. */
export interface AnswerQuery {
  readonly report: Query;
  readonly format: AnswerFormat;
  readonly decimals: DecimalStyle;
  readonly metaStyle: MetaStyle;
  readonly csv: CsvStyle;
  /** The version of the answer; depends on data, query, format, coding, scope and definitions. */
  readonly etag: string;
}

/** The data that a request is about, with the states that they are compared with. */
interface DataOfDay extends ReturnType<typeof contextBefore>, Pick<AskedStates, 'beside'> {}

export type AnswerQueryParser = (request: ReportRequest, data: DataOfDay) => AnswerQuery;

/** Values of the parameter `decimals`, which only HTTP has, as it has `meta`. */
export const DECIMALS: readonly DecimalStyle[] = ['number', 'string'];

/**
 * Makes a parser that keeps its latest queries while the data, the day and the scope are the same.
 * @param definitions A digest of the definitions.
 * @param size The most queries kept.
 */
export function makeAnswerQueryParser(catalogues: Catalogues, definitions: string, size: number): AnswerQueryParser {
  const cache = new LRUCache<string, AnswerQuery>({ max: size });
  return (request, data) => {
    const { url, accept, acceptEncoding, seesRates, part } = request;
    const version = tupleKey(...versionOf(data.company, data.beside));
    const key = tupleKey(version, ...queryKeyOf(data), seesRates, partKey(part), url, accept, acceptEncoding);
    const cached = cache.get(key);
    if (cached) return cached;
    const query = parseAnswerQuery(catalogues, request, data, [definitions, version]);
    cache.set(key, query);
    return query;
  };
}

/**
 * Parses the last part of a path and the query of a request for a report.
 * @param versions What all answers depend on.
 * @throws AppError unknown, usage or forbidden for an invalid request; an error of status 404 or 406 for
 * an unknown format.
 */
function parseAnswerQuery(
  catalogues: Catalogues,
  { name, accept, acceptEncoding, seesRates, part, sent }: ReportRequest,
  data: DataOfDay,
  versions: readonly string[],
): AnswerQuery {
  const [reportName = '', ...suffixes] = name.split('.');
  const report = findReport(catalogues.full, reportName);
  const format = suffixes.length > 0 ? findFormat(suffixes.join('.')) : chooseFormat(accept);
  const { decimals = 'number', meta = 'full', csv = 'plain', ...given } = sent;
  const query = parseAsked(
    catalogues,
    report.name,
    given,
    { ...data, seesRates, ...(part && { part: seenWhole(part) }) },
    format.name,
  );
  return {
    report: query,
    format,
    decimals: chooseForm('decimals', decimals, DECIMALS, format.hasDecimals, format),
    metaStyle: chooseForm('meta', meta, META_STYLES, format.hasMeta, format),
    csv: chooseForm('csv', csv, CSV_STYLES, format.hasCsv, format),
    etag: makeEtag([
      ...versions,
      query.selection.report.name,
      format.name,
      chooseCoding(acceptEncoding, format.mediaType),
      decimals,
      meta,
      csv,
      seesRates,
      partKey(part),
      // Tomorrow the reason of one cutoff may be another.
      query.understood['cutoff_date'] === undefined ? '' : query.selection.cutoffReason,
      // Aliases depend on the day: the part after today differs tomorrow.
      query.presentation.aliases.length > 0 ? data.today : '',
      Object.entries(query.understood).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]),
  };
}

/** Returns the parameters of a query by name. @throws AppError usage naming duplicates. */
export function parseSent(query: string): Record<string, string> {
  const errors: FieldError[] = [];
  const sent = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (sent.has(name))
      errors.push({ field: name, message: `${name} is given twice; separate its values with commas` });
    sent.set(name, value);
  }
  if (errors.length > 0)
    throw new AppError('usage', errors.map(({ message }) => message).join('; '), { fields: errors });
  return Object.fromEntries([...sent].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Returns the form of an answer that a parameter names.
 * @param forms All forms, the default first, which every format has.
 * @throws AppError usage for another one, or one that the format doesn't have.
 */
function chooseForm<Form extends string>(
  name: string,
  text: string,
  forms: readonly Form[],
  hasForms: boolean,
  format: AnswerFormat,
): Form {
  const form = forms.find((each) => each === text);
  if (form && (hasForms || form === forms[0])) return form;
  const message = form
    ? `${name}: an answer in ${format.name} can't be ${name}=${form}; leave it out`
    : `${name}: ${JSON.stringify(text)} is not allowed; give one of ${forms.join(', ')}`;
  throw new AppError('usage', message, { fields: [{ field: name, message }] });
}
