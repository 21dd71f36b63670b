import type { BodyOf, BodySchema } from '../body/body-schema.ts';
import { declareBody } from '../body/declared-body.ts';
import { type BatchItem, MAX_BATCH_REQUESTS, REQUEST_ID, readCall, readHeaders } from './batch-request.ts';
import { failedDependency, notImplemented } from './odata-error.ts';

/** A request of a batch. OData lets clients add members, which mean nothing here. */
const REQUEST = {
  type: 'object',
  properties: {
    id: REQUEST_ID,
    method: { type: 'string', description: 'GET: nothing can be changed here.', example: 'GET' },
    url: { type: 'string', description: 'A URL below /odata/v4, relative or absolute.', example: 'clients?$top=10' },
    headers: { type: 'object', additionalProperties: { type: 'string' }, expected: 'an object of texts' },
    dependsOn: {
      type: 'array',
      items: { type: 'string' },
      description: 'The ids of requests before it that must succeed.',
    },
    body: {},
    atomicityGroup: REQUEST_ID,
    if: {},
  },
  required: ['id', 'method', 'url'],
} as const satisfies BodySchema;

/** The body of POST /odata/v4/$batch as JSON. */
export const batchBody = declareBody({
  type: 'object',
  properties: {
    requests: {
      type: 'array',
      items: REQUEST,
      maxItems: MAX_BATCH_REQUESTS,
      wayOut: 'give the list of requests',
    },
  },
  required: ['requests'],
});

/**
 * Parses the JSON of a batch.
 * @throws AppError usage for a wrong form, limit for too many requests.
 */
export function parseJsonBatch(sent: unknown): BatchItem[] {
  return batchBody.read(sent).requests.map((request, index) => toItem(request, `requests[${index + 1}]`));
}

function toItem(request: BodyOf<typeof REQUEST>, place: string): BatchItem {
  const { id, method, url, headers = {}, dependsOn = [], body = null, atomicityGroup, if: condition } = request;
  const named = readHeaders(`${place}.headers`, Object.entries(headers));
  const call = readCall(method, url, named, body !== null);
  return { id, atomicityGroup, dependsOn, call: refuseRequest(atomicityGroup, condition) ?? call };
}

function refuseRequest(group: string | undefined, condition: unknown): Error | undefined {
  if (group !== undefined) return notImplemented('Atomicity groups are not implemented: nothing can be changed here');
  if (condition === undefined) return undefined;
  // The standard requires this status of services that don't implement conditions.
  return failedDependency('"if" is not implemented. Leave it out, and use dependsOn');
}
