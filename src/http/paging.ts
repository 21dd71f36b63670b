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
  const shown = Math.min(perPage, Math.max(0, meta.row_count - (page - 1) * perPage));
  return {
    'x-pagination-total-count': String(meta.row_count),
    'x-pagination-page-count': String(Math.ceil(meta.row_count / perPage)),
    'x-pagination-current-page': String(page),
    'x-pagination-per-page': String(shown),
  };
}
