import { runAsked } from '../../src/ask/ask.ts';
import { stateOf } from '../../src/ask/open-data.ts';
import { openStates } from '../../src/ask/open-states.ts';
import { takeTurn } from '../../src/ask/turn.ts';
import type { Database } from '../../src/database/database.ts';
import { readCatalogues } from '../../src/generation/own-reports.ts';
import type { ReaderPart } from '../../src/report/source/part-views.ts';

export type PartRow = Readonly<Record<string, unknown>>;

/** The rows and totals of a report, and what its meta says of the part. */
export interface PartAnswer {
  readonly rows: readonly PartRow[];
  readonly totals: PartRow | undefined;
  readonly part: readonly string[] | undefined;
  readonly notes: readonly string[];
}

/** Runs a report as a reader of a part, or of everything. */
export function askAs(
  database: Database,
  { report, ...sent }: Readonly<Record<string, string>> & { readonly report: string },
  part: ReaderPart | undefined,
  now: Date,
): Promise<PartAnswer> {
  const reader = { reader: '', seesRates: true, part, signal: new AbortController().signal };
  return takeTurn(reader, async (turn) => {
    const states = { state: await stateOf(database, {}), beside: undefined };
    const { context } = await openStates(turn, states, { now: () => now });
    const { columns, rows, totals, meta } = await runAsked(readCatalogues(), report, sent, context);
    const toRow = (values: readonly unknown[]) =>
      Object.fromEntries(columns.map(({ name }, index) => [name, values[index]]));
    const found: PartRow[] = [];
    for await (const chunk of rows) found.push(...chunk.map(toRow));
    return { rows: found, totals: totals && toRow(totals), part: meta.part, notes: meta.notes };
  });
}
