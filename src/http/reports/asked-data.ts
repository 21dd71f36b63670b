import type { Generation } from '../../generation/generations.ts';
import type { KeptGeneration } from '../../history/kept-generations.ts';
import type { ServerParts } from '../protocol/server-parts.ts';

/** The parameter that names a kept state. Every report and explanation takes it. */
export const AS_OF = 'as_of';

/** The data that a request is about: a kept state, or the present data, whose requests need no completing. */
export type AskedData = Omit<KeptGeneration, 'file'>;

/**
 * Finds the data that a request is about.
 * @param reference The state that it names, if any.
 * @param isExact True if the answer may be compared with an earlier one, so that all writes must be in the data.
 * @throws AppError as KeptGenerations.find, and storage when there is no present data.
 */
export async function readAskedData(
  { generations, kept }: Pick<ServerParts, 'generations' | 'kept'>,
  reference: string | undefined,
  isExact: boolean,
): Promise<AskedData> {
  if (reference !== undefined) return kept.find(reference);
  if (isExact) await generations.settle();
  return { generation: generations.current(), lease: generations.lease, fill: (sent) => sent };
}

/** Returns a text that no other state of the data has, for ETags. */
export function versionOf({ company }: Pick<Generation, 'company'>): string[] {
  const { dataVersion, syncedAt, asOf } = company;
  return [dataVersion, syncedAt ?? '', asOf ? `${asOf.state}@${asOf.number}` : ''];
}
