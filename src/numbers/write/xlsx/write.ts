import { Worker } from 'node:worker_threads';
import { builtFile } from '../../../base/config/index.ts';
import { AppError, gather } from '../../../base/index.ts';
import type { Workbook } from '../../report/workbook/workbook.ts';
import { type Channel, openChannel, type Port } from './channel.ts';
import type { WorkbookMessage, WorkbookReply } from './sheets/worker-messages.ts';

/** The rows of an Excel sheet without its header. Unit: rows. */
export const MAX_SHEET_ROWS = 1_048_575;

/** The least rows of a message to the worker, apart from the last of a table. Unit: rows. */
const MESSAGE_ROWS = 256;

/** The most messages in transit to the worker. */
const WINDOW = 16;

/** Heap for a chunk's short-lived texts; with less, most time goes into collecting them. Unit: MiB. */
const YOUNG_MIB = 64;

const WORKER = builtFile('worker.js');

/**
 * Writes a workbook as an Excel file in a thread of its own, reading its tables on the way.
 * The database must stay open until it ends; it ends early when the caller stops reading.
 * @param rowLimit The most rows on a sheet before its table continues on another. Unit: rows.
 * @throws AppError check when the workbook doesn't tie out, and any error of reading the tables.
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
    channel.fail(new AppError('internal', 'The writing of the workbook has stopped'));
    await worker.terminate();
    // Closes the tables' results before the caller closes their database.
    await sending;
  }
}

async function sendParts(
  channel: Channel<WorkbookMessage, WorkbookReply>,
  { cover, sheets }: Workbook,
  rowLimit: number,
): Promise<void> {
  await channel.send({ cover, rowLimit });
  // Writes the sheets last to first, because a sheet links to rows of those behind it.
  for (const { key, name, layout, open } of [...sheets].reverse()) {
    const { table, derivations } = await open();
    const { columns, totals, subtotals, meta } = table;
    const sums = { totals, ...(layout.hasGroups && subtotals && { subtotals }) };
    await channel.send({
      table: { sheet: name, key, columns, derivations, ...sums, notes: meta.notes, layout },
    });
    for await (const rows of gather(table.rows, MESSAGE_ROWS)) await channel.send({ rows });
  }
  await channel.send({ end: true });
}
