import type { SentFailure } from '../base/jobs/index.ts';
import type { Month, SourceReport } from './scheduled-rows.ts';
import type { PullJob } from './source-reader.ts';

export type ReaderJob =
  | { readonly kind: 'check' }
  | { readonly kind: 'pull'; readonly job: PullJob }
  | { readonly kind: 'confirmGone'; readonly resource: string; readonly ids: readonly string[] }
  | { readonly kind: 'readScheduled'; readonly report: SourceReport; readonly month: Month };

/** The source of a process, sent first. The process fetches the token before each request. */
export interface ReaderSource {
  readonly url: string;
  readonly requestsPerMinute: number;
}

/** A message to the process beside its jobs: its source, and answers to its questions for the token. */
export type ReaderRequest =
  | { readonly source: ReaderSource }
  | { readonly token: string }
  | { readonly noToken: SentFailure };

/** A question of the process for the token. */
export interface TokenQuestion {
  readonly asksToken: true;
}
