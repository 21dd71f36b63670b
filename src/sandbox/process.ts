import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { packageDirectory } from '../config/config.ts';
import { AppError } from '../error.ts';
import { memoryError } from './engine-errors.ts';
import { decodeReply, type ProcessReply, type ProcessRequest, type SentError } from './protocol.ts';
import { ADDRESS_SPACE_MIB, CPU_SECONDS, OPEN_FILES, PROCESS_MEMORY_MIB, START_TIMEOUT_MS } from './sandbox-limits.ts';

/** A process that has the database open and waits for a statement. */
export interface SqlProcess {
  readonly pid: number;
  /** The generation that it has open. */
  readonly dataVersion: string;
  /** Whether it can still be asked. */
  isAlive(): boolean;
  /** Whether it has computed so much that another statement might reach its limit. */
  isWorn(): boolean;
  /**
   * Asks for one statement; not before the one before has been answered. The replies end with `end`.
   * @throws AppError as the statement does, limit when the process ends on the way.
   */
  ask(request: ProcessRequest): AsyncGenerator<ProcessReply>;
  /** Ends it, whatever it does. @returns When it has ended. */
  kill(): Promise<void>;
}

const PROGRAM = join(packageDirectory, 'dist', 'src', 'sandbox', 'child.js');

/** How Node is started: little memory of its own, and no reservations of address space for WebAssembly. */
const NODE_FLAGS = ['--max-old-space-size=256', '--v8-pool-size=1', '--disable-wasm-trap-handler', '--no-warnings'];

/** Nothing of the server's own environment, where secrets are. One arena: each takes address space. */
const ENVIRONMENT = { TZ: 'UTC', MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' };

/** Sets the limits, which stay, and becomes the program. A system short of memory ends this process before any other. */
const LIMITING = [
  '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null',
  [
    `ulimit -c 0 && ulimit -n ${OPEN_FILES} && ulimit -t ${CPU_SECONDS}`,
    `ulimit -d ${PROCESS_MEMORY_MIB * 1024} && ulimit -v ${ADDRESS_SPACE_MIB * 1024} && ulimit -f 0 && exec "$@"`,
  ].join(' && '),
].join('; ');

/** How much of what a process says of its end is kept. Unit: characters. */
const KEPT_CHARACTERS = 2000;

/**
 * Starts a process and waits until it has opened the file.
 * @param schemas Those that SQL may read. Default: all of the file.
 * @throws AppError storage when there is no such file or the process can't be started.
 */
export async function startProcess(file: string, schemas?: readonly string[]): Promise<SqlProcess> {
  const child = spawnProgram([resolve(file), (schemas ?? []).join(',')]);
  const ended = watchEnd(child);
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new AppError('internal', 'The SQL process has no pipes');
  // It may have ended already; what is then written goes nowhere, and its end tells why.
  stdin.on('error', () => undefined);
  const replies = createInterface({ input: stdout })[Symbol.asyncIterator]();
  let [isAlive, cpuSeconds] = [true, 0];
  ended.then(() => {
    isAlive = false;
  });
  const kill = async () => {
    isAlive = false;
    child.kill('SIGKILL');
    await ended;
  };
  const next = async (): Promise<ProcessReply> => {
    const line = await replies.next();
    if (line.done) throw endError(await ended);
    const reply = decodeReply(line.value);
    if ('fault' in reply) throw faultError(reply.fault);
    return reply;
  };
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  try {
    const first = await next().catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'storage' ? error : startError(file, error);
    });
    if (!('ready' in first)) throw startError(file, undefined);
    return {
      pid: child.pid ?? 0,
      dataVersion: first.ready.dataVersion,
      isAlive: () => isAlive,
      isWorn: () => cpuSeconds > CPU_SECONDS / 2,
      kill,
      async *ask(request) {
        stdin.write(`${JSON.stringify(request)}\n`);
        for (;;) {
          const reply = await next();
          if ('end' in reply) cpuSeconds = reply.end.cpuSeconds;
          yield reply;
          if ('end' in reply) return;
        }
      },
    };
  } catch (error) {
    await kill();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function spawnProgram(args: readonly string[]): ChildProcess {
  const node = [process.execPath, ...NODE_FLAGS, PROGRAM, ...args];
  // Elsewhere there are no such limits, or not all of them; deadlines and the engine's own memory limit hold there, too.
  const [command = '', ...rest] = process.platform === 'linux' ? ['/bin/sh', '-c', LIMITING, 'sh', ...node] : node;
  return spawn(command, rest, { stdio: ['pipe', 'pipe', 'pipe'], env: ENVIRONMENT, cwd: '/' });
}

/** How a process has ended, and what it last said. */
interface ProcessExit {
  readonly cause: string;
  readonly words: string;
}

async function watchEnd(child: ChildProcess): Promise<ProcessExit> {
  let words = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-KEPT_CHARACTERS);
  });
  try {
    const [code, signal] = await once(child, 'close');
    return { cause: String(signal ?? `exit code ${code}`), words };
  } catch (error) {
    return { cause: String(error), words };
  }
}

/** A process that ends in the middle of a statement was killed for what it took, or broke for want of memory. */
function endError({ cause, words }: ProcessExit): AppError {
  if (cause === 'SIGXCPU') {
    return new AppError('limit', `The statement computed for longer than a process may, ${CPU_SECONDS} seconds`);
  }
  const error = memoryError();
  return new AppError(error.code, `The process of the statement ended (${cause}): ${error.message}`, {
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    cause: new Error(words),
  });
}

function startError(file: string, error: unknown): AppError {
  const cause = error instanceof AppError && error.cause instanceof Error ? error.cause.message.trim() : '';
  const [words = ''] = cause.split('\n').filter((line) => line.trim() !== '');
  return new AppError('storage', `Can't start a process for SQL over ${file}${words ? `: ${words}` : ''}`, {
    hint: 'It needs /bin/sh, and to be allowed 2 GiB of address space. Try again.',
    cause: error,
  });
}

function faultError({ code, message, hint, fields }: SentError): AppError {
  return new AppError(code, message, { fields, ...(hint === undefined ? {} : { hint }) });
}
