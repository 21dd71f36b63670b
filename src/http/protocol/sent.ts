import type { FastifyRequest } from 'fastify';
import { parseQueryString, type SentParameters } from '../../record/query-string.ts';

/** Returns the parameters of a request, as sent. */
export function sentOf({ url }: Pick<FastifyRequest, 'url'>): SentParameters {
  return parseQueryString(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
}
