import type { Meta } from '../report/table.ts';
import type { Question } from './query.ts';

/** The headers of an answer that is a page: those of the service's lists; those of a cursor when a limit is asked for. */
export function pagingHeaders({ page, perPage, limit }: Question, meta: Meta): Record<string, string> {
  if (limit !== undefined) {
    const { next_cursor } = meta;
    const next = next_cursor === undefined ? {} : { 'x-pagination-next-cursor': next_cursor };
    return { 'x-pagination-has-more': String(next_cursor !== undefined), ...next };
  }
  if (perPage === undefined || meta.row_count === undefined) return {};
  return pageHeaders(page, perPage, meta.row_count);
}

/** The headers of a page. @param total Rows on all pages. */
export function pageHeaders(page: number, perPage: number, total: number): Record<string, string> {
  const shown = Math.min(perPage, Math.max(0, total - (page - 1) * perPage));
  return {
    'x-pagination-total-count': String(total),
    'x-pagination-page-count': String(Math.ceil(total / perPage)),
    'x-pagination-current-page': String(page),
    'x-pagination-per-page': String(shown),
  };
}
