/*
 * Processes beside the server that read what others send, so that it can neither stop the server's requests nor take its
 * memory, or that write where a call may never end. Each takes jobs as messages, one at a time, and answers each; its program
 * calls `serveJobs`.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { builtFile } from '../config/package.ts';
import type { AppError } from '../error.ts';
import { fromSent, type JobReply } from './job-messages.ts';

/** The length of error output to keep. Unit: characters. */
const KEPT_CHARACTERS = 4_000;

/** The end of a process that had a job. */
export interface ProcessEnd {
  readonly isOutOfMemory: boolean;
  /** Has the end of its error output. */
  readonly cause: Error;
}

export interface JobProcessOptions {
  /** The name of a file of the built program. */
  readonly program: string;
  /** The memory of its JavaScript. Unit: MiB. */
  readonly memoryMib: number;
  /** Returns the error of a job whose process ends before it. */
  readonly endError: (end: ProcessEnd) => AppError;
  /** Takes a message that is neither progress nor the end of a job. */
  readonly onMessage?: (message: unknown) => void;
}

export interface JobProcess {
  isAlive(): boolean;
  /** Sends a message; one to a process that has ended is lost. */
  send(message: object): void;
  /** Runs a job. @throws AppError the error of the job, or that of the process's end. */
  run(job: unknown, onProgress?: (progress: unknown) => void): Promise<unknown>;
  /** Kills the process, and waits for its end. */
  kill(): Promise<void>;
  /** Kills the process, and waits for nothing: one that hangs in the system ends no earlier than what it hangs in. */
  abandon(): void;
}

export function startJobProcess({ program, memoryMib, endError, onMessage }: JobProcessOptions): JobProcess {
  const child = fork(builtFile(program), [], {
    execArgv: [`--max-old-space-size=${memoryMib}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let isAlive = true;
  let settle: ((work: () => unknown) => void) | undefined;
  let listen: ((progress: unknown) => void) | undefined;
  const send = (message: object) => void child.send(message, () => undefined);
  const fail = (error: Error) =>
    settle?.(() => {
      throw error;
    });
  const ended = watchEnd(child).then((words) => {
    isAlive = false;
    fail(endError({ isOutOfMemory: /out of memory|allocation failed/i.test(words), cause: new Error(words) }));
  });
  child.on('message', (message) => {
    const reply = message as JobReply;
    if ('progress' in reply) listen?.(reply.progress);
    else if ('result' in reply) settle?.(() => reply.result);
    else if ('error' in reply) fail(fromSent(reply.error));
    else onMessage?.(message);
  });
  return {
    isAlive: () => isAlive,
    send,
    run(job, onProgress) {
      if (!isAlive) return Promise.reject(endError({ isOutOfMemory: false, cause: new Error('It had ended') }));
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
    abandon() {
      isAlive = false;
      child.kill('SIGKILL');
      // A process that hangs in the kernel mustn't keep this one from ending.
      child.stderr?.destroy();
      if (child.connected) child.disconnect();
      child.unref();
    },
  };
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
