import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { tupleKey } from '../../../base/index.ts';
import type { Generation, Generations } from '../../../store/generation/index.ts';
import type { Answered } from '../protocol/answered.ts';
import type { Auth, AuthenticatedReader } from '../protocol/auth.ts';
import { CACHING, isSame, readRequestId, SECURITY_HEADERS } from '../protocol/headers.ts';

/*
 * Answers 304 ahead of fastify. A cached 304 through the app alone reaches 0.56 to 0.57 x the requests of an empty
 * fastify route, by CPU a request, and with this 0.74 to 0.86 x; the limit is 0.6.
 */

/** The version of an answer, with everything that it depends on beside the request's text. */
export interface Version {
  readonly etag: string;
  readonly route: string;
  readonly reader: AuthenticatedReader | undefined;
  readonly generation: Generation;
  /** The day in the company's time zone. */
  readonly day: string;
  /** The signature of the closings, whose cutoff a report may take. */
  readonly closings: string;
}

/**
 * A cache that answers 304 ahead of the app, whose own processing takes longer than such an answer.
 * Dashboards repeat the same requests.
 */
export interface Unchanged {
  /** Answers if the request and all dependencies of the version are unchanged. @returns true if it did. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** Stores the version of an answer that a client has. */
  remember(request: IncomingMessage, version: Version): void;
}

export interface UnchangedParts {
  readonly auth: Auth;
  readonly latest: Generations['latest'];
  /** Returns the signature of the closings. */
  readonly closings: () => string;
  readonly now: () => Date;
  /** Called with each answer. */
  readonly note: (answered: Answered) => void;
  /** The most versions stored. */
  readonly size: number;
}

export function makeUnchanged({ auth, latest, closings, now, note, size }: UnchangedParts): Unchanged {
  const versions = new LRUCache<string, Version>({ max: size });
  // Node writes a flat list of names and values fastest.
  const headers = Object.entries({ ...SECURITY_HEADERS, ...CACHING }).flat();
  return {
    answer(request, response) {
      const { 'if-none-match': held, origin } = request.headers;
      // Without tokens the host name must be checked too, and a page's origin always, which the app does.
      if (held === undefined || origin !== undefined || auth.isOpen()) return false;
      const startedAt = performance.now();
      const version = versions.get(keyOf(request));
      if (!version || !isSame(held, version.etag)) return false;
      const { etag, route, reader, generation, day } = version;
      if (!reader || reader !== auth.identify(request.headers)) return false;
      if (generation !== latest() || day !== generation.today(now())) return false;
      if (version.closings !== closings()) return false;
      const id = readRequestId(request);
      response.writeHead(304, [...headers, 'etag', etag, 'x-request-id', id]).end();
      const { method, url } = request;
      note({ request: id, method, url, route, status: 304, ms: performance.now() - startedAt, reader });
      return true;
    },
    remember: (request, version) => void versions.set(keyOf(request), version),
  };
}

function keyOf({ method, url, headers }: IncomingMessage): string {
  const { accept, authorization, cookie, 'accept-encoding': encoding } = headers;
  return tupleKey(method, url, accept, encoding, authorization ?? cookie);
}
