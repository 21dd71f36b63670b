import { parseAsked } from '../../ask/ask.ts';
import { findStates } from '../../ask/find-states.ts';
import { MAX_REPORT_ROWS, openStates } from '../../ask/open-states.ts';
import { takeTurn } from '../../ask/turn.ts';
import { writeAsked } from '../../ask/write-asked.ts';
import { dayIn } from '../../calendar/day.ts';
import type { Table } from '../../report/catalogue/table.ts';
import { runTold } from '../../report/insights/insights.ts';
import type { Query } from '../../report/request/number.ts';
import type { ReaderContext } from '../../report/run/run.ts';
import type { FormatName } from '../../write/formats.ts';
import type { DeliveryData } from './delivery-data.ts';

export interface DeliveryRequest {
  readonly report: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly seesRates: boolean;
  /** The planned moment, whose day is today for named periods. */
  readonly moment: Date;
  readonly now: () => Date;
  /** Ends the work. */
  readonly signal: AbortSignal;
}

/** The data of one version, opened for a delivery, which may ask several reports of it. */
export interface OpenedReport {
  readonly context: ReaderContext;
  /**
   * Parses the report with further parameters, or another report with the same ones.
   * @param format The format of its file, if it gets one.
   * @throws AppError as parseAsked.
   */
  parse(more: Readonly<Record<string, string>>, report?: string, format?: FormatName): Query;
  /** Runs a query. @throws AppError check when its numbers don't add up. */
  run(query: Query): Promise<Table>;
  /** Writes the workbook of the report. @throws AppError as run. */
  writeWorkbook(more: Readonly<Record<string, string>>): Promise<AsyncIterable<string | Uint8Array>>;
}

/** The reader whose share of a server all deliveries take. */
const READER = 'deliveries';

/** Opens the data that a request is about, and uses them: one turn, so that all answers are of one data version. */
export function askReport<T>(
  { states, catalogues, permits }: Pick<DeliveryData, 'states' | 'catalogues' | 'permits'>,
  { report, sent, seesRates, moment, now, signal }: DeliveryRequest,
  use: (opened: OpenedReport) => Promise<T>,
): Promise<T> {
  return takeTurn({ reader: READER, seesRates, signal }, async (turn) => {
    const asked = await findStates(states, catalogues, { report, sent });
    const { context } = await openStates(turn, asked, { permits, maxRows: MAX_REPORT_ROWS, now });
    // A kept state has a day of its own.
    const today = context.company.asOf ? context.today : dayIn(context.company.timeZone, moment);
    const own = { ...context, today };
    const parse: OpenedReport['parse'] = (more, name = report, format = undefined) =>
      parseAsked(catalogues, name, { ...asked.sent, ...more }, own, format);
    return use({
      context: own,
      parse,
      run: (query) => runTold(own, query),
      async writeWorkbook(more) {
        return (await writeAsked(catalogues, own, parse(more), { format: 'xlsx' })).bytes;
      },
    });
  });
}
