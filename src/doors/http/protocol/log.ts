import type { FastifyRequest } from 'fastify';

/** A log that buffers lines, so that a busy server doesn't wait for each write. */
export interface Log {
  write(text: string): void;
  close(): void;
}

/** The longest time that a line is buffered. Unit: ms. */
const GATHER_MS = 100;

/** Opens a log; lines still buffered at the end of the process are written then. */
export function openLog(write: (text: string) => void): Log {
  let gathered = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered !== '') write(gathered);
    gathered = '';
  };
  process.on('exit', flush);
  return {
    write(text) {
      gathered += text;
      timer ??= setTimeout(flush, GATHER_MS);
    },
    close() {
      process.off('exit', flush);
      flush();
    },
  };
}

/** Logs an internal error of a request with its stack, unless its client has left: the answer breaks off then, which is no fault. */
export function logFailure(request: FastifyRequest, err: unknown, message = 'failed'): void {
  if (!request.socket.destroyed) request.log.error({ request: request.id, err }, message);
}
