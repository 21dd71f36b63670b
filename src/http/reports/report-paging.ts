import type { Meta } from '../../report/table.ts';
import { pageHeaders } from '../protocol/paging.ts';
import type { Question } from './query.ts';

/** Returns the headers of a page: those of lists, or those of a cursor when a limit is requested. */
export function pagingHeaders({ page, perPage, limit }: Question, meta: Meta): Record<string, string> {
  if (limit !== undefined) {
    const { next_cursor } = meta;
    const next = next_cursor === undefined ? {} : { 'x-pagination-next-cursor': next_cursor };
    return { 'x-pagination-has-more': String(next_cursor !== undefined), ...next };
  }
  if (perPage === undefined || meta.row_count === undefined) return {};
  return pageHeaders(page, perPage, meta.row_count);
}
