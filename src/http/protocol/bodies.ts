import type { FastifyInstance } from 'fastify';
import { AppError, messageOf } from '../../error.ts';

/** The deepest nesting of lists and objects in a body. Unit: levels. */
export const MAX_BODY_DEPTH = 32;

/** Reads the text of a body. @throws Error saying what is wrong. */
type BodyParser = (text: string) => unknown;

/**
 * Makes an app, or a part of one, read bodies of a type. A body without content is none, whatever type is said: clients with fixed headers
 * send one with every request (4.1).
 */
export function readBodiesAs(app: FastifyInstance, mediaType: string, parse: BodyParser): void {
  app.removeContentTypeParser(mediaType);
  app.addContentTypeParser(mediaType, { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parseBody(bytes as Buffer, parse));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** @throws AppError usage for what can't be read. */
function parseBody(bytes: Buffer, parse: BodyParser): unknown {
  if (bytes.length === 0) return undefined;
  try {
    const body = parse(decodeText(bytes));
    assertShallow(body);
    return body;
  } catch (error) {
    const message = `The body can't be read: ${messageOf(error)}`;
    throw new AppError('usage', message, { fields: [{ field: 'body', message }] });
  }
}

/** Parses JSON. A member of any name is just a member: whoever reads a body looks up names of its own. */
export function parseJson(text: string): unknown {
  return JSON.parse(text);
}

function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Error('it is not UTF-8');
  }
}

/** @throws Error for what lies deeper than any record: what reads it would run out of stack. */
function assertShallow(body: unknown): void {
  let level = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_BODY_DEPTH) throw new Error(`its lists and objects lie more than ${MAX_BODY_DEPTH} deep`);
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
}
