import { unzip } from '../../packages/xlsx/test/unzip.ts';
import type { Database } from '../../src/base/database/database.ts';
import type { Meta } from '../../src/numbers/report/catalogue/table.ts';
import { explainRequest, type NumberExplanation } from '../../src/numbers/report/explain/explain-request.ts';
import type { ReaderContext } from '../../src/numbers/report/run/run.ts';
import type { ReaderPart } from '../../src/numbers/report/source/part-views.ts';
import { parseAsked, runAsked } from '../../src/store/ask/ask.ts';
import { stateOf } from '../../src/store/ask/open-data.ts';
import { openStates } from '../../src/store/ask/open-states.ts';
import { takeTurn } from '../../src/store/ask/turn.ts';
import { writeAsked } from '../../src/store/ask/write-asked.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';

export type PartRow = Readonly<Record<string, unknown>>;

/** The rows and totals of a report, and what its meta says of the part. */
export interface PartAnswer {
  readonly rows: readonly PartRow[];
  readonly totals: PartRow | undefined;
  readonly part: readonly string[] | undefined;
  readonly notes: readonly string[];
  readonly checks: Meta['checks'];
}

type PartRequest = Readonly<Record<string, string>> & { readonly report: string };

function openAs<T>(
  database: Database,
  part: ReaderPart | undefined,
  now: Date,
  use: (context: ReaderContext) => Promise<T>,
): Promise<T> {
  const reader = { reader: '', seesRates: true, part, signal: new AbortController().signal };
  return takeTurn(reader, async (turn) => {
    const states = { state: await stateOf(database, {}), beside: undefined };
    return use((await openStates(turn, states, { now: () => now })).context);
  });
}

/** Returns the texts in the workbook of a report, as a reader of a part has it: all files of its package. */
export function readWorkbookAs(
  database: Database,
  { report, ...sent }: PartRequest,
  part: ReaderPart,
  now: Date,
): Promise<string> {
  return openAs(database, part, now, async (context) => {
    const query = parseAsked(readCatalogues(), report, sent, context, 'xlsx');
    const { bytes } = await writeAsked(readCatalogues(), context, query, { format: 'xlsx' });
    const chunks: Buffer[] = [];
    for await (const chunk of bytes) chunks.push(Buffer.from(chunk));
    return [...unzip(Buffer.concat(chunks)).values()].join('\n');
  });
}

/** Runs a report as a reader of a part, or of everything. */
export function askAs(
  database: Database,
  { report, ...sent }: PartRequest,
  part: ReaderPart | undefined,
  now: Date,
): Promise<PartAnswer> {
  return openAs(database, part, now, async (context) => {
    const { columns, rows, totals, meta } = await runAsked(readCatalogues(), report, sent, context);
    const toRow = (values: readonly unknown[]) =>
      Object.fromEntries(columns.map(({ name }, index) => [name, values[index]]));
    const found: PartRow[] = [];
    for await (const chunk of rows) found.push(...chunk.map(toRow));
    return { rows: found, totals: totals && toRow(totals), part: meta.part, notes: meta.notes, checks: meta.checks };
  });
}

/** Explains a number to a reader of a part, or of everything. */
export function explainAs(
  database: Database,
  sent: PartRequest & { readonly measure: string },
  part: ReaderPart | undefined,
  now: Date,
): Promise<Omit<NumberExplanation, 'meta'>> {
  return openAs(database, part, now, async (context) => {
    const explained = await explainRequest(context, readCatalogues(), sent);
    if (!('number' in explained)) throw new Error('A line is explained');
    const { meta: _, ...number } = explained.number;
    return number;
  });
}
