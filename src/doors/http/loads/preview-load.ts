import type { FastifyRequest } from 'fastify';
import { leaveOutZeros, readRowObjects } from '../../../numbers/write/index.ts';
import { askPreview } from '../../../store/ask/index.ts';
import type { Live } from '../../../store/live/index.ts';
import type { LoadAuthor } from '../../../store/loads/index.ts';
import type { PreviewParts } from '../preview/run-preview.ts';
import { readerKeyOf } from '../protocol/auth.ts';
import { previewPolicyOf } from '../protocol/semaphores.ts';

/** The report that a load is previewed in, and the measures of its bridge. */
const REPORT = 'projects';
const MEASURES = ['actual_hours', 'actual_fees'];
const MEASURES_WITH_RATES = [...MEASURES, 'actual_cost'];

/** The most changes of the preview of a load. Unit: bytes of JSON. */
const MAX_PREVIEW_BYTES = 262_144;

/** Returns a function that reads what becomes of the projects by a load, by cause. */
export function previewLoadFor(
  request: FastifyRequest,
  live: Live,
  parts: PreviewParts,
  { writer, signal }: { readonly writer: LoadAuthor['writer']; readonly signal: AbortSignal },
): NonNullable<LoadAuthor['preview']> {
  const { seesRates } = writer;
  return async (work, { first, last }) => {
    const parameters = { start_date: first, end_date: last };
    const measures = (seesRates ? MEASURES_WITH_RATES : MEASURES).join(',');
    const reader = { reader: readerKeyOf(request), signal, seesRates, writer, hasAliases: false };
    const { tables } = await askPreview(
      parts.catalogues,
      { changes: [], report: REPORT, parameters, measures },
      reader,
      {
        closings: await parts.kept.closings(),
        preview: (previewed, read) => live.preview({ ...previewed, work }, read),
      },
      previewPolicyOf(parts),
    );
    const { rows } = await readRowObjects(await leaveOutZeros(tables.changes), MAX_PREVIEW_BYTES);
    return { start_date: first, end_date: last, changes: rows };
  };
}
