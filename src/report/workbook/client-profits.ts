import type { Value } from '../../database/database.ts';
import { Exact } from '../../exact-decimal.ts';
import { regroup } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { runSummary } from '../run/run-summary.ts';

/** The most clients of a list on Summary. */
const MAX_CLIENTS = 5;

/** The measures of a client; a reader without rates doesn't see all of them. */
const MEASURES = ['actual_revenue', 'actual_profit', 'actual_margin_percent'];

/** A client of the window, and its profit to date. */
export interface ClientProfit {
  /** Null for work of no client. */
  readonly clientId: string | null;
  readonly label: string;
  readonly revenue: string;
  readonly profit: string;
  /** Null without revenue. Unit: percent. */
  readonly margin: string | null;
}

/** The clients with the most profit, most first, and of the others those with the least, least first. */
export interface ClientProfits {
  readonly most: readonly ClientProfit[];
  readonly least: readonly ClientProfit[];
}

/**
 * Reads the clients of a query by their profit; none if the query doesn't show profit.
 * @param query Of a report without columns of its own, such as the months.
 */
export async function readClientProfits(context: ReportContext, query: Query): Promise<ClientProfits> {
  const { catalogue } = query.selection;
  const client = catalogue.dimensions.get('client');
  const shown = new Set(query.grouping.measures.map(({ name }) => name));
  const measures = MEASURES.flatMap((name) => (shown.has(name) ? (catalogue.measures.get(name) ?? []) : []));
  if (!client || measures.length < MEASURES.length) return { most: [], least: [] };
  const groups = { dimensions: [client], interval: undefined, across: [], hasSubtotals: false, includesEmpty: false };
  const table = await runSummary(context, regroup(query, { ...groups, hasAllPeriods: false, measures }));
  const places = ['client_id', 'client', ...MEASURES].map((name) =>
    table.columns.findIndex((each) => each.name === name),
  );
  const clients: ClientProfit[] = [];
  for await (const rows of table.rows) for (const row of rows) clients.push(...clientOf(row, places));
  clients.sort((a, b) => new Exact(b.profit).comparedTo(a.profit));
  const most = clients.slice(0, MAX_CLIENTS);
  return { most, least: clients.slice(MAX_CLIENTS).slice(-MAX_CLIENTS).reverse() };
}

/** Returns a client; none if its revenue or its profit is unknown. */
function clientOf(row: readonly Value[], places: readonly number[]): ClientProfit[] {
  const [clientId, name, revenue, profit, margin] = places.map((place) => {
    const value = row[place] ?? null;
    return value === null ? null : String(value);
  });
  if (revenue == null || profit == null) return [];
  const label = name ?? (clientId == null ? '(no client)' : `Unknown client ${clientId}`);
  return [{ clientId: clientId ?? null, label, revenue, profit, margin: margin ?? null }];
}
