import { ignoreSignals } from '../signals.ts';
import { type JobReply, toSent } from './job-messages.ts';
import { endWithParent } from './parent-watch.ts';

/**
 * Runs the jobs that the parent of this process sends, one at a time, and answers each. The process ends with its parent.
 * @param receive Takes other messages.
 */
export function serveJobs<Job>(
  run: (job: Job, onProgress: (progress: unknown) => void) => Promise<unknown>,
  receive: (message: unknown) => void = () => undefined,
): void {
  const send = (reply: JobReply) => void process.send?.(reply);
  // The parent ends this process. A terminal signals both, and this one must not end first.
  ignoreSignals();
  process.on('disconnect', () => process.exit());
  endWithParent();
  process.on('message', (message: { readonly job?: Job }) => {
    if (message.job === undefined) return receive(message);
    run(message.job, (progress) => send({ progress })).then(
      (result) => send({ result }),
      (error: unknown) => send({ error: toSent(error) }),
    );
  });
}
