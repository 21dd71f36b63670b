import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { AppError, messageOf } from '../../error.ts';
import { readSignature, repeat } from '../../live/watch.ts';
import type { Limits } from './limits.ts';
import { endOf, findToken, readTokens, SCOPES, type Scope, type Token } from './tokens.ts';

/** Who asks. */
export interface Reader {
  /** The id of the token; empty where none is needed. */
  readonly id: string;
  /** What whoever made the token calls it. */
  readonly label: string;
  readonly scopes: ReadonlySet<Scope>;
  /** True to answer decimals of records as JSON numbers. Default: as strings. */
  readonly numbers?: boolean;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; undefined when nobody that is known. */
    reader: Reader | undefined;
  }
}

/** The tokens that work now. */
export interface Auth {
  /** Whether everybody who reaches the server may do everything, because there has never been a token. */
  readonly isOpen: () => boolean;
  /** Who has sent an Authorization header: the same object for the same header, as long as its token is neither changed nor over. */
  identify(header: string | undefined): Reader | undefined;
  close(): Promise<void>;
}

/** A header whose token is known. */
interface CachedReader {
  readonly reader: Reader;
  /** When its token is over. Unit: ms since 1970. */
  readonly endsAt: number;
}

/** Who asks where no tokens are: somebody on the same machine. */
const LOCAL = { id: '', label: '', scopes: new Set(SCOPES) };

/** How a client may say who it is. */
export const CHALLENGES = ['Bearer realm="plumbline"', 'Basic realm="plumbline", charset="UTF-8"'];

/**
 * Opens the tokens of a file, and follows its changes. One that can't be read any more lets nobody in.
 * @param numbers Whether records have decimals as JSON numbers for all readers.
 * @param onError Is told when the file can't be read.
 * @throws AppError storage when it can't be read at first.
 */
export async function openAuth(
  file: string,
  { pollMs, cachedHeaders }: Limits,
  numbers: boolean,
  now: () => Date,
  onError: (message: string) => void,
): Promise<Auth> {
  const local: Reader = { ...LOCAL, numbers };
  let signature = await readSignature(file);
  let tokens = byId(await readTokens(file));
  // Once there has been a token, taking the last one away must not open the door.
  let isOpen = tokens.size === 0;
  // To find a token by its hash takes longer than an unchanged answer.
  const cache = new LRUCache<string, CachedReader>({ max: cachedHeaders });
  const follow = async () => {
    const found = await readSignature(file);
    if (found === signature) return;
    signature = found;
    try {
      tokens = byId(await readTokens(file));
    } catch (error) {
      tokens = new Map();
      isOpen = false;
      onError(messageOf(error));
    }
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
        numbers: numbers || (token.numbers ?? false),
      };
      cache.set(header, { reader, endsAt: endOf(token) });
      return reader;
    },
    close: () => watch.close(),
  };
}

/** The options of a route that only readers with a scope may ask. It is looked at before the body is read. */
export function requires(scope: Scope) {
  return {
    preParsing(request: FastifyRequest, reply: FastifyReply, _body: unknown, done: (error?: Error) => void) {
      authorize(request, reply, scope);
      done();
    },
  };
}

/**
 * The same for a route that counts its requests by itself, with countRequest: those that are let in when they cost something, the others here.
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

/** Returns what tells readers apart: the token, or the address of those who have none. */
export function readerKeyOf({ reader, ip }: Pick<FastifyRequest, 'reader' | 'ip'>): string {
  return reader?.id || ip;
}

/** Whether who asks may see what a cost could be read from. */
export function hasRates({ reader }: FastifyRequest): boolean {
  return reader?.scopes.has('rates') ?? false;
}

/** @throws AppError unauthorized when it isn't known who asks, forbidden when the scope is missing. */
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
      hint: `Its scopes are ${[...reader.scopes].join(', ')}. plumbline token create makes another.`,
    });
  }
}

/** The token of a header: of Bearer as it is, of Basic the password, whatever the user's name. */
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
