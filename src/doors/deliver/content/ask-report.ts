import { dayIn } from '../../../base/calendar/index.ts';
import type { Database } from '../../../base/database/index.ts';
import type { Catalogues, Table } from '../../../numbers/report/catalogue/index.ts';
import { runTold } from '../../../numbers/report/insights/insights.ts';
import type { Query } from '../../../numbers/report/request/number.ts';
import type { ReaderContext } from '../../../numbers/report/run/run.ts';
import type { FormatName } from '../../../numbers/write/index.ts';
import {
  findStates,
  MAX_REPORT_ROWS,
  openStates,
  parseAsked,
  type ReportParameters,
  type TurnReader,
  takePermits,
  takeTurn,
  writeAsked,
} from '../../../store/ask/index.ts';
import type { DeliveryData } from './delivery-data.ts';

export interface DeliveryRequest {
  readonly report: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly rights: DeliveryRights;
  /** True if recipients have rights of their own, among them parts. */
  readonly hasOwnRights: boolean;
  /** The planned moment, whose day is today for named periods. */
  readonly moment: Date;
  readonly now: () => Date;
  readonly signal: AbortSignal;
}

export type DeliveryRights = Pick<TurnReader, 'seesRates' | 'part'>;

/** The data of one version, opened for a delivery, which may ask several reports of it. */
export interface OpenedReport {
  readonly context: ReaderContext;
  /** All records of this data version, which tell whose a row is, and the addresses of recipients. */
  readonly records: Database;
  /** Opens the same data for a reader with other rights. */
  openFor<T>(rights: DeliveryRights, use: (opened: OpenedReport) => Promise<T>): Promise<T>;
  /** Returns the same data limited by parameters: all that is asked of them has these, too. */
  limitTo(own: ReportParameters): OpenedReport;
  /**
   * Parses the report with further parameters, or another report with the same ones.
   * @param format The format of its file, if it gets one.
   * @throws AppError as parseAsked.
   */
  parse(more: ReportParameters, report?: string, format?: FormatName): Query;
  /** Runs a query. @throws AppError check when its numbers don't add up. */
  run(query: Query): Promise<Table>;
  /** Writes the workbook of the report. @throws AppError as run. */
  writeWorkbook(): Promise<AsyncIterable<string | Uint8Array>>;
}

/** The reader whose share of a server all deliveries take. */
const READER = 'deliveries';

/** Opens the data that a request is about, and uses them: one turn, so that all answers are of one data version. */
export function askReport<T>(
  { states, catalogues, permits }: Pick<DeliveryData, 'states' | 'catalogues' | 'permits'>,
  { report, sent, rights, hasOwnRights, moment, now, signal }: DeliveryRequest,
  use: (opened: OpenedReport) => Promise<T>,
): Promise<T> {
  const taker = { reader: READER, signal };
  return takeTurn({ ...taker, seesRates: true }, async (turn) => {
    // Readers of a part know no names of states that people gave (L2).
    const part = rights.part ?? (hasOwnRights ? {} : undefined);
    const asked = await findStates(states, catalogues, { report, sent }, { part });
    await takePermits(turn, { permits, now });
    const records = (await turn.lease(asked.state.lease).open(signal)).database(true);
    const openFor: OpenedReport['openFor'] = (own, useOwn) =>
      takeTurn({ ...taker, ...own }, async (ownTurn) => {
        const { context } = await openStates(ownTurn, asked, { maxRows: MAX_REPORT_ROWS, now });
        const seen = onDay(context, moment);
        const open = (limited: ReportParameters): OpenedReport => ({
          ...openReport(catalogues, report, limited, seen),
          records,
          openFor,
          limitTo: (more) => open({ ...limited, ...more }),
        });
        return useOwn(open(asked.sent));
      });
    return openFor(rights, use);
  });
}

/** Puts a moment's day in the place of today; a kept state has a day of its own. */
function onDay(context: ReaderContext, moment: Date): ReaderContext {
  return context.company.asOf ? context : { ...context, today: dayIn(context.company.timeZone, moment) };
}

function openReport(
  catalogues: Catalogues,
  report: string,
  sent: ReportParameters,
  context: ReaderContext,
): Omit<OpenedReport, 'records' | 'openFor' | 'limitTo'> {
  const parse: OpenedReport['parse'] = (more, name = report, format = undefined) =>
    parseAsked(catalogues, name, { ...sent, ...more }, context, format);
  return {
    context,
    parse,
    run: (query) => runTold(context, query),
    async writeWorkbook() {
      return (await writeAsked(catalogues, context, parse({}, report, 'xlsx'), { format: 'xlsx' })).bytes;
    },
  };
}
