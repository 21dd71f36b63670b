import type { FastifyReply, FastifyRequest } from 'fastify';
import { askPreview, type PreviewAnswer, type PreviewBody, type PreviewReader } from '../../../store/ask/index.ts';
import { placeError } from '../../../store/record/index.ts';
import { authorize, hasRates } from '../protocol/auth.ts';
import { httpError } from '../protocol/errors.ts';
import { previewPolicyOf } from '../protocol/semaphores.ts';
import type { ServerParts } from '../protocol/server-parts.ts';

export type PreviewParts = Pick<
  ServerParts,
  'catalogues' | 'generations' | 'kept' | 'live' | 'sync' | 'semaphores' | 'limits' | 'now'
>;

/**
 * Previews changes for the reader of a request.
 * @throws AppError as askPreview; an error of status 405 when records are read-only.
 */
export async function previewFor(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PreviewParts,
  body: PreviewBody,
  taker: Pick<PreviewReader, 'reader' | 'signal' | 'hasAliases'>,
): Promise<PreviewAnswer> {
  const { catalogues, generations, kept, live, sync } = parts;
  if (!live || sync)
    throw httpError(405, 'Records can only be read here, so no change of them can be tried', { allow: '' });
  const [first] = body.changes;
  try {
    if (!request.reader?.scopes.has('write')) authorize(request, reply, 'preview');
  } catch (error) {
    throw first ? placeError(first, error) : error;
  }
  const seesRates = hasRates(request);
  const { id = '', label = '' } = request.reader ?? {};
  const reader = { ...taker, seesRates, writer: { id, label, seesRates } };
  const source = { present: generations.current(), closings: await kept.closings(), preview: live.preview };
  return askPreview(catalogues, body, reader, source, previewPolicyOf(parts));
}
