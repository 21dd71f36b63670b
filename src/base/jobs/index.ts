export { fromSent, type SentFailure, toSent } from './job-messages.ts';
export { type JobProcess, type ProcessEnd, startJobProcess } from './job-process.ts';
export { serveJobs } from './serve-jobs.ts';
