import { createServer } from 'node:http';
import cors from '@fastify/cors';
import rateLimit from '@fastify/rate-limit';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Generations } from '../../store/generation/index.ts';
import { signClosings } from '../../store/history/index.ts';
import { hideCredentials } from '../identity/credential.ts';
import { accessOf } from './protocol/access-notes.ts';
import { type Answered, noteAnswer, pathOf } from './protocol/answered.ts';
import { assertSessionReads, readerKeyOf } from './protocol/auth.ts';
import { parseJson, readBodiesAs } from './protocol/bodies.ts';
import { limitBodyTime } from './protocol/body-time.ts';
import { answerError, httpError } from './protocol/errors.ts';
import { CORS, readRequestId, SECURITY_HEADERS } from './protocol/headers.ts';
import { assertHost, assertLocalHost, assertOwnPage } from './protocol/host.ts';
import type { Limits } from './protocol/limits.ts';
import { collectUrls, METHODS, refuseOtherMethods } from './protocol/methods.ts';
import { collectOperations } from './protocol/operations.ts';
import { answerConnect, answerLate, answerUnreadable } from './protocol/raw-answers.ts';
import type { ServerParts } from './protocol/server-parts.ts';
import { SIGN_IN_PATH, SIGN_OUT_PATH } from './protocol/session-cookie.ts';
import { makeUnchanged, type Unchanged } from './reports/unchanged.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The path at which readers of the page sign in; undefined where nobody can. */
    readonly signInPath: string | undefined;
    /**
     * Counts a request against the rate limit, on routes that count by themselves.
     * @throws an error of status 429 beyond it.
     */
    countRequest(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  }
}

/** The parts that an app needs before there are generations. */
interface AppParts
  extends Pick<
    ServerParts,
    'config' | 'limits' | 'log' | 'auth' | 'accessLog' | 'metrics' | 'now' | 'paths' | 'inFlight'
  > {
  /** Returns the data of reports; undefined before they are open. */
  readonly generations: () => Generations | undefined;
}

/** A fastify instance that accepts routes. */
export interface App {
  readonly app: FastifyInstance;
  /** Answers unchanged requests ahead of the routes. */
  readonly unchanged: Unchanged;
  /** Answers 405 to other methods on all paths; to be called after the last route is added. */
  refuseOtherMethods(): void;
}

/** Interval of the check for connections with overdue requests. Unit: ms. */
const CHECK_MS = 1_000;

