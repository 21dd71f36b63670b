import { AppError, type ErrorCode } from '../../base/index.ts';
import type { TurnReader } from './turn.ts';

/** Codes of errors that name the files, the rows or the totals of a state, which may be another than the requested one. */
const OF_FILES: readonly ErrorCode[] = ['storage', 'check', 'busy'];

/**
 * Awaits what is read of kept states. A reader of a part is told nothing of other states and of files: both are outside (L2).
 * @param field The parameter that names the states.
 * @throws the error of the reading, for a reader of a part without the names, days and paths in it.
 */
export async function readOfStates<T>(
  { part }: Pick<TurnReader, 'part'>,
  field: string,
  reading: Promise<T>,
): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    throw part ? withoutStates(error, field) : error;
  }
}

function withoutStates(error: unknown, field: string): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, fields } = error;
  const hint = 'Ask those who keep states for a name: no list of them is in your part of the data.';
  if (code === 'unknown') return new AppError(code, message, { fields, hint, cause: error });
  if (OF_FILES.includes(code))
    return new AppError(code, `${field}: The kept state can't be read`, { hint, cause: error });
  return error;
}
