import { quoteText } from '../database/database.ts';
import type { Query } from './parameters.ts';
import { dateLiteral } from './period.ts';

/** What a reader asked for, as SQL. */
export interface QuerySql {
  /** The first day of the window, the last, and the last day on which actuals count. */
  readonly start: string;
  readonly end: string;
  readonly cutoff: string;
  /** The day that it is. */
  readonly today: string;
  /** The condition that a column of statuses holds one that was asked for. */
  hasStatus(column: string): string;
}

/** A query as literals. */
export function querySqlOf({ startDate, endDate, cutoffDate, today, statuses }: Query): QuerySql {
  return {
    start: dateLiteral(startDate),
    end: dateLiteral(endDate),
    cutoff: dateLiteral(cutoffDate),
    today: dateLiteral(today),
    hasStatus: (column) => `${column} IN (${statuses.map(statusLiteral).join(', ')})`,
  };
}

/** The condition that a date is in the window. */
export function isInWindow({ start, end }: QuerySql, date: string): string {
  return `${date} BETWEEN ${start} AND ${end}`;
}

/** A kind of line as a literal of the ledger's own type: compared as text, every line's kind would be turned into text first. */
export function kindLiteral(kind: string): string {
  return `pl_line_kind(${quoteText(kind)})`;
}

/** A status as a literal of the ledger's own type. */
export function statusLiteral(status: string): string {
  return `pl_line_status(${quoteText(status)})`;
}
