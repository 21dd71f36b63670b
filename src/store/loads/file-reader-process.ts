import { AppError } from '../../base/index.ts';
import { type JobProcess, type ProcessEnd, startJobProcess } from '../../base/jobs/index.ts';
import type { FileReader, IngestJob, OnStep, UnderstandJob, UnderstoodLoad } from './file-reader.ts';
import type { IngestedLoads } from './ingest-loads.ts';

/** The memory of the process for the values of files, beside that of its engine. Unit: MiB. */
export const FILES_MEMORY_MIB = 448;

/** The most memory of the engine in the process, which uses the disk beyond it. Unit: MiB. */
export const FILES_ENGINE_MEMORY_MIB = 256;

/** The longest time for reading the files of a load. Unit: ms. */
export const FILES_TIMEOUT_MS = 600_000;

/** A job of the process. */
export type FilesJob =
  | { readonly kind: 'understand'; readonly job: UnderstandJob }
  | { readonly kind: 'ingest'; readonly job: IngestJob };

/** A step of a job, and the part of it that is done. */
export type FilesStep = Parameters<OnStep>;

export interface FileProcessOptions {
  /** Default: FILES_MEMORY_MIB. Unit: MiB. */
  readonly memoryMib?: number;
  /** Default: FILES_TIMEOUT_MS. Unit: ms. */
  readonly timeoutMs?: number;
}

/** Opens a reader in a process of its own, which no file outlives. */
export function openFileProcess({
  memoryMib = FILES_MEMORY_MIB,
  timeoutMs = FILES_TIMEOUT_MS,
}: FileProcessOptions = {}): FileReader {
  let isLate = false;
  const endError = (end: ProcessEnd) => (isLate ? lateError(timeoutMs) : deathError(memoryMib, end));
  const reading: JobProcess = startJobProcess({ program: 'file-reader-child.js', memoryMib, endError });
  const timer = setTimeout(() => {
    isLate = true;
    void reading.kill();
  }, timeoutMs);
  const run = (job: FilesJob, onStep?: OnStep) => reading.run(job, (progress) => onStep?.(...(progress as FilesStep)));
  return {
    understand: (job) => run({ kind: 'understand', job }) as Promise<UnderstoodLoad>,
    ingest: (job, onStep) =>
      run(
        { kind: 'ingest', job: { ...job, memoryLimitMib: Math.min(job.memoryLimitMib, FILES_ENGINE_MEMORY_MIB) } },
        onStep,
      ) as Promise<IngestedLoads>,
    async close() {
      clearTimeout(timer);
      await reading.kill();
    },
  };
}

const WAY_OUT =
  'Nothing was loaded. Export a shorter time into each file and load one after the other, or put the files into a folder on the server, and load them there with the command: plumbline load FOLDER';

function lateError(timeoutMs: number): AppError {
  return new AppError('limit', `Reading the files takes more than ${timeoutMs / 1000} seconds`, { hint: WAY_OUT });
}

function deathError(memoryMib: number, { isOutOfMemory, cause }: ProcessEnd): AppError {
  if (!isOutOfMemory) {
    const hint = 'Nothing was loaded. Try again. If it happens again, the log of the system tells more.';
    return new AppError('storage', 'The process that reads the files ended before it was done', { hint, cause });
  }
  return new AppError('limit', `Reading the files takes more than ${memoryMib} MiB of memory`, {
    hint: WAY_OUT,
    cause,
  });
}
