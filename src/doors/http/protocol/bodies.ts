import type { FastifyInstance } from 'fastify';
import { AppError, isTooDeep, MAX_BODY_DEPTH, messageOf } from '../../../base/index.ts';
import { httpError } from './errors.ts';

/** A parser of a body's text. @throws Error saying what is wrong. */
type BodyParser = (text: string) => unknown;

/**
 * Registers a parser of a media type in an app or a part of one.
 * An empty body is none, with any type: clients with fixed headers send one with every request (4.1).
 */
export function readBodiesAs(app: FastifyInstance, mediaType: string, parse: BodyParser): void {
  app.removeContentTypeParser(mediaType);
  app.addContentTypeParser(mediaType, { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      if (bytes.length > 0) assertPlain(request.headers['content-encoding']);
      done(null, parseBody(bytes as Buffer, parse));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** @throws an error of status 415 for a body that is compressed, or that is said to be. */
function assertPlain(coding: string | undefined): void {
  if (coding === undefined || coding.toLowerCase() === 'identity') return;
  throw httpError(415, `Content-Encoding: bodies in ${coding} can't be read; send the body as it is`, {
    'accept-encoding': 'identity',
  });
}

/** @throws AppError usage for an unreadable body. */
function parseBody(bytes: Buffer, parse: BodyParser): unknown {
  if (bytes.length === 0) return undefined;
  try {
    const body = parse(decodeText(bytes));
    if (isTooDeep(body)) throw new Error(`its lists and objects are nested more than ${MAX_BODY_DEPTH} levels deep`);
    return body;
  } catch (error) {
    const message = `The body can't be read: ${messageOf(error)}`;
    throw new AppError('usage', message, { fields: [{ field: 'body', message }] });
  }
}

/** Parses JSON; every member is plain data, because readers look up only names of their own. */
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
