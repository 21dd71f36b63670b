import type { Catalogues, Meta } from '../../../numbers/report/catalogue/index.ts';
import type { Presentation } from '../../../numbers/report/request/number.ts';
import type { ReaderContext } from '../../../numbers/report/run/run.ts';
import type { Piece } from '../../../numbers/write/index.ts';
import { writeAsked } from '../../../store/ask/index.ts';
import { pageHeaders } from '../protocol/headers.ts';
import type { AnswerQuery } from './answer-query.ts';

/** An answer that was computed, and is written as it is read. */
export interface Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: AsyncIterator<Piece>;
  readonly isInParts: boolean;
}

/** Runs a report, and begins to write it in the form of its query. */
export async function runAnswer(context: ReaderContext, query: AnswerQuery, catalogues: Catalogues): Promise<Answer> {
  const { format, decimals, metaStyle, csv } = query;
  const form = { format: format.name, decimals, meta: metaStyle, csv };
  const { meta, bytes, isInParts } = await writeAsked(catalogues, context, query.report, form);
  return { headers: answerHeaders(query, meta), pieces: bytes[Symbol.asyncIterator](), isInParts };
}

function answerHeaders({ format, etag, report }: AnswerQuery, meta: Meta): Record<string, string> {
  const { report: found, startDate, endDate } = report.selection;
  const name = `${found.name}_${startDate}_${endDate}.${format.name}`;
  return {
    etag,
    'content-type': format.mediaType,
    'x-data-version': meta.data_version,
    ...(format.isFile ? { 'content-disposition': `attachment; filename="${name}"` } : {}),
    ...(format.hasRanges ? { 'accept-ranges': 'bytes' } : {}),
    ...pagingHeaders(report.presentation, meta),
  };
}

/** Returns the headers of a page: those of lists, or those of a cursor when a limit is requested. */
function pagingHeaders({ page, perPage, limit }: Presentation, meta: Meta): Record<string, string> {
  if (limit !== undefined) {
    const { next_cursor } = meta;
    const next = next_cursor === undefined ? {} : { 'x-pagination-next-cursor': next_cursor };
    return { 'x-pagination-has-more': String(next_cursor !== undefined), ...next };
  }
  if (perPage === undefined || meta.row_count === undefined) return {};
  return pageHeaders(page, perPage, meta.row_count);
}
