import { resolve } from 'node:path';
import { type ReadableState, readAsOf } from '../../history/read-as-of.ts';
import type { Flag, Flags } from '../command.ts';

export const AS_OF_FLAG: Flag = {
  name: 'as-of',
  argument: 'S',
  help: 'Read a kept state instead: its name, name@number, its data version, or a day for the newest state on or before it.',
};

/** The data that a command reads: a kept state, or the present data. */
type AskedState = Omit<ReadableState, 'asOf'> & { readonly asOf: ReadableState['asOf'] | undefined };

/**
 * Finds the data that a command is to read.
 * @throws AppError as readAsOf
 */
export async function readAskedState(database: string, flags: Flags): Promise<AskedState> {
  const reference = flags['as-of'];
  if (typeof reference !== 'string') return { file: database, asOf: undefined, fill: (sent) => sent };
  return readAsOf(resolve(database), reference);
}
