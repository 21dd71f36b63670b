/** Returns the headers of a page. @param total Rows on all pages. */
export function pageHeaders(page: number, perPage: number, total: number): Record<string, string> {
  const shown = Math.min(perPage, Math.max(0, total - (page - 1) * perPage));
  return {
    'x-pagination-total-count': String(total),
    'x-pagination-page-count': String(Math.ceil(total / perPage)),
    'x-pagination-current-page': String(page),
    'x-pagination-per-page': String(shown),
  };
}
