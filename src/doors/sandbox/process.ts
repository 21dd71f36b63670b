import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { builtFile } from '../../base/config/index.ts';
import { AppError } from '../../base/index.ts';
import type { RelationDescription } from '../registry/listed-relation.ts';
import type { NamedStates } from './attached-states.ts';
import { decodeReply, type ProcessReply, type ProcessRequest, type SentError } from './protocol.ts';
import {
  ADDRESS_SPACE_MIB,
  CPU_SECONDS,
  OPEN_FILES,
  PROCESS_MEMORY_MIB,
  RESERVED_CODE_MIB,
  START_TIMEOUT_MS,
} from './sandbox-limits.ts';
import { memoryError } from './statement-errors.ts';

/** A process with the database open, ready for a statement. */
export interface SqlProcess {
  readonly pid: number;
  readonly dataVersion: string;
  /** Tests whether the process can run a statement. */
  isAlive(): boolean;
  /** Tests whether the process is close to its limit of processor time. */
  isWorn(): boolean;
  /**
   * Runs one statement after the other; the replies finish with `end`.
   * There are no replies if the process died before it began, so the statement may run in another.
   * @throws AppError the error of the statement, or limit when the process dies during it.
   */
  ask(request: ProcessRequest): AsyncGenerator<ProcessReply>;
  /** Kills the process, and waits for its end. */
  kill(): Promise<void>;
}

const PROGRAM = builtFile('child.js');

/** Flags of Node: a small heap, and no address space reserved for WebAssembly. */
const NODE_FLAGS = ['--max-old-space-size=256', '--v8-pool-size=1', '--disable-wasm-trap-handler', '--no-warnings'];

/** The environment, without that of the server and its secrets. One arena, since each takes address space. */
const ENVIRONMENT = { TZ: 'UTC', MALLOC_ARENA_MAX: '1', UV_THREADPOOL_SIZE: '2' };

/** The first version of V8, that of Node 24, whose reserve for machine code counts as allocated memory. */
const RESERVING_V8 = 13;

/** The reserve for machine code in this version of Node. Unit: MiB. */
export const reservedMib = Number.parseInt(process.versions.v8, 10) < RESERVING_V8 ? 0 : RESERVED_CODE_MIB;

const [DATA_KIB, ADDRESS_KIB] = [PROCESS_MEMORY_MIB, ADDRESS_SPACE_MIB].map((mib) => (mib + reservedMib) * 1024);

/** Sets the limits, makes this process the first that the system kills for memory, and runs Node. */
const LIMITING = [
  '{ echo 1000 > /proc/self/oom_score_adj; } 2>/dev/null',
  [
    `ulimit -c 0 && ulimit -n ${OPEN_FILES} && ulimit -t ${CPU_SECONDS}`,
    `ulimit -d ${DATA_KIB} && ulimit -v ${ADDRESS_KIB} && ulimit -f 0 && exec "$@"`,
  ].join(' && '),
].join('; ');

/** The length of error output to keep. Unit: characters. */
const KEPT_CHARACTERS = 2000;

/** The data that SQL in a process may read. */
export interface ProcessOptions {
  /** The schemas that SQL may read. Default: all in the file. */
  readonly schemas?: readonly string[];
  /** The files of kept states beside it, whose marts SQL may read, by name. Default: none. */
  readonly states?: NamedStates;
  /** The relations whose rows each request brings. Default: none. */
  readonly relations?: readonly RelationDescription[];
}

/**
 * Starts a process and waits until it has opened the file.
 * @throws AppError storage when the file is missing or the process can't be started, usage for a wrong name of a state.
 */
export async function startProcess(
  file: string,
  { schemas = [], states = {}, relations = [] }: ProcessOptions,
): Promise<SqlProcess> {
  const files = Object.entries(states).map(([name, path]) => [name, resolve(path)]);
  const described = relations.map(({ name, meaning, columns }) => ({ name, meaning, columns }));
  const child = spawnProgram([
    resolve(file),
    schemas.join(','),
    JSON.stringify(Object.fromEntries(files)),
    JSON.stringify(described),
  ]);
  const ended = watchExit(child);
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new AppError('internal', 'The SQL process has no pipes');
  // The process may have ended already; its exit explains the failed write.
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
    if (line.done) throw exitError(await ended);
    const reply = decodeReply(line.value);
    if ('error' in reply) throw toAppError(reply.error);
    return reply;
  };
  const timer = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  try {
    const first = await next().catch((error: unknown) => {
      throw error instanceof AppError && ['storage', 'usage'].includes(error.code) ? error : startError(file, error);
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
        if ((await replies.next()).done) return;
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
  // Other systems lack some of these limits; deadlines and the engine's memory limit still hold.
  const [command = '', ...rest] = process.platform === 'linux' ? ['/bin/sh', '-c', LIMITING, 'sh', ...node] : node;
  return spawn(command, rest, { stdio: ['pipe', 'pipe', 'pipe'], env: ENVIRONMENT, cwd: '/' });
}

interface ProcessExit {
  readonly cause: string;
  readonly words: string;
}

async function watchExit(child: ChildProcess): Promise<ProcessExit> {
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

/** Returns the error of a process that was killed by a limit or ran out of memory. */
function exitError({ cause, words }: ProcessExit): AppError {
  if (cause === 'SIGXCPU') {
    return new AppError('limit', `The statement took more than ${CPU_SECONDS} seconds of processor time`);
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
    hint: `It needs /bin/sh and ${ADDRESS_SPACE_MIB + reservedMib} MiB of address space. Try again.`,
    cause: error,
  });
}

function toAppError({ code, message, hint, fields }: SentError): AppError {
  return new AppError(code, message, { fields, ...(hint === undefined ? {} : { hint }) });
}
