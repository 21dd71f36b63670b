import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { recordPaths, type ServedResource, servedResources } from '../../../store/record/index.ts';
import type { Scope } from '../../identity/tokens.ts';
import { requires, requiresEntry } from '../protocol/auth.ts';
import { parseJson, readBodiesAs } from '../protocol/bodies.ts';
import { httpError } from '../protocol/errors.ts';
import { FORM, parseForm } from '../protocol/form-body.ts';
import { isAcceptable } from '../protocol/nodes.ts';
import { parseXml } from '../protocol/xml-body.ts';
import { registerDeletions } from './deletion-routes.ts';
import {
  answerCreate,
  answerDelete,
  answerList,
  answerRecord,
  answerUpdate,
  type RecordParts,
  storeOf,
} from './record-answers.ts';
import { describeCreate, describeDelete, describeList, describeRead, describeUpdate } from './record-operations.ts';
import { describeId } from './record-parameters.ts';
import { registerSettings } from './settings-route.ts';

/** Parsers of record bodies by media type. */
const BODY_PARSERS = new Map<string, (text: string) => unknown>([
  ['application/json', parseJson],
  ['application/xml', parseXml],
  ['text/xml', parseXml],
  [FORM, parseForm],
]);

/** Scopes that let readers, on the page too, create records of a resource in their part of the data, and write nothing else. */
const ENTERED: Readonly<Record<string, Scope>> = { progress: 'progress' };

/** Adds list, read, create, update and delete of every resource, at paths with hyphens and underscores. */
export async function registerRecords(app: FastifyInstance, parts: RecordParts): Promise<void> {
  await app.register(async (scope) => {
    for (const [mediaType, parse] of BODY_PARSERS) readBodiesAs(scope, mediaType, parse);
    for (const resource of servedResources.values())
      for (const path of recordPaths(resource)) registerResource(scope, parts, resource, path);
    registerDeletions(scope, parts.store, requiresAcceptable('reports'));
    registerSettings(scope, parts.source, requiresAcceptable('reports'));
  });
}

function registerResource(app: FastifyInstance, parts: RecordParts, resource: ServedResource, path: string): void {
  const { methods } = resource;
  const one = `${path}/:id`;
  const reads = requiresAcceptable('reports');
  const writes = requiresAcceptable('write');
  const entered = ENTERED[resource.name];
  const creates = entered === undefined ? writes : { ...writes, ...requiresEntry(entered) };
  const [first = '', ...others] = recordPaths(resource);
  const describe = (at: string, operations: Readonly<Record<string, unknown>>) =>
    path === first ? { config: { operations: { [`${first}${at}`]: operations } } } : {};
  // On a read-only server, routes that write exist only to refuse requests.
  const describeWrite: typeof describe = (at, operations) => (parts.store ? describe(at, operations) : {});
  app.get(path, { ...reads, ...describe('', { get: describeList(resource, others) }) }, (request, reply) =>
    answerList(request, reply, parts, resource),
  );
  app.get<{ Params: { id: string } }>(
    one,
    { ...reads, ...describe('/{id}', { parameters: [describeId(resource)], get: describeRead(resource) }) },
    (request, reply) => answerRecord(request, reply, parts, resource),
  );
  if (methods.includes('create'))
    app.post(
      path,
      {
        ...creates,
        config: {
          ...describeWrite('', { post: describeCreate(resource) }).config,
          ...(entered !== undefined && { takesSession: true }),
        },
      },
      (request, reply) => answerCreate(request, reply, storeOf(parts), resource, path),
    );
  if (methods.includes('update')) {
    app.route<{ Params: { id: string } }>({
      method: ['PATCH', 'PUT'],
      url: one,
      ...writes,
      ...describeWrite('/{id}', { patch: describeUpdate(resource, 'patch'), put: describeUpdate(resource, 'put') }),
      handler: (request, reply) => answerUpdate(request, reply, storeOf(parts), resource),
    });
  }
  if (methods.includes('delete'))
    app.delete<{ Params: { id: string } }>(
      one,
      { ...requires('write'), ...describeWrite('/{id}', { delete: describeDelete(resource) }) },
      (request, reply) => answerDelete(request, reply, storeOf(parts), resource),
    );
}

/** Returns the options of a route that needs a scope, and an Accept header with a known format. */
function requiresAcceptable(scope: Scope) {
  return {
    ...requires(scope),
    preValidation(request: FastifyRequest, _reply: FastifyReply, done: () => void) {
      if (!isAcceptable(request))
        throw httpError(
          406,
          'None of the types in Accept is available. The types are application/json and application/xml',
        );
      done();
    },
  };
}
