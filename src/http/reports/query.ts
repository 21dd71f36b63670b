import { AppError, type FieldError } from '../../error.ts';
import type { Catalogue, Report } from '../../report/catalogue.ts';
import { parseParameters } from '../../report/parameters.ts';
import { assertVisible, hiddenColumns, hideRates } from '../../report/rates.ts';
import { findReport } from '../../report/run.ts';
import { makeEtag } from '../protocol/etag.ts';
import { type AnswerFormat, chooseFormat, findFormat } from './answer-formats.ts';

/** What a request asks for, understood. */
export interface Question {
  readonly report: Report;
  readonly format: AnswerFormat;
  /** The report's parameters as sent, in the order of their names. */
  readonly sent: Readonly<Record<string, string>>;
  readonly decimals: 'number' | 'string';
  readonly page: number;
  /** Rows of a page; undefined when no page is asked for. */
  readonly perPage: number | undefined;
  /** Lines after which a cursor stands; undefined when no limit is asked for. */
  readonly limit: number | undefined;
  /** The version of the answer: it changes with the data, the query, the format, the scope and the definitions. */
  readonly etag: string;
}

/** What an answer depends on beside what is asked. */
export interface Ground {
  readonly catalogue: Catalogue;
  /** Tells definitions apart. */
  readonly definitions: string;
  readonly dataVersion: string;
  readonly today: string;
  readonly seesRates: boolean;
}

/** The values of the parameter that only HTTP has. */
export const DECIMALS = ['number', 'string'] as const;

/**
 * Reads a path's last part and the query of a request for a report.
 * @param name The report, and perhaps a suffix: "projects.csv".
 * @param query What follows the "?".
 * @throws AppError unknown, usage or forbidden for what can't be answered; an error of status 404 or 406 for a format that there isn't.
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
      // What is after today is another thing tomorrow.
      format.hasAliases && report.aliases ? ground.today : '',
      Object.entries(known.understood).sort(([a], [b]) => (a < b ? -1 : 1)),
    ]),
  };
}

/** The parameters of a query by name, each once. @throws AppError usage naming those that are given twice. */
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
