import type { Catalogue } from '../../../numbers/report/catalogue/index.ts';
import { errorProperties } from '../protocol/error-schema.ts';
import { ERROR_STATUSES } from '../protocol/errors.ts';
import { type Paths, reference, type Schema } from '../protocol/operations.ts';
import type { ServedDoor } from '../protocol/server-parts.ts';
import { RECORD_HEADERS } from '../records/record-operations.ts';
import { idempotencyParameter, preferParameter } from '../records/record-parameters.ts';
import { recordSchemas } from '../records/record-schemas.ts';
import { insightSchemas } from '../reports/insight-schemas.ts';
import { metaSchema } from '../reports/meta-schema.ts';
import {
  csvParameter,
  decimalsParameter,
  metaParameter,
  REPORT_HEADERS,
  reportSchemas,
} from '../reports/report-operations.ts';

export interface ApiParts {
  readonly catalogue: Catalogue;
  readonly version: string;
  /** True for serve --numbers. */
  readonly numbers: boolean;
  /** The doors, for their tags. */
  readonly doors: readonly ServedDoor[];
  /** The operations of the routes. */
  readonly paths: Paths;
}

/** Describes the API as OpenAPI 3.1: the operations of its routes, and their components. */
export function describeApi({ catalogue, version, numbers, doors, paths }: ApiParts): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plumbline',
      version,
      description:
        'Work compared with the plan, exact to the cent. Every number is a sum over one ledger, and every answer names its data version.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Reports', description: 'Rows by dimensions, with measures summed from the ledger.' },
      {
        name: 'Loads',
        description: 'Files that other programs export, for a server that takes changes. Needs the scope load.',
      },
      ...doors.flatMap(({ tag = [] }) => tag),
      {
        name: 'Sign-in',
        description: 'Sessions of browsers, on a server at whose issuer readers sign in. They only read.',
      },
      { name: 'Operations', description: 'For operators of the server. They need no token.' },
    ],
    security: [{ bearer: [] }, { basic: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'A token made by plumbline token create.' },
        basic: { type: 'http', scheme: 'basic', description: 'The token as the password, with any user name.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-plumbline',
          description:
            'The session of somebody who has signed in; on this machine without TLS it is plumbline. It only reads; POST needs the header X-Plumbline-Page, too.',
        },
      },
      parameters: {
        decimals: decimalsParameter,
        meta: metaParameter,
        csv: csvParameter,
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
        ...insightSchemas(catalogue),
        Meta: metaSchema(catalogue),
        Error: errorSchema(),
      },
      responses: Object.fromEntries(
        Object.keys(ERROR_STATUSES).map((status) => [`Error${status}`, errorResponse(Number(status))]),
      ),
    },
  };
}

function errorResponse(status: number): object {
  const headers: Readonly<Record<number, string>> = {
    401: 'WWW-Authenticate',
    405: 'Allow',
    416: 'Content-Range',
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
  return {
    type: 'object',
    properties: errorProperties,
    required: ['name', 'message', 'code', 'status'],
    additionalProperties: false,
  };
}
