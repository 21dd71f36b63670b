import { Worker } from 'node:worker_threads';
import { AppError } from '../../error.ts';
import type { Workbook } from '../../report/workbook.ts';
import { type Channel, openChannel, type Port } from './channel.ts';
import type { WorkbookMessage, WorkbookReply } from './worker-messages.ts';

/** The most rows below a header that a sheet of Excel has. Unit: rows. */
export const MAX_SHEET_ROWS = 1_048_575;

/** Chunks of rows on their way to the thread that writes. Unit: messages. */
const WINDOW = 4;

/** Room for the short-lived texts of a chunk of rows: with less, most of the thread's time goes into collecting them. Unit: MiB. */
const YOUNG_MIB = 64;

/** The program is compiled before it runs; a test that runs from src/ uses the compiled file, too. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/src/write/xlsx/worker.js' : './worker.js',
  import.meta.url,
);

/**
 * Writes a workbook as an Excel file, in a thread of its own, as its tables are read. Nobody may close the database before this has ended;
 * it ends early when nobody takes its bytes any more.
 * @param rowLimit The most rows on a sheet before its table goes on upon the next. Unit: rows.
 * @throws AppError check when what was written doesn't tie out, and whatever reading the tables throws.
 */
export async function* writeXlsx(workbook: Workbook, rowLimit: number = MAX_SHEET_ROWS): AsyncIterable<Uint8Array> {
  const worker = new Worker(WORKER, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB } });
  const channel = openChannel<WorkbookMessage, WorkbookReply>(worker as Port, WINDOW);
  worker.once('error', channel.fail);
  worker.once('exit', () => channel.fail(new AppError('internal', 'The thread that writes a workbook ended early')));
  const sending = sendParts(channel, workbook, rowLimit).catch(channel.fail);
  try {
    for await (const reply of channel.received) {
      if ('bytes' in reply) yield reply.bytes;
      else if ('done' in reply) break;
      else {
        const { code, message, hint } = reply.error;
        throw new AppError(code, message, hint === undefined ? {} : { hint });
      }
    }
  } finally {
    channel.fail(new AppError('internal', 'The workbook is not written any further'));
    await worker.terminate();
    // The tables' results are closed before whoever waits for this closes their database.
    await sending;
  }
}

async function sendParts(
  channel: Channel<WorkbookMessage, WorkbookReply>,
  { cover, sheets }: Workbook,
  rowLimit: number,
): Promise<void> {
  await channel.send({ cover, rowLimit });
  for (const { name, role, open } of sheets) {
    const { table, derivations } = await open();
    const { columns, totals, meta } = table;
    await channel.send({ table: { sheet: name, role, columns, derivations, totals, notes: meta.notes } });
    for await (const rows of table.rows) await channel.send({ rows });
  }
  await channel.send({ end: true });
}
