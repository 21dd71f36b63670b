/** A log that gathers its lines, so that a busy server doesn't wait for each to be written. */
export interface Log {
  write(text: string): void;
  /** Writes what is gathered. */
  close(): void;
}

/** How long a line may wait. Unit: ms. */
const GATHER_MS = 100;

/** Opens a log. What is gathered when the process ends is written still. */
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
