import {
  allParametersOf,
  type Catalogue,
  isRequired,
  type Parameter,
  type Report,
  WINDOW_PARAMETERS,
} from '../../../numbers/report/catalogue/index.ts';
import { parameterSchema } from '../../../numbers/report/describe/describe-catalogue.ts';
import { CSV_STYLES, META_STYLES } from '../../../numbers/write/index.ts';
import { errors, type Paths, reference, type Schema } from '../protocol/operations.ts';
import { ANSWER_FORMATS, type AnswerFormat } from './answer-formats.ts';
import { DECIMALS } from './answer-query.ts';
import { answerName, answerSchema, rowName, rowSchema } from './report-schemas.ts';

const REPORT_ERRORS = [400, 401, 403, 404, 406, 414, 416, 422, 429, 500, 503];

/** Headers of a report's answer, with their descriptions. */
export const REPORT_HEADERS: Readonly<Record<string, string>> = {
  ETag: 'The version of the answer. While nothing has changed, a request with it in If-None-Match is answered 304 without a body.',
  'X-Data-Version': 'The version of the data behind every number of the answer.',
  'X-Request-Id': 'The id of the request, as in the log: the one sent, or a new one.',
  'X-Pagination-Total-Count': 'With page or per-page: the number of rows.',
  'X-Pagination-Page-Count': 'With page or per-page: the number of pages.',
  'X-Pagination-Current-Page': 'With page or per-page: the number of this page.',
  'X-Pagination-Per-Page': 'With page or per-page: the number of rows on this page.',
  'X-Pagination-Has-More': 'For lines with limit, and for deletions: whether more follow.',
  'X-Pagination-Next-Cursor': 'The start of the next page: for lines with limit if more follow, for deletions always.',
};

export const decimalsParameter = {
  name: 'decimals',
  in: 'query',
  description: 'In JSON and NDJSON: decimals as numbers with all their digits, or as strings of the same digits.',
  schema: { type: 'string', enum: DECIMALS, default: DECIMALS[0] },
};

export const csvParameter = {
  name: 'csv',
  in: 'query',
  description:
    'In CSV: with commas and decimal points, or with semicolons, decimal commas and a byte order mark, as Excel opens it in most of Europe.',
  schema: { type: 'string', enum: CSV_STYLES, default: CSV_STYLES[0] },
};

/** Parameter for the extent of the metadata, shared by all reports. */
export const metaParameter = {
  name: 'meta',
  in: 'query',
  description:
    'In JSON: all metadata, only those that a tile on a dashboard needs, or none. The checks are held in any case.',
  schema: { type: 'string', enum: META_STYLES, default: META_STYLES[0] },
};

/** Describes every report at its own path, with and without the suffix of a format. */
export function describeReports(catalogue: Catalogue): Paths {
  return Object.assign({}, ...[...catalogue.reports.values()].map((report) => describeReport(catalogue, report)));
}

/** Returns the schemas of each report's rows and whole answer. */
export function reportSchemas(catalogue: Catalogue): Record<string, Schema> {
  const each = [...catalogue.reports.values()].map((report) => ({
    [rowName(report.name)]: rowSchema(catalogue, report),
    [answerName(report.name)]: answerSchema(catalogue, report),
  }));
  return Object.assign({}, ...each);
}

/** Describes a report at its name, with the format from Accept, and with the format as a suffix. */
function describeReport(catalogue: Catalogue, report: Report): Paths {
  const parameters = allParametersOf(catalogue, report).map((parameter) =>
    queryParameter(parameter, report, catalogue),
  );
  const forms = ['decimals', 'meta', 'csv'].map((name) => reference('parameters', name));
  const shared = [...parameters, ...forms];
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
      '206': {
        description: 'Parquet, with Range: a part of the answer.',
        content: contentOf(
          report,
          ANSWER_FORMATS.filter(({ hasRanges }) => hasRanges),
        ),
      },
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
    ...(isRequired(report, name) || WINDOW_PARAMETERS.includes(name)
      ? { example: isList ? example.split(',') : example }
      : {}),
  };
}

function answerResponse(report: Report): object {
  return {
    description: `The report ${report.name}.`,
    headers: Object.fromEntries(Object.keys(REPORT_HEADERS).map((name) => [name, reference('headers', name)])),
    content: contentOf(report, ANSWER_FORMATS),
  };
}

function contentOf(report: Report, formats: readonly AnswerFormat[]): object {
  return Object.fromEntries(formats.map((format) => [mediaTypeOf(format), { schema: formatSchema(report, format) }]));
}

function formatSchema(report: Report, { name }: AnswerFormat): Schema {
  if (name === 'json') return reference('schemas', answerName(report.name));
  if (name === 'ndjson') return { type: 'string', description: `One ${rowName(report.name)} per line.` };
  return name === 'csv' ? { type: 'string' } : { type: 'string', format: 'binary' };
}

export function describeReportList(): object {
  const schema = {
    type: 'object',
    properties: {
      reports: { type: 'array', items: { type: 'object' } },
      dimensions: { type: 'array', items: { type: 'object' }, description: 'The values of group_by.' },
      subjects: {
        type: 'array',
        items: { type: 'object' },
        description: 'What is scheduled and done, such as hours: each with its measures by what they compare.',
      },
      overview: { type: 'object', description: 'What the overview of the page asks for.' },
      abilities: {
        type: 'array',
        items: { type: 'string' },
        description:
          'What this reader may do here beside reading reports: deliveries (see them), deliver, load, write, progress (enter it).',
      },
    },
    required: ['reports', 'dimensions', 'subjects', 'overview', 'abilities'],
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
