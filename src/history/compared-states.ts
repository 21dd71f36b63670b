import { AppError } from '../error.ts';
import { type ReadableState, type ReportParameters, readAsOf } from './read-as-of.ts';
import { NOW } from './state-names.ts';

/** Completes the parameters of a report that takes some. */
export type Fill = ReadableState['fill'];

/**
 * Finds the state that `from` names.
 * @param sent The parameters of a comparing report, among them perhaps from, to and as_of.
 * @returns undefined without from, which the report then requires.
 * @throws AppError as readAsOf, and usage for as_of, in whose place stands to.
 */
export async function readFrom(database: string, sent: ReportParameters): Promise<ReadableState | undefined> {
  if (sent['as_of'] !== undefined) {
    const message = 'as_of: a comparison names its states with from and to';
    throw new AppError('usage', message, {
      fields: [{ field: 'as_of', message }],
      hint: `Give to=${sent['as_of']} for a comparison with that state.`,
    });
  }
  return sent['from'] === undefined ? undefined : readAsOf(database, sent['from']);
}

/** Returns the kept state that `to` names; undefined for the present data. */
export function laterReference({ to = NOW }: ReportParameters): string | undefined {
  return to === NOW ? undefined : to;
}

/** Returns what completes the parameters of a comparison: the window is that of the state from, and the cutoff that of each state. */
export function fillCompared(from: Pick<ReadableState, 'fill'> | undefined, later: Fill): Fill {
  return (sent, takes) => {
    const { cutoff_date: _, ...window } = from?.fill(sent, takes) ?? sent;
    return later({ ...window, ...sent }, takes);
  };
}
