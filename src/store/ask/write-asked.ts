import type { Catalogues, Meta } from '../../numbers/report/catalogue/index.ts';
import { runTold } from '../../numbers/report/insights/insights.ts';
import type { Query } from '../../numbers/report/request/number.ts';
import { nameUnknownRows, type ReaderContext } from '../../numbers/report/run/run.ts';
import { readWorkbook, type WrittenComments } from '../../numbers/report/workbook/workbook.ts';
import { FORMATS, type FormatName, type WriteOptions, writeXlsx } from '../../numbers/write/index.ts';

export interface AnswerForm extends WriteOptions {
  readonly format: FormatName;
  readonly comments?: WrittenComments | undefined;
}

/** An answer whose numbers are computed, and whose bytes are made as they are read. */
export interface WrittenAnswer {
  readonly meta: Meta;
  readonly bytes: AsyncIterable<string | Uint8Array>;
  /** True if its rows are read in parts of a bounded size; others take memory until all are written. */
  readonly isInParts: boolean;
}

/** Runs a query, and begins to write its answer, so that errors show before the first byte. @throws AppError as runTold and readWorkbook. */
export async function writeAsked(
  { full }: Pick<Catalogues, 'full'>,
  context: ReaderContext,
  query: Query,
  { format, comments, ...options }: AnswerForm,
): Promise<WrittenAnswer> {
  const { write } = FORMATS[format];
  if (!write) {
    const workbook = await readWorkbook(context, query, full, comments);
    return { meta: workbook.cover.meta, bytes: writeXlsx(workbook), isInParts: false };
  }
  const table = await runTold(context, query);
  const shown = FORMATS[format].isForDisplay ? nameUnknownRows(query, table) : table;
  return { meta: table.meta, bytes: write(shown, options), isInParts: table.statements?.maxRows !== undefined };
}
