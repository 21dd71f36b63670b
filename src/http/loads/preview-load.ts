import type { FastifyRequest } from 'fastify';
import { askPreview } from '../../ask/ask-preview.ts';
import type { Live } from '../../live/live.ts';
import type { LoadAuthor } from '../../loads/change-records.ts';
import { readToolRows } from '../../mcp/tool-rows.ts';
import { leaveOutZeros } from '../../write/preview-writer.ts';
import type { PreviewParts } from '../preview/run-preview.ts';
import { readerKeyOf } from '../protocol/auth.ts';
import { previewPolicyOf } from '../protocol/semaphores.ts';

/** The report that a load is previewed in, and the measures of its bridge. */
const REPORT = 'projects';
const MEASURES = ['actual_hours', 'actual_fees'];
const MEASURES_WITH_RATES = [...MEASURES, 'actual_cost'];

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
      { preview: (previewed, read) => live.preview({ ...previewed, work }, read) },
      previewPolicyOf(parts),
    );
    const { rows } = await readToolRows(await leaveOutZeros(tables.changes));
    return { start_date: first, end_date: last, changes: rows };
  };
}
