import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Answer } from '../data/answer.ts';
import { type Failure, isTokenGiven } from '../data/api.ts';
import { type Reading, readAgain, useRound } from '../data/reading.ts';

/**
 * Shows answers once they are there; before, those to the question before, dimmed, or else their shape; after an error, its reason.
 * Newer data takes nothing over: no screen mixes two versions.
 */
export function Ready<T extends Answer>(props: {
  reading: Reading<T>;
  /** The shape of what is being read. */
  shape: ComponentChildren;
  children: (answers: readonly (T | undefined)[]) => ComponentChildren;
}) {
  const { reading, shape, children } = props;
  const round = useRound();
  const shown = useRef<{ readonly round: number; readonly content: ComponentChildren } | undefined>(undefined);
  if (reading.state === 'ready') shown.current = { round, content: children(reading.answers) };
  if (reading.state === 'failed' || shown.current?.round !== round) shown.current = undefined;
  if (shown.current)
    return (
      <>
        {reading.state === 'loading' && <div class="loading over" role="status" aria-label="Reading" />}
        {shown.current.content}
      </>
    );
  if (reading.state === 'loading')
    return (
      <div class="loading" role="status" aria-label="Reading">
        {shape}
      </div>
    );
  return reading.state === 'failed' ? <Failed failure={reading.failure} retry={reading.retry} /> : null;
}

/** The height of a row of a table. Unit: px. */
const ROW_PX = 32;

/** The shape of a table: a head, and rows. */
export function TableShape({ rows }: { rows: number }) {
  return <div class="shape rows" style={{ height: `${rows * ROW_PX}px` }} />;
}

/** The shape of a part of a screen that comes after the first numbers. */
export function Pending({ rows = 8 }: { rows?: number }) {
  return (
    <div class="loading" role="status" aria-label="Reading">
      <TableShape rows={rows} />
    </div>
  );
}

/** The width of the shape of a number. Unit: px. */
const FIGURE_PX = 136;

/** The shape of numbers beside each other. @param height Unit: px. */
export function FiguresShape({ count = 4, height = 44 }: { count?: number; height?: number }) {
  return (
    <div class="figures">
      {Array.from({ length: count }, () => (
        <div class="shape" style={{ height: `${height}px`, width: `${FIGURE_PX}px` }} />
      ))}
    </div>
  );
}

interface FailedProps {
  readonly failure: Failure;
  /** Asks for what failed again. Default: for everything. */
  readonly retry?: () => void;
}

/** The error in place of the numbers, with a way on. */
export function Failed({ failure: { status, message }, retry = readAgain }: FailedProps) {
  const isClient = status >= 400 && status < 500 && status !== 429;
  return (
    <div class="message" role="alert">
      <h2>{titleOf(status)}</h2>
      <p>{message}</p>
      {isClient ? (
        <a class="button" href="/?">
          Back to the portfolio
        </a>
      ) : (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

function titleOf(status: number): string {
  if (status === 403) return isTokenGiven() ? 'This token may not see that' : 'You may not see that';
  if (status === 404) return 'This isn’t here';
  if (status === 500) return 'No number is shown, because one is wrong or the server failed';
  if (status === 0 || status === 503) return 'Nothing could be read';
  return status === 429 ? 'Too many requests' : 'This can’t be answered';
}

/** The sentence in place of a table without rows. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
