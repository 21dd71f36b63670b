import { type Answer, rowsOf } from '../data/answer.ts';
import type { Failure } from '../data/api.ts';
import { formatDecimal } from '../data/numbers.ts';
import { usePages } from '../data/reading.ts';
import { Failed } from '../parts/states.tsx';

/** Lines of a page of the drawer. */
const LINES_PER_PAGE = 100;

/** Returns the path of the first page of the lines behind a number. @param query The query of the number. */
export function pathOfLines(query: string): string {
  return `/v3/reports/lines?${query}&decimals=string&limit=${LINES_PER_PAGE}`;
}

/** Holds the pages of a list of lines that the server continues by a cursor. @param path The path of the first page. */
export function useLinePages(path: string, first: Answer) {
  const { pages, failure, more } = usePages(first, (read) => {
    const cursor = read.at(-1)?.meta.next_cursor;
    return cursor && `${path}&cursor=${encodeURIComponent(cursor)}`;
  });
  return { rows: pages.flatMap(rowsOf), failure, more };
}

interface MoreLinesProps {
  readonly shown: number;
  /** The number of all lines, where it is known. */
  readonly count: number | undefined;
  readonly failure: Failure | undefined;
  /** Asks for the next page; undefined after the last one. */
  readonly more: (() => void) | undefined;
}

/** A button for the next page of lines, and the error of the last try. */
export function MoreLines({ shown, count, failure, more }: MoreLinesProps) {
  return (
    <>
      {failure && <Failed failure={failure} />}
      {more && (
        <p class="more">
          {formatDecimal(String(shown))} of {count === undefined ? 'more' : formatDecimal(String(count))} lines.{' '}
          <button type="button" onClick={more}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}
