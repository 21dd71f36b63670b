import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../base/database/index.ts';
import { listNames } from '../../base/index.ts';
import { notImplemented } from '../../numbers/condition/index.ts';
import { authorize, hasRates } from '../http/protocol/auth.ts';
import { httpError } from '../http/protocol/errors.ts';
import { methodError } from '../http/protocol/methods.ts';
import type { ServerParts } from '../http/protocol/server-parts.ts';
import { formatMetadata, formatService, type ServiceContents } from './metadata.ts';
import { answerODataError } from './odata-errors.ts';
import { assertVersion, chooseForm, mediaTypeOf, ODATA_VERSION } from './odata-headers.ts';
import { ROOT, rootUrl } from './odata-links.ts';
import { metadataOperation } from './odata-operations.ts';
import { listFunctions } from './report-functions.ts';
import { parsePath, type ResourcePath } from './resource-path.ts';
import { answerFunction, answerSet, type RowsPath } from './row-answers.ts';
import { parseOptions, readAliases } from './row-query.ts';
import { type RowSource, readMartSets } from './row-source.ts';
import { formatVocabulary, VOCABULARY_FOLDER } from './vocabularies.ts';

/**
 * Returns the sets and functions that a reader may ask for.
 * @param called The name asked for: that of a function, perhaps.
 */
type ContentsReader = (request: FastifyRequest, called: string) => Promise<ServiceContents>;

/** Options that rows of a path take, by what is asked of them. */
const COUNT_OPTIONS = ['$filter'];
const ENTITY_OPTIONS = ['$select', '$format'];
const SERVICE_OPTIONS = ['$format'];

/** Methods that would change something. */
const WRITING = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Methods refused here, so that their answers have the form of OData's errors. */
const REFUSED = [...WRITING, 'OPTIONS', 'TRACE'];

/** The methods of every path. */
const ALLOWED = 'GET, HEAD';

/**
 * Adds OData: the marts as entity sets, for the scope sql, and the reports as functions, for the scope reports.
 * A server that runs no SELECTs of clients has no entity sets.
 */
export async function registerOData(app: FastifyInstance, parts: ServerParts): Promise<void> {
  const { catalogues, published } = parts;
  const functions = { full: listFunctions(catalogues.full), withoutRates: listFunctions(catalogues.withoutRates) };
  const known = new WeakMap<Database, Promise<ReadonlyMap<string, RowSource>>>();
  const readSets = (database: Database) => {
    const found = known.get(database) ?? readMartSets(database);
    known.set(database, found);
    found.catch(() => known.delete(database));
    return found;
  };
  const readContents: ContentsReader = async (request, called) => {
    const { scopes = new Set() } = request.reader ?? {};
    const seesRates = hasRates(request);
    const all = scopes.has('reports') ? (seesRates ? functions.full : functions.withoutRates) : new Map();
    // Functions need no published data.
    const hasSets = parts.selects.length > 0 && scopes.has('sql') && !all.has(called);
    return { sets: hasSets ? await readSets(published.current().database(seesRates)) : new Map(), functions: all };
  };
  const answer = (request: FastifyRequest, reply: FastifyReply) => answerPath(parts, readContents, request, reply);
  await app.register(async (scope) => {
    scope.setErrorHandler(answerODataError);
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('odata-version', ODATA_VERSION);
    });
    const guard = { preParsing: guardRequest };
    scope.get(ROOT, guard, answer);
    const config = { loggedAs: 'export' } as const;
    scope.get(`${ROOT}/*`, { ...guard, config }, answer);
    const vocabulary = `${ROOT}/${VOCABULARY_FOLDER}/:file`;
    scope.get<{ Params: { file: string } }>(vocabulary, { config }, (request, reply) => {
      const text = formatVocabulary(request.params.file);
      if (text === undefined) throw httpError(404, `There is no vocabulary "${request.params.file}"`);
      // Public, because it has no data, and clients send no token to another address.
      return reply.type('application/xml; charset=utf-8').send(text);
    });
    const operations = { [`${ROOT}/$metadata`]: { get: metadataOperation } };
    scope.get(`${ROOT}/$metadata`, { ...guard, config: { ...config, operations } }, answer);
    for (const url of [ROOT, `${ROOT}/*`, `${ROOT}/$metadata`, vocabulary])
      scope.route({ method: REFUSED, url, ...guard, handler: () => undefined });
  });
}

/** Checks the method, the reader and the version of a request, before its body is read. */
async function guardRequest(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { method } = request;
  if (method === 'OPTIONS' || method === 'TRACE') throw methodError(method, ALLOWED);
  authorize(request, reply, request.reader?.scopes.has('reports') ? 'reports' : 'sql');
  assertVersion(request.headers);
  if (WRITING.includes(method))
    throw notImplemented(`${method} is not implemented: rows are read here, each answer by a GET of its own`);
}

async function answerPath(
  parts: ServerParts,
  readContents: ContentsReader,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const [address = '', queryString = ''] = request.url.split(/\?(.*)/s);
  const aliases = readAliases(new Map([...new URLSearchParams(queryString)].filter(([name]) => name.startsWith('@'))));
  const path = parsePath(address.slice(`${ROOT}/`.length), aliases);
  const options = parseOptions(queryString, optionsOf(path));
  const contents = await readContents(request, path.kind === 'rows' ? path.name : '');
  reply.header('cache-control', 'no-store');
  if (path.kind === 'metadata')
    return reply.type('application/xml; charset=utf-8').send(formatMetadata(contents, rootUrl(request.headers)));
  if (path.kind === 'rows') return answerNamed(parts, contents, { request, reply, path, options });
  const form = chooseForm(request.headers.accept, options.get('$format'));
  return reply
    .type(mediaTypeOf(form))
    .send(formatService(contents, rootUrl(request.headers), form.metadata !== 'none'));
}

function optionsOf(path: ResourcePath): readonly string[] | undefined {
  if (path.kind !== 'rows') return SERVICE_OPTIONS;
  if (path.isCount) return COUNT_OPTIONS;
  const isEntity = path.given !== undefined && !path.name.startsWith('report_');
  return isEntity ? ENTITY_OPTIONS : undefined;
}

/** @throws an error of status 404 for a name that the reader has nothing of. */
function answerNamed(
  parts: ServerParts,
  { sets, functions }: ServiceContents,
  asked: { request: FastifyRequest; reply: FastifyReply; path: RowsPath; options: ReadonlyMap<string, string> },
): Promise<FastifyReply> {
  const { request, reply, path } = asked;
  const [set, called] = [sets.get(path.name), functions.get(path.name)];
  const [select] = parts.selects;
  if (set && select) return answerSet(parts, asked, set, select);
  if (called) return answerFunction(parts, asked, called);
  // Without the scope, a name tells nothing about what there is.
  if (sets.size === 0) authorize(request, reply, 'sql');
  if (functions.size === 0) authorize(request, reply, 'reports');
  const names = listNames(path.name, [...sets.keys(), ...functions.keys()]);
  throw httpError(404, `There is no entity set or function ${path.name}. There are ${names}`);
}
