import { AppError, type FieldError } from '../../error.ts';
import type { Catalogue, Report } from '../../report/catalogue.ts';
import { parseParameters } from '../../report/parameters.ts';
import { assertVisible, hiddenColumns, hideRates } from '../../report/rates.ts';
import { findReport } from '../../report/run.ts';
import { makeEtag } from '../protocol/etag.ts';
import { type AnswerFormat, chooseFormat, findFormat } from './answer-formats.ts';

/** A request for a report, parsed. */
export interface Question {
  readonly report: Report;
  readonly format: AnswerFormat;
  /** The report's parameters as sent, sorted by name. */
  readonly sent: Readonly<Record<string, string>>;
  readonly decimals: 'number' | 'string';
  readonly page: number;
  /** Rows per page; undefined when the request has no page. */
  readonly perPage: number | undefined;
  /** Lines before the next cursor; undefined when the request has no limit. */
  readonly limit: number | undefined;
  /** The version of the answer; depends on data, query, format, scope and definitions. */
  readonly etag: string;
}

export interface Ground {
  readonly catalogue: Catalogue;
  /** Digest of the definitions. */
  readonly definitions: string;
  readonly dataVersion: string;
  readonly today: string;
  readonly seesRates: boolean;
}

/** Values of the parameter `decimals`, which only HTTP has. */
export const DECIMALS = ['number', 'string'] as const;

/**
 * Parses the last part of a path and the query of a request for a report.
 * @param name The report, and perhaps a suffix: "projects.csv".
 * @param query The part after the "?".
 * @throws AppError unknown, usage or forbidden for an invalid request; an error of status 404 or 406 for
 * an unknown format.
 */
export function readQuestion(name: string, query: string, accept: string | undefined, ground: Ground): Question {
  const [reportName = '', ...suffixes] = name.split('.');
  const report = findReport(ground.catalogue, reportName);
  const format = suffixes.length > 0 ? findFormat(suffixes.join('.')) : chooseFormat(accept);
  const { decimals = 'number', ...sent } = readSent(query);
  const hidden = ground.seesRates ? [] : hiddenColumns(ground.catalogue, report);
  assertVisible(sent, hidden);
  const shown = ground.seesRates ? ground.catalogue : hideRates(ground.catalogue);
  const known = parseParameters(shown, findReport(shown, reportName), sent, ground.today);
  return {
    report,
    format,
    sent,
    decimals: checkDecimals(decimals, format),
    page: known.page,
    perPage: known.perPage,
    limit: known.limit,
    etag: makeEtag([
      ground.definitions,
      ground.dataVersion,
      report.name,
      format.name,
      decimals,
      ground.seesRates,
      // Aliases depend on the day: the part after today differs tomorrow.
      format.hasAliases && report.aliases ? ground.today : '',
      Object.entries(known.understood).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]),
  };
}

/** Returns the parameters of a query by name. @throws AppError usage naming duplicates. */
export function readSent(query: string): Record<string, string> {
  const errors: FieldError[] = [];
  const sent = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (sent.has(name)) errors.push({ field: name, message: `${name} is given twice; give its values with commas` });
    sent.set(name, value);
  }
  if (errors.length > 0)
    throw new AppError('usage', errors.map(({ message }) => message).join('; '), { fields: errors });
  return Object.fromEntries([...sent].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function checkDecimals(text: string, format: AnswerFormat): Question['decimals'] {
  const value = DECIMALS.find((each) => each === text);
  const message = value
    ? `decimals: ${format.name} has one way to write decimals; leave it out`
    : `decimals: ${JSON.stringify(text)} is not allowed; give one of ${DECIMALS.join(', ')}`;
  if (value && (format.hasDecimals || value === 'number')) return value;
  throw new AppError('usage', message, { fields: [{ field: 'decimals', message }] });
}
