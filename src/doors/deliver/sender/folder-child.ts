/**
 * The program of the process that writes into a folder, started by folder-sender.ts.
 */
import { serveJobs } from '../../../base/jobs/index.ts';
import { type FolderJob, writeIntoFolder } from './folder-writer.ts';

serveJobs<FolderJob>((job, onProgress) => writeIntoFolder(job, () => onProgress('found')));
