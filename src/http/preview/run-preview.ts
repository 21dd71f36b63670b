import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PreviewBody } from '../../ask/preview-body.ts';
import { takeTurn } from '../../ask/turn.ts';
import { ignoredFields } from '../../record/planned/ignored-fields.ts';
import { placeError } from '../../record/planned/planned-change.ts';
import { type PreviewTables, parsePreview, runPreview } from '../../report/preview/preview.ts';
import { authorize, hasRates } from '../protocol/auth.ts';
import { httpError } from '../protocol/errors.ts';
import type { ServerParts } from '../protocol/server-parts.ts';

export type PreviewParts = Pick<
  ServerParts,
  'catalogues' | 'generations' | 'live' | 'sync' | 'semaphores' | 'limits' | 'now'
>;

export interface PreviewAnswer {
  readonly tables: PreviewTables;
  /** Sentences about the changes. */
  readonly notes: readonly string[];
}

/** The reader of a preview. */
export interface PreviewTaker {
  /** The key of the reader whose share of the server it takes. */
  readonly reader: string;
  /** Ends the wait and the preview. */
  readonly signal: AbortSignal;
  /** True to add the JSON aliases to the rows. */
  readonly hasAliases: boolean;
}

/**
 * Previews changes for the reader of a request.
 * @throws AppError as Live.preview and parsePreview; an error of status 405 when records are read-only.
 */
export async function previewFor(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PreviewParts,
  { changes, ...asked }: PreviewBody,
  { hasAliases, ...taker }: PreviewTaker,
): Promise<PreviewAnswer> {
  const { catalogues, generations, live, sync, semaphores, limits, now } = parts;
  if (!live || sync)
    throw httpError(405, 'Records can only be read here, so no change of them can be tried', { allow: '' });
  const seesRates = hasRates(request);
  const [first] = changes;
  try {
    authorize(request, reply, 'write');
  } catch (error) {
    throw first ? placeError(first, error) : error;
  }
  const moment = now();
  const present = generations.current();
  const options = { seesRates, hasAliases };
  // A wrong parameter takes no turn.
  parsePreview(catalogues, asked, { ...options, company: present.company, today: present.today(moment) });
  const { id = '', label = '' } = request.reader ?? {};
  const tables = await takeTurn({ ...taker, seesRates }, async (turn) => {
    await turn.take(semaphores.open);
    await turn.take(semaphores.running);
    // A preview takes as long as many writes.
    await turn.take(semaphores.recordWrites, true);
    return live.preview({ writer: { id, label, seesRates }, changes, signal: turn.signal }, (states) => {
      const { before: database, after, catalog, generation } = states;
      const { company } = generation;
      const today = generation.today(moment);
      const context = { database, after, catalog, company, today, now: moment, maxRows: limits.maxRows };
      return runPreview(context, catalogues, asked, options);
    });
  });
  return { tables, notes: ignoredFields(changes) };
}
