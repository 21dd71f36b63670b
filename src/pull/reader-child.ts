/**
 * The program of the process that reads a source, started by reader-process.ts. It takes jobs as messages from its
 * parent, one at a time, and answers each.
 */

import { ignoreSignals } from '../signals.ts';
import {
  fromSent,
  type ReaderError,
  type ReaderJob,
  type ReaderReply,
  type ReaderRequest,
  toSent,
} from './reader-messages.ts';
import { openSource, type Source } from './source.ts';
import { makeReader, type SourceReader } from './source-reader.ts';

const never = new AbortController().signal;

const parent = process.ppid;

const send = (reply: ReaderReply) => void process.send?.(reply);

/** Requests that wait for the token. */
const waiting: { readonly resolve: (token: string) => void; readonly reject: (error: Error) => void }[] = [];

function askToken(): Promise<string> {
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject });
    send({ asksToken: true });
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

function run(reader: SourceReader, job: ReaderJob): Promise<unknown> {
  if (job.kind === 'check') return reader.check(never);
  if (job.kind === 'pull') return reader.pull(job.job, never, (progress) => send({ progress }));
  if (job.kind === 'confirmGone') return reader.confirmGone(job.resource, job.ids, never);
  return reader.readScheduled(job.report, job.month, never);
}

let reader: SourceReader | undefined;

function receive(request: ReaderRequest): void {
  if ('source' in request) {
    reader = makeReader(whileParentLives(openSource({ ...request.source, token: askToken })), () => new Date());
  } else if ('token' in request) waiting.shift()?.resolve(request.token);
  else if ('noToken' in request) waiting.shift()?.reject(fromSent(request.noToken));
  else if (reader) {
    run(reader, request.job).then(
      (result) => send({ result }),
      (error: unknown) => send({ error: toSent(error) satisfies ReaderError }),
    );
  }
}

// The parent ends this process. A terminal signals both, and this one must not end first.
ignoreSignals();
process.on('disconnect', () => process.exit());
process.on('message', (message) => receive(message as ReaderRequest));