/** Opens an app with the parts common to all routes: limits, headers, authentication, log and errors. */
export async function openApp(parts: AppParts): Promise<App> {
  const { config, limits, log, auth, metrics, now } = parts;
  const app: FastifyInstance = fastify({
    logger: {
      level: config.logLevel,
      // Only watchAnswer logs requests; this covers anything that a library might add.
      redact: ['req.headers.authorization', 'req.headers.cookie'],
      stream: { write: (line: string) => log.write(hideCredentials(line)) },
    },
    // A logger per request takes longer than a 304 answer, so log lines name the request instead.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: readRequestId,
    // Requests on open connections are answered while the server stops, and told to close.
    return503OnClosing: false,
    serverFactory(handle) {
      const { maxHeaderBytes, requestTimeoutMs, uploadTimeoutMs, keepAliveTimeoutMs, connectionTimeoutMs } = limits;
      const options = {
        maxHeaderSize: maxHeaderBytes,
        headersTimeout: requestTimeoutMs,
        requestTimeout: uploadTimeoutMs,
        connectionsCheckingInterval: CHECK_MS,
        keepAliveTimeout: keepAliveTimeoutMs,
      };
      const server = createServer(options, (request, response) => {
        limitBodyTime(request, requestTimeoutMs, () => answerLate(request.socket, note));
        // A stopping server leaves every answer to the app, which tells clients to close.
        if (!server.listening || !unchanged.answer(request, response)) handle(request, response);
      });
      return server.setTimeout(connectionTimeoutMs);
    },
    bodyLimit: limits.maxBodyBytes,
    routerOptions: { maxParamLength: limits.maxNameCharacters },
    frameworkErrors: answerError,
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, note),
  });
  const note = (answered: Answered) => noteAnswer(metrics, app.log, answered);
  const unchanged = makeUnchanged({
    auth,
    latest: () => parts.generations()?.latest(),
    closings: () => signClosings(config.database),
    now,
    note,
    size: limits.cachedQueries,
  });
  app.server.maxConnections = limits.maxConnections;
  app.server.on('connect', (request, socket) => answerConnect(request, socket, note));
  // Fastify parses text by default, and no route takes it.
  app.removeContentTypeParser('text/plain');
  readBodiesAs(app, 'application/json', parseJson);
  app.decorateRequest('reader', undefined);
  app.decorate('signInPath', config.signIn && SIGN_IN_PATH);
  app.setErrorHandler(answerError);
  const urls = collectUrls(app);
  collectOperations(app, parts.paths);
  app.addHook('onRequest', (request, reply, done) => {
    watchAnswer(request, reply, parts);
    reply.headers(SECURITY_HEADERS).header('x-request-id', request.id);
    assertShort(request.url, limits);
    assertHost('Host', request.headers.host);
    if (auth.isOpen()) assertLocalHost(request.headers.host);
    assertOwnPage(request.raw, config.corsOrigins);
    identify(request, parts, done);
  });
  if (config.corsOrigins.length > 0) await app.register(cors, { ...CORS, origin: [...config.corsOrigins] });
  const refuse = (max: number) =>
    httpError(429, `More than ${max} requests in a minute. Try again after the time in Retry-After`);
  await app.register(rateLimit, {
    max: config.rateLimit,
    timeWindow: '1 minute',
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    keyGenerator: readerKeyOf,
    errorResponseBuilder: (_request, { max }) => refuse(max),
  });
  const count = app.createRateLimit();
  app.decorate('countRequest', async (request, reply) => {
    const counted = await count(request);
    if (counted.isAllowed || !counted.isExceeded) return;
    reply.header('retry-after', counted.ttlInSeconds);
    throw refuse(counted.max);
  });
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, (request) => {
    // Such a method reaches no route, not even that of its path.
    if (!METHODS.includes(request.method)) throw httpError(501, `${request.method} is not implemented on any path`);
    throw httpError(404, `There is nothing at ${pathOf(request.url)}. The reports are listed at /v3/reports`);
  });
  return { app, unchanged, refuseOtherMethods: () => refuseOtherMethods(app, urls) };
}

/** Finds the reader of a request; a session has the rights and the part of the present data. */
function identify(request: FastifyRequest, { auth, generations }: AppParts, done: (error?: Error) => void): void {
  // A token may be newer than the last look: who sends it has its rights at once, and those alone.
  const isNew = () => auth.isOpen() || !auth.identify(request.headers);
  if (request.headers.authorization !== undefined && isNew()) {
    auth.look().then(() => {
      request.reader = auth.identify(request.headers);
      done();
    }, done);
    return;
  }
  request.reader = auth.identify(request.headers);
  assertSessionReads(request);
  // Signing out needs no rights, and works while the data can't be read.
  if (!request.reader?.session || request.routeOptions.url === SIGN_OUT_PATH) {
    done();
    return;
  }
  auth.settle(request.headers, generations()).then((reader) => {
    request.reader = reader;
    done();
  }, done);
}

/** @throws an error of status 414 for a URL that is too long. */
function assertShort({ length }: string, { maxUrlCharacters }: Limits): void {
  if (length <= maxUrlCharacters) return;
  throw httpError(414, `The URL has ${length} characters; at most ${maxUrlCharacters} are allowed`);
}

/** Status in the log and the metrics of an answer whose client disconnected. */
const CLIENT_GONE = 499;

/** Counts and logs an answer when it ends. */
function watchAnswer(request: FastifyRequest, reply: FastifyReply, { accessLog, inFlight, metrics }: AppParts): void {
  const startedAt = performance.now();
  inFlight.add(request);
  reply.raw.once('close', () => {
    inFlight.delete(request);
    const { id, method, url, reader, routeOptions, log } = request;
    const status = reply.raw.writableFinished ? reply.raw.statusCode : CLIENT_GONE;
    const ms = performance.now() - startedAt;
    const access = accessOf(request, reply, status);
    if (access) accessLog.note(access);
    noteAnswer(metrics, log, {
      request: id,
      method,
      url,
      route: routeOptions.url ?? 'none',
      status,
      ms,
      reader,
    });
  });
}
