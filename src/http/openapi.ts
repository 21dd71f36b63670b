import type { Catalogue, Parameter, Report } from '../report/catalogue.ts';
import { parametersOf } from '../report/parameters.ts';
import { ERROR_STATUSES } from './errors.ts';
import { ANSWER_FORMATS, type AnswerFormat } from './formats.ts';
import { describeDeletions } from './openapi-deletions.ts';
import { idempotencyParameter, recordPaths } from './openapi-records.ts';
import { analystPaths } from './openapi-sql.ts';
import { DECIMALS } from './query.ts';
import { recordSchemas } from './record-schemas.ts';
import { isRequired } from './reports.ts';
import {
  answerName,
  answerSchema,
  errors,
  metaSchema,
  parameterSchema,
  reference,
  rowName,
  rowSchema,
  type Schema,
} from './schemas.ts';

/** What can go wrong on the way to a report. */
const REPORT_ERRORS = [400, 401, 403, 404, 406, 414, 422, 429, 500, 503];

/** Headers of the answer of a report. */
const HEADERS: Readonly<Record<string, string>> = {
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

/**
 * Describes the whole API as OpenAPI 3.1, out of the definitions of reports and resources.
 * @param version The program's.
 * @param hasRecords Whether the server serves records too: serve --write.
 */
export function describeApi(catalogue: Catalogue, version: string, hasRecords: boolean): object {
  const reports = [...catalogue.reports.values()];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version,
      description:
        'How the work went against the plan, exact to the cent. Every number is a sum over one ledger, and says which load it is of.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Reports', description: 'Rows by dimensions, with measures summed from the ledger.' },
      { name: 'SQL', description: 'For analysts: one SELECT over the marts and the reports. Needs the scope sql.' },
      { name: 'Operations', description: 'For those who run the server. They need no token.' },
    ],
    security: [{ bearer: [] }, { basic: [] }],
    paths: {
      '/v3/reports': { get: listOperation() },
      ...Object.assign({}, ...reports.map((report) => reportPaths(catalogue, report))),
      ...(hasRecords ? { ...recordPaths(), ...describeDeletions() } : {}),
      ...analystPaths(),
      ...operationPaths(),
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token that plumbline token create has made.' },
        basic: { type: 'http', scheme: 'basic', description: 'The token as the password, with any name.' },
      },
      parameters: { decimals: decimalsParameter(), 'Idempotency-Key': idempotencyParameter },
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
      ),
      schemas: {
        ...Object.assign({}, ...reports.map((report) => reportSchemas(catalogue, report))),
        ...(hasRecords ? recordSchemas() : {}),
        Meta: metaSchema,
        Error: errorSchema(),
      },
      responses: Object.fromEntries(
        Object.keys(ERROR_STATUSES).map((status) => [`Error${status}`, errorResponse(Number(status))]),
      ),
    },
  };
}

/** Each report by its name, with the format chosen by Accept, and with the format as a suffix. */
function reportPaths(catalogue: Catalogue, report: Report): Record<string, object> {
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

function decimalsParameter(): object {
  return {
    name: 'decimals',
    in: 'query',
    description:
      'Of JSON and NDJSON: whether decimals are numbers with all their digits, or strings of the same digits.',
    schema: { type: 'string', enum: DECIMALS, default: DECIMALS[0] },
  };
}

function reportSchemas(catalogue: Catalogue, report: Report): Record<string, Schema> {
  return { [rowName(report.name)]: rowSchema(catalogue, report), [answerName(report.name)]: answerSchema(report) };
}

function answerResponse(report: Report): object {
  return {
    description: `The report ${report.name}.`,
    headers: Object.fromEntries(Object.keys(HEADERS).map((name) => [name, reference('headers', name)])),
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

function listOperation(): object {
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

function operationPaths(): Record<string, object> {
  const path = (id: string, summary: string, mediaType: string, more: object = {}) => ({
    get: {
      tags: ['Operations'],
      operationId: id,
      summary,
      security: [],
      responses: { '200': { description: summary, content: { [mediaType]: { schema: {} } } }, ...more },
    },
  });
  const notReady = { '503': { description: 'No report can be read now; the message says why.' } };
  return {
    '/healthz': path('healthz', 'The server runs.', 'application/json'),
    '/readyz': path('readyz', 'A loaded database is open.', 'application/json', notReady),
    '/metrics': path('metrics', 'Counters and times, for Prometheus.', 'text/plain'),
    '/openapi.json': path('openapi', 'This document.', 'application/json'),
  };
}

function errorResponse(status: number): object {
  const headers: Readonly<Record<number, string>> = {
    401: 'WWW-Authenticate',
    405: 'Allow',
    429: 'Retry-After',
    503: 'Retry-After',
  };
  const header = headers[status];
  return {
    description: ERROR_STATUSES[status]?.meaning ?? '',
    ...(header ? { headers: { [header]: { schema: { type: 'string' } } } } : {}),
    content: { 'application/json': { schema: reference('schemas', 'Error') } },
  };
}

function errorSchema(): Schema {
  const text = { type: 'string' };
  return {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        enum: Object.values(ERROR_STATUSES).map(({ name }) => name),
        description: 'One for each status.',
      },
      message: { type: 'string', description: 'What is wrong with which thing and value, and the way out.' },
      code: { type: 'string', description: 'The kind of error, the same as on the command line.' },
      status: { type: 'integer' },
      errors: {
        type: 'array',
        description: 'Of 400 and 422: what is wrong with which parameter.',
        items: { type: 'object', properties: { field: text, message: text }, required: ['field', 'message'] },
      },
    },
    required: ['name', 'message', 'code', 'status'],
    additionalProperties: false,
  };
}

function mediaTypeOf({ mediaType }: AnswerFormat): string {
  return mediaType.split(';')[0] ?? mediaType;
}
