import { AppError } from '../error.ts';
import type { ReadableState, ReportParameters } from './read-as-of.ts';
import { NOW } from './state-names.ts';

type Fill = ReadableState['fill'];

/**
 * Returns the references of the kept states in the parameters of a comparison: undefined `to` for the present data, and
 * undefined `from` if it is missing.
 * @throws AppError usage for as_of, in whose place stands to.
 */
export function readReferences(sent: ReportParameters): { from: string | undefined; to: string | undefined } {
  const { from, to = NOW, as_of } = sent;
  if (as_of === undefined) return { from, to: to === NOW ? undefined : to };
  const message = 'as_of: a comparison names its states with from and to';
  throw new AppError('usage', message, {
    fields: [{ field: 'as_of', message }],
    hint: `Give to=${as_of} for a comparison with that state.`,
  });
}

/** Returns what completes the parameters of a comparison: its window is that of the state from, and each state has its own cutoff. */
export function fillCompared(from: Pick<ReadableState, 'fill'> | undefined, later: Fill): Fill {
  return (sent, takes) => {
    const { cutoff_date: _, ...window } = from?.fill(sent, takes) ?? sent;
    return later({ ...window, ...sent }, takes);
  };
}
