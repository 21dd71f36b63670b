import type { Catalogue, Parameter, Report } from '../../report/catalogue.ts';
import { parametersOf } from '../../report/parameters.ts';
import { errors, type Paths, reference, type Schema } from '../protocol/operations.ts';
import { ANSWER_FORMATS, type AnswerFormat } from './answer-formats.ts';
import { DECIMALS } from './query.ts';
import { answerName, answerSchema, parameterSchema, rowName, rowSchema } from './report-schemas.ts';

const REPORT_ERRORS = [400, 401, 403, 404, 406, 414, 422, 429, 500, 503];

/** Headers of a report's answer, with their descriptions. */
export const REPORT_HEADERS: Readonly<Record<string, string>> = {
  ETag: 'The version of the answer. Sent back in If-None-Match, it is answered 304 without a body while nothing has changed.',
  'X-Data-Version': 'The load that every number of the answer is of.',
  'X-Request-Id': 'The id of the request, which the log has too: the one that was sent, or a new one.',
  'X-Pagination-Total-Count': 'With page or per-page: rows in all.',
  'X-Pagination-Page-Count': 'With page or per-page: pages in all.',
  'X-Pagination-Current-Page': 'With page or per-page: the page that this is.',
  'X-Pagination-Per-Page': 'With page or per-page: the rows of this page.',
  'X-Pagination-Has-More': 'Of lines with limit, and of deletions: whether more follow.',
  'X-Pagination-Next-Cursor': 'Where the next page begins: of lines with limit when more follow, of deletions always.',
};

/** Parameter for the format of decimals, shared by all reports. */
export const decimalsParameter = {
  name: 'decimals',
  in: 'query',
  description: 'Of JSON and NDJSON: whether decimals are numbers with all their digits, or strings of the same digits.',
  schema: { type: 'string', enum: DECIMALS, default: DECIMALS[0] },
};

/** Describes every report at its own path, with and without the suffix of a format. */
export function describeReports(catalogue: Catalogue): Paths {
  return Object.assign({}, ...[...catalogue.reports.values()].map((report) => describeReport(catalogue, report)));
}

/** Returns the schemas of each report's rows and whole answer. */
export function reportSchemas(catalogue: Catalogue): Record<string, Schema> {
  const each = [...catalogue.reports.values()].map((report) => ({
    [rowName(report.name)]: rowSchema(catalogue, report),
    [answerName(report.name)]: answerSchema(report),
  }));
  return Object.assign({}, ...each);
}

/** Describes a report at its name, with the format from Accept, and with the format as a suffix. */
function describeReport(catalogue: Catalogue, report: Report): Paths {
  const parameters = parametersOf(catalogue, report).map((parameter) => queryParameter(parameter, report, catalogue));
  const shared = [...parameters, reference('parameters', 'decimals')];
  const names = ANSWER_FORMATS.map(({ name }) => name);
  const suffix = { name: 'format', in: 'path', required: true, schema: { type: 'string', enum: names } };
  const operation = (id: string, more: readonly object[]) => ({
    tags: ['Reports'],
    operationId: id,
    summary: report.label,
    description: `${report.description}\n\nA row: ${report.row}`,
    parameters: [...more, ...shared],
    responses: {
      '200': answerResponse(report),
      '304': { description: 'Nothing has changed.' },
      ...errors(REPORT_ERRORS),
    },
  });
  return {
    [`/v3/reports/${report.name}`]: { get: operation(report.name, []) },
    [`/v3/reports/${report.name}.{format}`]: { get: operation(`${report.name}.format`, [suffix]) },
  };
}

function queryParameter(parameter: Parameter, report: Report, catalogue: Catalogue): object {
  const schema = parameterSchema(parameter, report, catalogue);
  const isList = schema['type'] === 'array';
  const { name, description, example } = parameter;
  return {
    name,
    in: 'query',
    required: isRequired(report, name),
    description,
    schema,
    ...(isList ? { style: 'form', explode: false } : {}),
    ...(isRequired(report, name) ? { example: isList ? example.split(',') : example } : {}),
  };
}

function answerResponse(report: Report): object {
  return {
    description: `The report ${report.name}.`,
    headers: Object.fromEntries(Object.keys(REPORT_HEADERS).map((name) => [name, reference('headers', name)])),
    content: Object.fromEntries(
      ANSWER_FORMATS.map((format) => [mediaTypeOf(format), { schema: formatSchema(report, format) }]),
    ),
  };
}

function formatSchema(report: Report, { name }: AnswerFormat): Schema {
  if (name === 'json') return reference('schemas', answerName(report.name));
  if (name === 'ndjson') return { type: 'string', description: `One ${rowName(report.name)} a line.` };
  return name === 'csv' ? { type: 'string' } : { type: 'string', format: 'binary' };
}

export function describeReportList(): object {
  const schema = {
    type: 'object',
    properties: { reports: { type: 'array', items: { type: 'object' } } },
    required: ['reports'],
  };
  return {
    tags: ['Reports'],
    operationId: 'reports',
    summary: 'All reports',
    description: 'Every report with its parameters and its columns: labels, units, descriptions.',
    responses: {
      '200': { description: 'The reports.', content: { 'application/json': { schema } } },
      '304': { description: 'Nothing has changed.' },
      ...errors([401, 403, 429]),
    },
  };
}

function mediaTypeOf({ mediaType }: AnswerFormat): string {
  return mediaType.split(';')[0] ?? mediaType;
}

/** Returns whether a report requires a parameter. */
export function isRequired(report: Report, parameter: string): boolean {
  return ['start_date', 'end_date'].includes(parameter) || (parameter === 'group_by' && !report.rows);
}
