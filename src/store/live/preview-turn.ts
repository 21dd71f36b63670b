import { AppError } from '../../base/index.ts';
import type { LiveContext } from './live-context.ts';
import { type PreviewedChanges, type PreviewedStates, previewChanges } from './preview-changes.ts';
import { whenFresh } from './refreshing.ts';
import type { Store } from './store.ts';

/**
 * Previews changes in a turn among the writes.
 * @throws the signal's reason if it is aborted meanwhile; AppError as previewChanges, and storage if it takes too long.
 */
export async function previewInTurn<T>(
  live: LiveContext,
  { startDay, undone }: Pick<Store, 'startDay' | 'undone'>,
  { signal: given, ...previewed }: PreviewedChanges,
  read: (states: PreviewedStates) => Promise<T>,
): Promise<T> {
  const { source, state, limits } = live;
  // As before each write.
  await startDay();
  const answers: T[] = [];
  await whenFresh(
    live,
    async () => {
      const timeout = AbortSignal.timeout(limits.previewMs);
      const signal = AbortSignal.any([given, timeout]);
      const { current: generation, closed } = live;
      const data = { source, records: { undone }, generation, pending: state.pending, closed };
      const assertInTime = () => {
        if (!given.aborted && timeout.aborted) throw lateError(limits.previewMs);
      };
      const answer = await previewChanges(data, { ...previewed, signal }, read).catch((error: unknown) => {
        assertInTime();
        throw error;
      });
      // The signal ends statements, and not what is done with their rows.
      assertInTime();
      answers.push(answer);
    },
    () => !given.aborted,
  );
  given.throwIfAborted();
  return answers[0] as T;
}

function lateError(limitMs: number): AppError {
  return new AppError('storage', `The preview took longer than ${limitMs / 1000} s, while all writes wait`, {
    hint: 'Give fewer changes, or a shorter window.',
  });
}
