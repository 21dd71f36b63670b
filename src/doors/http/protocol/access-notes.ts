import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessEvent } from '../../identity/access-log.ts';
import { pathInLog } from './answered.ts';
import type { AuthenticatedReader } from './auth.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The event that the log of accesses keeps of an answer. Default: an export, if it is a file. */
    loggedAs?: string;
  }
}

/** Returns a reader as the log of accesses names it. */
export function nameInLog({ id, label, session }: AuthenticatedReader): Partial<AccessEvent> {
  return session ? { subject: session.subject, email: session.email } : { token: id, label };
}

/** Returns the event of an answer that the log of accesses keeps; undefined for others, and without tokens. */
export function accessOf(request: FastifyRequest, reply: FastifyReply, status: number): AccessEvent | undefined {
  const { reader, url, routeOptions } = request;
  const event = reader?.id ? eventOf(routeOptions.config.loggedAs, reply, status) : undefined;
  if (!event || !reader) return undefined;
  const type = event === 'export' ? { type: String(reply.getHeader('content-type') ?? '') } : {};
  return { event, ...nameInLog(reader), path: pathInLog(url), ...type };
}

/** Exports are files, and what programs read in bulk, whose routes say so. */
function eventOf(loggedAs: string | undefined, reply: FastifyReply, status: number): string | undefined {
  if (status === 403) return 'refused';
  if (status >= 300) return undefined;
  return loggedAs ?? (reply.hasHeader('content-disposition') ? 'export' : undefined);
}
