import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessEvent } from '../../identity/access-log.ts';
import { pathInLog } from './answered.ts';
import type { AuthenticatedReader } from './auth.ts';

/** Returns a reader as the log of accesses names it. */
export function nameInLog({ id, label, session }: AuthenticatedReader): Partial<AccessEvent> {
  return session ? { subject: session.subject, email: session.email } : { token: id, label };
}

/** Returns the event of an answer that the log of accesses keeps; undefined for others, and without tokens. */
export function accessOf(request: FastifyRequest, reply: FastifyReply, status: number): AccessEvent | undefined {
  const { reader, url, routeOptions } = request;
  const event = reader?.id ? eventOf(routeOptions.url ?? '', reply, status) : undefined;
  if (!event || !reader) return undefined;
  const type = event === 'export' ? { type: String(reply.getHeader('content-type') ?? '') } : {};
  return { event, ...nameInLog(reader), path: pathInLog(url), ...type };
}

/** Exports are files, and what programs read in bulk: rows of OData and of SQL. */
function eventOf(route: string, reply: FastifyReply, status: number): AccessEvent['event'] | undefined {
  if (status === 403) return 'refused';
  if (status >= 300) return undefined;
  if (route === '/v3/preview') return 'preview';
  if (route === '/v3/deliveries/:name/run') return 'delivery';
  const isBulk = route === '/v3/sql' || route.startsWith('/odata/v4/');
  return isBulk || reply.hasHeader('content-disposition') ? 'export' : undefined;
}
