import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { AppError, fullMessageOf } from '../../error.ts';
import { readSignature, repeat } from '../../generation/watch.ts';
import { endOfToken, findToken, readTokens, SCOPES, type Scope, type Token } from '../../identity/tokens.ts';
import type { ReaderPart } from '../../report/source/part-views.ts';
import type { Limits } from './limits.ts';

/** An authenticated client. */
export interface AuthenticatedReader {
  /** The id of the token; empty where none is needed. */
  readonly id: string;
  readonly label: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The part of the data that the reader sees. Default: all. */
  readonly part?: ReaderPart | undefined;
  /** True to answer records with the decimals of the live service (4.1). Default: with those of the specification. */
  readonly numbers?: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated reader, if any. */
    reader: AuthenticatedReader | undefined;
  }
}

export interface Auth {
  /** Returns whether every client may do everything, because there has never been a token. */
  readonly isOpen: () => boolean;
  /** Returns the reader of an Authorization header: the same object until its token changes or expires. */
  identify(header: string | undefined): AuthenticatedReader | undefined;
  /** Returns why no token is accepted; undefined if some can be. */
  findFault(): string | undefined;
  close(): Promise<void>;
}

/** A header with a known token. */
interface CachedReader {
  readonly reader: AuthenticatedReader;
  /** The expiry of its token. Unit: ms since 1970. */
  readonly endsAt: number;
}

/** The reader without tokens: a client on the same machine. */
const LOCAL = { id: '', label: '', scopes: new Set(SCOPES) };

/** The accepted authentication schemes. */
export const CHALLENGES = ['Bearer realm="plumbline"', 'Basic realm="plumbline", charset="UTF-8"'];

/**
 * Opens a file of tokens and follows its changes; a file that becomes unreadable revokes all access.
 * @param numbers True to answer all readers with the decimals of the live service.
 * @param onError Called when the file can't be read.
 * @throws AppError storage when it can't be read at first.
 */
export async function openAuth(
  file: string,
  { pollMs, cachedHeaders }: Limits,
  numbers: boolean,
  now: () => Date,
  onError: (message: string) => void,
): Promise<Auth> {
  const local: AuthenticatedReader = { ...LOCAL, numbers };
  let signature = await readSignature(file);
  let tokens = byId(await readTokens(file));
  // Once there has been a token, removing the last one must not give open access.
  let isOpen = tokens.size === 0;
  let fault: string | undefined;
  // Looking up a token by its hash takes longer than a 304 answer.
  const cache = new LRUCache<string, CachedReader>({ max: cachedHeaders });
  const follow = async () => {
    const found = await readSignature(file);
    if (found === signature) return;
    signature = found;
    try {
      tokens = byId(await readTokens(file));
      fault = found === '' && !isOpen ? goneMessage(file) : undefined;
    } catch (error) {
      tokens = new Map();
      isOpen = false;
      fault = fullMessageOf(error);
    }
    if (fault !== undefined) onError(fault);
    cache.clear();
    isOpen &&= tokens.size === 0;
  };
  const watch = repeat(follow, pollMs);
  return {
    isOpen: () => isOpen,
    identify(header) {
      if (isOpen) return local;
      if (header === undefined) return undefined;
      const at = now();
      const cached = cache.get(header);
      if (cached && at.getTime() < cached.endsAt) return cached.reader;
      const token = findToken(tokens, readCredential(header), at);
      if (!token) return undefined;
      const reader = {
        id: token.id,
        label: token.label,
        scopes: new Set(token.scopes),
        part: token.only,
        numbers: numbers || (token.numbers ?? false),
      };
      cache.set(header, { reader, endsAt: endOfToken(token) });
      return reader;
    },
    findFault: () => fault,
    close: () => watch.close(),
  };
}

function goneMessage(file: string): string {
  return `There are no tokens any more, so every request is refused: ${file} is gone. Put it back, or name its new place with --tokens and start the server again.`;
}

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

/** @throws AppError forbidden for a reader of a part. */
export function assertSeesAll({ reader }: FastifyRequest): void {
  if (!reader?.part) return;
  throw new AppError('forbidden', `The token ${reader.id} sees a part of the data, and this tells of all`, {
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

/** Returns the key of a reader: the token, or the address without one. */
export function readerKeyOf({ reader, ip }: Pick<FastifyRequest, 'reader' | 'ip'>): string {
  return reader?.id || ip;
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
  if (!reader) {
    reply.header('www-authenticate', CHALLENGES);
    throw new AppError(
      'unauthorized',
      request.headers.authorization === undefined ? 'No token was sent' : 'The token is wrong, expired or revoked',
      { hint: 'Send one as "Authorization: Bearer TOKEN", or as the password of Basic authentication.' },
    );
  }
  if (!reader.scopes.has(scope)) {
    throw new AppError('forbidden', `The token ${reader.id} has no scope "${scope}"`, {
      hint: `Its scopes are ${[...reader.scopes].join(', ')}. plumbline token create makes another token.`,
    });
  }
}

/** Returns the token of a header: the value of Bearer, or the password of Basic with any user name. */
function readCredential(header: string): string {
  const [, scheme = '', text = ''] = /^(\w+) +([^\s]+)$/.exec(header) ?? [];
  if (scheme.toLowerCase() === 'bearer') return text;
  if (scheme.toLowerCase() !== 'basic') return '';
  const pair = Buffer.from(text, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

function byId(tokens: readonly Token[]): ReadonlyMap<string, Token> {
  return new Map(tokens.map((token) => [token.id, token]));
}
