import { type ChildProcess, fork } from 'node:child_process';
import { builtFile } from '../config/package.ts';
import { AppError } from '../error.ts';
import { parseAddress } from './address.ts';
import type { OnProgress } from './read-list.ts';
import {
  fromSent,
  type ReaderJob,
  type ReaderReply,
  type ReaderRequest,
  type ReaderSource,
  toSent,
} from './reader-messages.ts';
import type { SourceReader } from './source-reader.ts';

/** The memory for the answers of a source, in addition to the server's own. Unit: MiB. */
export const READER_MEMORY_MIB = 2_048;

/** The time without work after which the process ends; its limits on requests cover a minute. Unit: ms. */
export const READER_IDLE_MS = 70_000;

const PROGRAM = builtFile('reader-child.js');

/** The length of error output to keep. Unit: characters. */
const KEPT_CHARACTERS = 4_000;

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
  let child: Child | undefined;
  let idle: NodeJS.Timeout | undefined;
  const end = async () => {
    clearTimeout(idle);
    await child?.kill();
  };
  const started = (): Child => {
    if (!child?.isAlive()) child = startChild(options, base.host);
    return child;
  };
  const run = async <T>(job: ReaderJob, signal: AbortSignal, onProgress?: OnProgress): Promise<T> => {
    signal.throwIfAborted();
    clearTimeout(idle);
    const { kill, run: runJob } = started();
    signal.addEventListener('abort', kill, { once: true });
    try {
      return (await runJob(job, onProgress)) as T;
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

interface Child {
  isAlive(): boolean;
  /** @throws AppError the error of the job, or source if the process ends first. */
  run(job: ReaderJob, onProgress: OnProgress | undefined): Promise<unknown>;
  /** Kills the process, and waits for its end. */
  kill(): Promise<void>;
}

function startChild({ token, memoryMib = READER_MEMORY_MIB, ...source }: ReaderOptions, host: string): Child {
  const child = fork(PROGRAM, [], {
    execArgv: [`--max-old-space-size=${memoryMib}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let isAlive = true;
  let settle: ((work: () => unknown) => void) | undefined;
  let listen: OnProgress | undefined;
  // A message to a process that has ended is lost; watchEnd reports the end.
  const send = (request: ReaderRequest) => void child.send(request, () => undefined);
  const ended = watchEnd(child).then((words) => {
    isAlive = false;
    settle?.(() => {
      throw endError(host, memoryMib, words);
    });
  });
  child.on('message', (message) => {
    const reply = message as ReaderReply;
    if ('progress' in reply) listen?.(reply.progress);
    else if ('asksToken' in reply) sendToken(send, token);
    else if ('result' in reply) settle?.(() => reply.result);
    else {
      settle?.(() => {
        throw fromSent(reply.error);
      });
    }
  });
  send({ source });
  return {
    isAlive: () => isAlive,
    run(job, onProgress) {
      listen = onProgress;
      return new Promise((resolve, reject) => {
        settle = (work) => {
          settle = undefined;
          try {
            resolve(work());
          } catch (error) {
            reject(error);
          }
        };
        send({ job });
      });
    },
    async kill() {
      isAlive = false;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function sendToken(send: (request: ReaderRequest) => void, token: () => string): void {
  try {
    send({ token: token() });
  } catch (error) {
    send({ noToken: toSent(error) });
  }
}

/** Waits for the end of a process. @returns the end of its error output. */
function watchEnd(child: ChildProcess): Promise<string> {
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-KEPT_CHARACTERS);
  });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(String(error)));
    child.on('close', () => resolve(words));
  });
}

function endError(host: string, memoryMib: number, words: string): AppError {
  const cause = new Error(words);
  if (!/out of memory|allocation failed/i.test(words)) {
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
