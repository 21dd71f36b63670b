import { type DeliveryOccurrence, type DeliverySending, isSettled } from './delivery-events.ts';

/** The pause after the first try, doubled after each one. Unit: ms. */
const FIRST_PAUSE_MS = 60_000;

/** The longest pause. Unit: ms. */
const LONGEST_PAUSE_MS = 3_600_000;

/** The targets where a later occurrence takes the place of an earlier one: files, and rows that a program receives. */
const REPLACING = /^(?:folder|s3|webhook):/;

/**
 * Finds the earlier occurrence that a sending has to wait for. Where a later one takes its place it has to be there before, or given
 * up; a person gets a later message while an earlier one that has failed is tried again.
 * @param earlier The open occurrences of the delivery that began before.
 */
export function findBlocker(earlier: readonly DeliveryOccurrence[], key: string): DeliveryOccurrence | undefined {
  const isReplacing = REPLACING.test(key);
  return earlier.find(({ made, sendings }) => {
    if (!made) return isReplacing;
    const sending = sendings.get(key);
    return sending !== undefined && !isSettled(sending) && (isReplacing || sending.state !== 'retrying');
  });
}

/** Tells whether a sending is to be tried: at first, after its pause, or after a process ended in the middle. */
export function isDue(sending: DeliverySending, now: Date): boolean {
  if (isSettled(sending)) return false;
  const { at, state, attempts } = sending;
  if (state !== 'retrying' || at === undefined) return true;
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  // A clock that was set back doesn't make the pause longer.
  return Math.abs(now.getTime() - Date.parse(at)) >= pause;
}

/** Lists the keys of an occurrence that can be sent now. @param earlier As findBlocker has it. */
export function findSendable(
  { sendings }: DeliveryOccurrence,
  earlier: readonly DeliveryOccurrence[],
  now: Date,
): string[] {
  return [...sendings.values()]
    .filter((sending) => isDue(sending, now) && !findBlocker(earlier, sending.key))
    .map(({ key }) => key);
}
