import { parentPort } from 'node:worker_threads';
import { AppError, messageOf } from '../../../base/index.ts';
import { openChannel, type Port } from './channel.ts';
import type { WorkbookMessage, WorkbookReply } from './sheets/worker-messages.ts';
import { writeParts } from './workbook-file.ts';

/* The thread that writes a workbook, so that formatting and compression don't block requests. */

/** Chunks of bytes in flight. Unit: messages. */
const WINDOW = 32;

const channel = openChannel<WorkbookReply, WorkbookMessage>(parentPort as Port, WINDOW);
try {
  for await (const chunk of writeParts(channel.received)) {
    // Copies the chunk, which may be a view of a larger buffer.
    const bytes = Uint8Array.from(chunk);
    await channel.send({ bytes }, [bytes.buffer]);
  }
  await channel.send({ done: true });
} catch (error) {
  const { code, hint } = error instanceof AppError ? error : { code: 'internal' as const, hint: undefined };
  await channel.send({ error: { code, message: messageOf(error), hint } });
}
