import { inTurns } from '../../../base/index.ts';
import type { Table } from '../../../numbers/report/catalogue/index.ts';
import { objectFormatter } from '../../../numbers/write/index.ts';
import type { ReportContent } from '../content/message-content.ts';
import type { MessageSubject } from './delivery-message.ts';
import type { MessageWords } from './mail-text.ts';

/** Makes the body for a webhook: the delivery, its occurrence and period, what is said, and the rows as JSON has them. */
export async function writeWebhook(
  content: Pick<ReportContent, 'days' | 'sentences' | 'figures' | 'page' | 'rowCount' | 'meta'>,
  subject: MessageSubject,
  { remarks }: MessageWords,
  table: Table | undefined,
  maxBytes: number,
): Promise<string> {
  const rows = table && (await collectRows(table, maxBytes));
  const omitted = 'The rows are larger than max_attachment; the page has them.';
  const head = JSON.stringify({
    delivery: subject.delivery,
    occurrence: subject.occurrence,
    moment: subject.moment,
    is_late: subject.isLate,
    ...(subject.state !== undefined && { state: subject.state }),
    period: { start_date: content.days.startDate, end_date: content.days.endDate },
    data_version: content.meta.data_version,
    remarks: table && rows === undefined ? [...remarks, omitted] : remarks,
    sentences: content.sentences,
    figures: content.figures,
    page: content.page ?? null,
    row_count: content.rowCount ?? null,
  });
  return `${head.slice(0, -1)},"rows":${rows ?? 'null'}}`;
}

/** Returns the rows as a JSON array; undefined if it would be larger. */
async function collectRows({ columns, rows, meta }: Table, maxBytes: number): Promise<string | undefined> {
  const format = objectFormatter(columns, meta);
  const lines: string[] = [];
  let bytes = 0;
  for await (const chunk of inTurns(rows)) {
    for (const row of chunk) {
      const line = format(row);
      bytes += Buffer.byteLength(line);
      if (bytes > maxBytes) return undefined;
      lines.push(line);
    }
  }
  return `[${lines.join(',')}]`;
}
