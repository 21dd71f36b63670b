import type { Generation } from '../../generation/generations.ts';
import { fillCompared, readReferences } from '../../history/compared-states.ts';
import type { KeptGeneration } from '../../history/kept-generations.ts';
import type { EarlierDays } from '../../report/request/number.ts';
import type { ServerParts } from '../protocol/server-parts.ts';

/** The parameter that names a kept state. Every report and explanation takes it. */
export const AS_OF = 'as_of';

/** The data that a request is about: a kept state, or the present data, whose requests need no completing. */
export interface AskedData extends Pick<KeptGeneration, 'generation' | 'lease' | 'fill'> {
  /** The kept state that it is compared with. */
  readonly from?: KeptGeneration | undefined;
}

type DataParts = Pick<ServerParts, 'generations' | 'kept'>;

/**
 * Finds the data that a request is about.
 * @param reference The state that it names, if any.
 * @param isExact True if the answer may be compared with an earlier one, so that all writes must be in the data.
 * @throws AppError as KeptGenerations.find, and storage when there is no present data.
 */
export async function readAskedData(
  { generations, kept }: DataParts,
  reference: string | undefined,
  isExact: boolean,
): Promise<AskedData> {
  if (reference !== undefined) return kept.find(reference);
  if (isExact) await generations.settle();
  return { generation: generations.current(), lease: generations.lease, fill: (sent) => sent };
}

/**
 * Finds the two states of the data that a request compares.
 * @param query The query of its URL.
 * @throws AppError as readAskedData, and usage for as_of
 */
export async function readComparedData(parts: DataParts, query: string, isExact: boolean): Promise<AskedData> {
  const { from: earlier, to } = readReferences(Object.fromEntries(new URLSearchParams(query)));
  const from = earlier === undefined ? undefined : await parts.kept.find(earlier);
  const later = await readAskedData(parts, to, isExact);
  return { ...later, fill: fillCompared(from, later.fill), from };
}

/** Returns the days of the state that the data of a request are compared with. */
export function earlierDays({ from }: AskedData): EarlierDays | undefined {
  return from && { company: from.generation.company, today: from.asOf.day, cutoffDate: from.cutoffDate };
}

/** Returns a text that no other state of the data has, for ETags. @param earlier The state that it is compared with. */
export function versionOf({ company }: Pick<Generation, 'company'>, earlier?: Pick<Generation, 'company'>): string[] {
  const { dataVersion, syncedAt, asOf } = company;
  const own = [dataVersion, syncedAt ?? '', asOf ? `${asOf.state}@${asOf.number}` : ''];
  return earlier ? [...own, ...versionOf(earlier)] : own;
}
