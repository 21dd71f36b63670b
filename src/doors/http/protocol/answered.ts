import type { FastifyBaseLogger } from 'fastify';
import type { AuthenticatedReader } from './auth.ts';
import type { Metrics } from './metrics.ts';

export interface Answered {
  readonly request: string;
  readonly method: string | undefined;
  /** The request's path, perhaps with a query. */
  readonly url: string | undefined;
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** Undefined for unknown clients. */
  readonly reader: AuthenticatedReader | undefined;
}

const NOT_MODIFIED = 304;

/** Counts an answer and logs it with the path alone: values of parameters stay out of the log. */
export function noteAnswer(metrics: Metrics, log: FastifyBaseLogger, answered: Answered): void {
  const { request, method = '', url = '', route, status, reader } = answered;
  const ms = Math.round(answered.ms * 1000) / 1000;
  metrics.count(route, method, status, ms / 1000);
  // Unchanged answers would drown the other lines.
  const level = status === NOT_MODIFIED ? 'debug' : 'info';
  log[level](
    {
      request,
      method,
      path: pathInLog(url),
      route,
      status,
      ms,
      [reader?.session ? 'session' : 'token']: reader?.id,
    },
    'answered',
  );
}

export function pathOf(url: string): string {
  const end = url.indexOf('?');
  return end < 0 ? url : url.slice(0, end);
}

/** Returns the path of a URL without what stands in the parentheses of OData: keys, and parameters of functions. */
export function pathInLog(url: string): string {
  return pathOf(url).replace(/(?:\(|%28).*/is, '(...)');
}
