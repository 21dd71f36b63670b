/**
 * The program of the process that reads the files of a load, started by file-reader-process.ts.
 */
import { setPriority } from 'node:os';
import { serveJobs } from '../../base/jobs/index.ts';
import { makeFileReader } from './file-reader.ts';
import type { FilesJob, FilesStep } from './file-reader-process.ts';

/** Lets the server's own process go first. */
const NICENESS = 10;

setPriority(NICENESS);
const reader = makeFileReader();
serveJobs<FilesJob>((job, onProgress) =>
  job.kind === 'understand'
    ? reader.understand(job.job)
    : reader.ingest(job.job, (...step) => onProgress(step satisfies FilesStep)),
);
