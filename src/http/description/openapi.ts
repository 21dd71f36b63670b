import type { Catalogue } from '../../report/catalogue.ts';
import { ERROR_STATUSES } from '../protocol/errors.ts';
import { recordSchemas } from '../records/record-schemas.ts';
import { describeDeletions } from './openapi-deletions.ts';
import { idempotencyParameter, preferParameter, RECORD_HEADERS, recordPaths } from './openapi-records.ts';
import { decimalsParameter, REPORT_HEADERS, reportPaths, reportSchemas } from './openapi-reports.ts';
import { analystPaths } from './openapi-sql.ts';
import { metaSchema, reference, type Schema } from './schemas.ts';

/** How a server serves records. */
export interface ApiOptions {
  /** serve --write. */
  readonly canWrite: boolean;
  /** serve --numbers. */
  readonly numbers: boolean;
}

/**
 * Describes the whole API as OpenAPI 3.1, out of the definitions of reports and resources.
 * @param version The program's.
 */
export function describeApi(catalogue: Catalogue, version: string, { canWrite, numbers }: ApiOptions): object {
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
      ...reportPaths(catalogue),
      ...(canWrite ? describeDeletions() : {}),
      ...recordPaths(canWrite),
      ...analystPaths(),
      ...operationPaths(),
    },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token that plumbline token create has made.' },
        basic: { type: 'http', scheme: 'basic', description: 'The token as the password, with any name.' },
      },
      parameters: {
        decimals: decimalsParameter,
        'Idempotency-Key': idempotencyParameter,
        Prefer: preferParameter,
      },
      headers: Object.fromEntries(
        Object.entries({ ...REPORT_HEADERS, ...RECORD_HEADERS }).map(([name, description]) => [
          name,
          { description, schema: { type: 'string' } },
        ]),
      ),
      schemas: {
        ...reportSchemas(catalogue),
        ...recordSchemas(numbers),
        Meta: metaSchema,
        Error: errorSchema(),
      },
      responses: Object.fromEntries(
        Object.keys(ERROR_STATUSES).map((status) => [`Error${status}`, errorResponse(Number(status))]),
      ),
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
