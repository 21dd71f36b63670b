import type { Meta } from '../../report/catalogue/table.ts';
import type { Presentation } from '../../report/request/number.ts';
import { pageHeaders } from '../protocol/paging.ts';
import type { AnswerQuery } from './answer-query.ts';

/** Returns the headers of an answer to a report. */
export function answerHeaders(query: AnswerQuery, meta: Meta): Record<string, string> {
  const { format, etag } = query;
  const { report, startDate, endDate } = query.report.selection;
  const name = `${report.name}_${startDate}_${endDate}.${format.name}`;
  return {
    etag,
    'content-type': format.mediaType,
    'x-data-version': meta.data_version,
    ...(format.isFile ? { 'content-disposition': `attachment; filename="${name}"` } : {}),
    ...(format.hasRanges ? { 'accept-ranges': 'bytes' } : {}),
    ...pagingHeaders(query.report.presentation, meta),
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
