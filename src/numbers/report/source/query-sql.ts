import { quoteText } from '../../../base/database/index.ts';
import { readKindNames } from '../../relation/line-kinds.ts';
import type { Report } from '../catalogue/catalogue.ts';
import { dateLiteral } from '../catalogue/period.ts';
import type { Selection } from '../request/query.ts';

export interface QuerySql {
  /** First and last day of the window, and the last day on which actuals count. */
  readonly start: string;
  readonly end: string;
  readonly cutoff: string;
  /** Today in the account's time zone. */
  readonly today: string;
  /** Returns the condition that a column has one of the query's statuses. */
  hasStatus(column: string): string;
}

export function querySqlOf({ startDate, endDate, cutoffDate, today, statuses }: Selection): QuerySql {
  return {
    start: dateLiteral(startDate),
    end: dateLiteral(endDate),
    cutoff: dateLiteral(cutoffDate),
    today: dateLiteral(today),
    hasStatus: (column) => `${column} IN (${statuses.map(statusLiteral).join(', ')})`,
  };
}

export function isInWindow({ start, end }: QuerySql, date: string): string {
  return `${date} BETWEEN ${start} AND ${end}`;
}

/**
 * Returns the conditions of a report's kinds of lines, one for each kind that it leaves out: the engine tests a
 * difference in a third of the time of a list.
 */
export function kindConditions({ lines }: Pick<Report, 'lines'>, relation: string): string[] {
  const others = lines ? readKindNames().filter((name) => !lines.includes(name)) : [];
  return others.map((name) => `${relation}.kind <> ${kindLiteral(name)}`);
}

/** Returns a line's kind as a literal of the ledger's type; a text would cast the column of every line. */
export function kindLiteral(kind: string): string {
  return `pl_line_kind(${quoteText(kind)})`;
}

export function statusLiteral(status: string): string {
  return `pl_line_status(${quoteText(status)})`;
}
