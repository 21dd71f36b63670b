import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../../base/index.ts';
import type { ServedResource, Writer } from '../../../store/record/index.ts';

/** The longest Idempotency-Key. Unit: characters. */
export const MAX_KEY_CHARACTERS = 255;

/**
 * Reads the Idempotency-Key of a request, which makes it safe to repeat.
 * @throws AppError usage for a key that is empty or too long.
 */
export function readIdempotency(
  { headers, body, method, url }: FastifyRequest,
  resource: ServedResource,
): Writer['idempotency'] {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_CHARACTERS) {
    const message = `Idempotency-Key must have 1 to ${MAX_KEY_CHARACTERS} characters`;
    throw new AppError('usage', message, { fields: [{ field: 'Idempotency-Key', message }] });
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([method, url, body]))
    .digest('base64url');
  return { key, hash, resource: resource.name };
}
