import type { FastifyRequest } from 'fastify';
import { takeTurn } from '../../ask/turn.ts';
import type { Live } from '../../live/live.ts';
import type { LoadAuthor } from '../../loads/loads.ts';
import { readToolRows } from '../../mcp/tool-rows.ts';
import { runPreview } from '../../report/preview/preview.ts';
import { leaveOutZeros } from '../../write/preview-writer.ts';
import { hasRates, readerKeyOf } from '../protocol/auth.ts';
import type { ServerParts } from '../protocol/server-parts.ts';

export type LoadPreviewParts = Pick<ServerParts, 'catalogues' | 'semaphores' | 'limits' | 'now'>;

/** The report that a load is previewed in, and the measures of its bridge. */
const REPORT = 'projects';
const MEASURES = ['actual_hours', 'actual_fees'];
const MEASURES_WITH_RATES = [...MEASURES, 'actual_cost'];

/** Returns a function that reads what becomes of the projects by a load, by cause. */
export function previewLoadFor(
  request: FastifyRequest,
  live: Live,
  { catalogues, semaphores, limits, now }: LoadPreviewParts,
  signal: AbortSignal,
): NonNullable<LoadAuthor['preview']> {
  const seesRates = hasRates(request);
  const { id = '', label = '' } = request.reader ?? {};
  return (work, { first, last }) => {
    const moment = now();
    const parameters = { start_date: first, end_date: last };
    const asked = { report: REPORT, parameters, measures: (seesRates ? MEASURES_WITH_RATES : MEASURES).join(',') };
    const taker = { reader: readerKeyOf(request), signal, seesRates };
    return takeTurn(taker, async (turn) => {
      await turn.take(semaphores.open);
      await turn.take(semaphores.running);
      await turn.take(semaphores.recordWrites, true);
      const previewed = { writer: { id, label, seesRates }, changes: [], work, signal };
      return live.preview(previewed, async ({ before: database, after, catalog, generation }) => {
        const { company } = generation;
        const context = {
          database,
          after,
          catalog,
          company,
          today: generation.today(moment),
          now: moment,
          maxRows: limits.maxRows,
        };
        const { changes } = await runPreview(context, catalogues, asked, { seesRates });
        const { rows } = await readToolRows(await leaveOutZeros(changes));
        return { start_date: first, end_date: last, changes: rows };
      });
    });
  };
}
