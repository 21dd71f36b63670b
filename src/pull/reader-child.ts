/**
 * The program of the process that reads a source, started by reader-process.ts. It takes jobs as messages from its
 * parent, one at a time, and answers each.
 */

import { fromSent, serveJobs } from '../base/jobs/index.ts';
import type { OnProgress } from './read-list.ts';
import type { ReaderJob, ReaderRequest, TokenQuestion } from './reader-messages.ts';
import { openSource, type Source } from './requests/source.ts';
import { makeReader, type SourceReader } from './source-reader.ts';

const never = new AbortController().signal;

const parent = process.ppid;

/** Requests that wait for the token. */
const waiting: { readonly resolve: (token: string) => void; readonly reject: (error: Error) => void }[] = [];

function askToken(): Promise<string> {
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject });
    process.send?.({ asksToken: true } satisfies TokenQuestion);
  });
}

/** Ends the process before an answer is used if the parent is gone: another run may use its folder. */
function whileParentLives(source: Source): Source {
  return {
    ...source,
    async ask(...request) {
      const answer = await source.ask(...request);
      if (process.ppid !== parent) process.exit();
      return answer;
    },
    async get(...request) {
      const answer = await source.get(...request);
      if (process.ppid !== parent) process.exit();
      return answer;
    },
  };
}

let reader: SourceReader | undefined;

async function run(job: ReaderJob, onProgress: OnProgress): Promise<unknown> {
  if (!reader) throw new Error('No source came before the job');
  if (job.kind === 'check') return reader.check(never);
  if (job.kind === 'pull') return reader.pull(job.job, never, onProgress);
  if (job.kind === 'confirmGone') return reader.confirmGone(job.resource, job.ids, never);
  return reader.readScheduled(job.report, job.month, never);
}

function receive(request: ReaderRequest): void {
  if ('source' in request) {
    reader = makeReader(whileParentLives(openSource({ ...request.source, token: askToken })), () => new Date());
  } else if ('token' in request) waiting.shift()?.resolve(request.token);
  else waiting.shift()?.reject(fromSent(request.noToken));
}

serveJobs(run, (message) => receive(message as ReaderRequest));
