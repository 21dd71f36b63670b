import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../base/index.ts';
import type { ReaderPart } from '../../../numbers/report/source/index.ts';
import type { Generations } from '../../../store/generation/index.ts';
import type { Access } from '../../identity/access.ts';
import type { Scope } from '../../identity/tokens.ts';
import { httpError } from './errors.ts';
import { SAFE_METHODS } from './host.ts';

export interface ReaderSession {
  readonly subject: string;
  /** The address, unless the issuer doesn't vouch for it. */
  readonly email: string | undefined;
  /** The end of the session. Unit: ms since 1970. */
  readonly endsAt: number;
  /** The reason why nothing is seen, such as that no rule of access is for the reader. */
  readonly refusal: SessionRefusal | undefined;
}

export interface SessionRefusal {
  readonly message: string;
  /** Says whom to ask. */
  readonly hint: string;
}

export interface AuthenticatedReader {
  /** The id of the token or of the session; empty where none is needed. */
  readonly id: string;
  /** The label of the token, or the address or subject of a session. */
  readonly label: string;
  /** Absent: the reader of a token. */
  readonly session?: ReaderSession;
  readonly scopes: ReadonlySet<Scope>;
  /** The part of the data that the reader sees. Default: all. */
  readonly part?: ReaderPart | undefined;
  /** True to answer records with the decimals of the live service (4.1). Default: with those of the specification. */
  readonly numbers?: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    reader: AuthenticatedReader | undefined;
  }
  interface FastifyContextConfig {
    /** True for a route that only reads, though its method isn't GET, or that a scope of sessions is for. */
    takesSession?: true;
  }
}

/** The headers that say who asks. */
export type CredentialHeaders = Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>;

export interface Auth {
  /** Returns whether every client may do everything, because there has never been a token, and nobody signs in. */
  readonly isOpen: () => boolean;
  /** Returns the reader of a request: the same object until its token, its session or its rights change or end. */
  identify(headers: CredentialHeaders): AuthenticatedReader | undefined;
  /** Returns a reader with the rights and the part that sessions have of the present data. */
  settle(headers: CredentialHeaders, generations: Generations | undefined): Promise<AuthenticatedReader | undefined>;
  /** Returns the rules about those who sign in; undefined without any that can be read. */
  access(): Access | undefined;
  /** Returns why no token is accepted; undefined if some can be. */
  findFault(): string | undefined;
  /** Reads the files that have changed: what this process has changed in them holds at once. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A header of the page's own requests. The pages of other sites can't send it: browsers ask the server first for
 * headers of their own, and it allows this one to none.
 */
const PAGE_HEADER = 'x-plumbline-page';

/**
 * Refuses a session where something could be written: a browser sends its cookie by itself.
 * @throws an error of status 403.
 */
export function assertSessionReads({ reader, method, headers, routeOptions }: FastifyRequest): void {
  if (!reader?.session || SAFE_METHODS.includes(method)) return;
  if (routeOptions.config?.takesSession !== true)
    throw httpError(403, `A session on the page only reads. To send ${method} here, send a token`);
  if (headers[PAGE_HEADER] === undefined)
    throw httpError(403, `A session may send ${method} here only with the header ${PAGE_HEADER}, or send a token`);
}

/** The accepted authentication schemes of programs. */
const CHALLENGES = ['Bearer realm="plumbline"', 'Basic realm="plumbline", charset="UTF-8"'];

/** Returns the options of a route that needs a scope and tells of all data; checked before the body is read. */
export function requires(scope: Scope) {
  return {
    preParsing(request: FastifyRequest, reply: FastifyReply, _body: unknown, done: (error?: Error) => void) {
      authorize(request, reply, scope);
      assertSeesAll(request);
      done();
    },
  };
}

/** Returns the same for a route that tells a reader of a part no more than that part. */
export function requiresOfPart(scope: Scope) {
  return {
    preParsing(request: FastifyRequest, reply: FastifyReply, _body: unknown, done: (error?: Error) => void) {
      authorize(request, reply, scope);
      done();
    },
  };
}

/** Returns the same for a route at which readers with a scope, those of a part too, enter what others need `write` for. */
export function requiresEntry(scope: Scope) {
  return {
    preParsing(request: FastifyRequest, reply: FastifyReply, _body: unknown, done: (error?: Error) => void) {
      if (!request.reader?.scopes.has('write')) authorize(request, reply, scope);
      done();
    },
  };
}

/** @throws AppError forbidden for a reader of a part. */
export function assertSeesAll({ reader }: FastifyRequest): void {
  if (!reader?.part) return;
  throw new AppError('forbidden', `${nameReader(reader)} sees a part of the data, and this tells of all`, {
    hint: 'Ask for reports and explanations, which are of the part. A token without --only sees all.',
  });
}

/**
 * Returns the same as requiresOfPart for a route that counts its own requests with countRequest.
 * The route counts authorized requests when they cost something; refused ones are counted here.
 */
export function requiresUncounted(scope: Scope) {
  return {
    config: { rateLimit: false as const },
    preParsing(request: FastifyRequest, reply: FastifyReply, _body: unknown, done: (error?: Error) => void) {
      if (request.reader?.scopes.has(scope)) return done();
      request.server
        .countRequest(request, reply)
        .then(() => authorize(request, reply, scope))
        .then(() => done(), done);
    },
  };
}

/** Returns the key of a reader: the token, who has signed in, or the address without either. */
export function readerKeyOf({ reader, ip }: Pick<FastifyRequest, 'reader' | 'ip'>): string {
  return reader?.session ? `session ${reader.session.subject}` : reader?.id || ip;
}

/** Returns the part of the data that the reader sees; undefined for all. */
export function seenPartOf({ reader }: FastifyRequest): ReaderPart | undefined {
  return reader?.part;
}

/** Returns whether the reader may see rates and the numbers that reveal them. */
export function hasRates({ reader }: FastifyRequest): boolean {
  return reader?.scopes.has('rates') ?? false;
}

/**
 * Checks a request for a scope.
 * @throws AppError unauthorized for an unknown client, forbidden when the scope is missing.
 */
export function authorize(request: FastifyRequest, reply: FastifyReply, scope: Scope): void {
  const { reader } = request;
  if (!reader) throw unauthorized(request, reply);
  if (reader.scopes.has(scope)) return;
  const { session } = reader;
  if (session?.refusal) throw new AppError('forbidden', session.refusal.message, { hint: session.refusal.hint });
  const scopes = `Its scopes are ${[...reader.scopes].join(', ')}. plumbline token create makes another token.`;
  throw new AppError('forbidden', `${nameReader(reader)} has no scope "${scope}"`, {
    hint: session ? 'Scopes are given by rules of access.' : scopes,
  });
}

function unauthorized({ headers, server }: FastifyRequest, reply: FastifyReply): AppError {
  // A browser would ask the reader of the page for a password, and the page asks by itself.
  reply.header('www-authenticate', headers[PAGE_HEADER] === undefined ? CHALLENGES : CHALLENGES[0]);
  if (server.signInPath !== undefined) reply.header('link', `<${server.signInPath}>; rel="sign-in"`);
  const token = 'Send one as "Authorization: Bearer TOKEN", or as the password of Basic authentication.';
  return new AppError(
    'unauthorized',
    headers.authorization === undefined ? 'No token was sent' : 'The token is wrong, expired or revoked',
    { hint: server.signInPath === undefined ? token : `${token} In a browser, sign in at ${server.signInPath}.` },
  );
}

function nameReader({ id, label, session }: AuthenticatedReader): string {
  return session ? label : `The token ${id}`;
}
