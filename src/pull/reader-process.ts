import { AppError } from '../base/index.ts';
import { type JobProcess, type ProcessEnd, startJobProcess, toSent } from '../base/jobs/index.ts';
import type { OnProgress } from './read-list.ts';
import type { ReaderJob, ReaderRequest, ReaderSource } from './reader-messages.ts';
import { parseAddress } from './requests/address.ts';
import type { SourceReader } from './source-reader.ts';

/** The memory for the answers of a source, in addition to the server's own. Unit: MiB. */
export const READER_MEMORY_MIB = 2_048;

/** The time without work after which the process ends; its limits on requests cover a minute. Unit: ms. */
export const READER_IDLE_MS = 70_000;

export interface ReaderOptions extends ReaderSource {
  /** Returns the current token, in printable ASCII; called before each request. */
  readonly token: () => string;
  /** The memory of the process for the answers of a source. Default: READER_MEMORY_MIB. Unit: MiB. */
  readonly memoryMib?: number;
}

/**
 * Opens a reader in a separate process, so that a source can neither stop the requests of a server nor take
 * its memory. A signal kills the process; what it has read stays on disk.
 * @throws AppError usage for an address that can't be used.
 */
export function openReaderProcess(options: ReaderOptions): SourceReader {
  const base = parseAddress(options.url);
  let child: JobProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  const end = async () => {
    clearTimeout(idle);
    await child?.kill();
  };
  const started = (): JobProcess => {
    if (!child?.isAlive()) child = startReader(options, base.host);
    return child;
  };
  const run = async <T>(job: ReaderJob, signal: AbortSignal, onProgress?: OnProgress): Promise<T> => {
    signal.throwIfAborted();
    clearTimeout(idle);
    const { kill, run: runJob } = started();
    signal.addEventListener('abort', kill, { once: true });
    try {
      return (await runJob(job, (progress) => onProgress?.(progress as Parameters<OnProgress>[0]))) as T;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', kill);
      idle = setTimeout(end, READER_IDLE_MS).unref();
    }
  };
  return {
    url: base.href,
    start: () => void started(),
    check: (signal) => run({ kind: 'check' }, signal),
    pull: (job, signal, onProgress) => run({ kind: 'pull', job }, signal, onProgress),
    confirmGone: (resource, ids, signal) => run({ kind: 'confirmGone', resource, ids }, signal),
    readScheduled: (report, month, signal) => run({ kind: 'readScheduled', report, month }, signal),
    close: end,
  };
}

function startReader({ token, memoryMib = READER_MEMORY_MIB, ...source }: ReaderOptions, host: string): JobProcess {
  const reading = startJobProcess({
    program: 'reader-child.js',
    memoryMib,
    endError: (end) => endError(host, memoryMib, end),
    // It has one question.
    onMessage: () => reading.send(answerToken(token)),
  });
  reading.send({ source } satisfies ReaderRequest);
  return reading;
}

function answerToken(token: () => string): ReaderRequest {
  try {
    return { token: token() };
  } catch (error) {
    return { noToken: toSent(error) };
  }
}

function endError(host: string, memoryMib: number, { isOutOfMemory, cause }: ProcessEnd): AppError {
  if (!isOutOfMemory) {
    return new AppError('source', `The process that reads ${host} ended before it was done`, {
      hint: 'Run it again. What was read is kept.',
      cause,
    });
  }
  return new AppError('source', `Reading ${host} takes more than ${memoryMib} MiB of memory`, {
    hint: 'Nothing was changed here. The service sends more in one answer, or longer lists, than the scheduling API has.',
    cause,
  });
}
