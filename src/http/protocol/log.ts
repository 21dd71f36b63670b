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
