import type { ComponentChildren } from 'preact';
import type { Answer, Failure } from './api.ts';
import { type Reading, readAgain } from './reading.ts';

/** Shows answers once they are there; until then their shape, and after an error its reason. */
export function Ready<T extends Answer>(props: {
  reading: Reading<T>;
  /** A placeholder in the shape of the answer. */
  shape: ComponentChildren;
  children: (answers: readonly T[]) => ComponentChildren;
}) {
  const { reading, shape, children } = props;
  if (reading.state === 'loading')
    return (
      <div class="loading" role="status" aria-label="Reading">
        {shape}
      </div>
    );
  if (reading.state === 'failed') return <Failed failure={reading.failure} />;
  return <>{children(reading.answers)}</>;
}

export function TableShape({ rows }: { rows: number }) {
  return <div class="shape" style={{ height: `${rows * 32}px` }} />;
}

/** The error in place of the numbers, with a way out. */
export function Failed({ failure: { status, message } }: { failure: Failure }) {
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
        <TryAgain />
      )}
    </div>
  );
}

function TryAgain() {
  return (
    <button type="button" onClick={readAgain}>
      Try again
    </button>
  );
}

function titleOf(status: number): string {
  if (status === 403) return 'This token may not see that';
  if (status === 404) return 'There is no such thing here';
  if (status === 500) return 'No number is shown, because one is wrong or the server failed';
  if (status === 0 || status === 503) return 'Nothing could be read';
  return status === 429 ? 'Too many requests' : 'This can’t be answered';
}

/** The sentence in place of a table without rows. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}
