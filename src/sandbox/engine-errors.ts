import { AppError, messageOf } from '../error.ts';
import { formatPosition } from './position.ts';
import { ENGINE_MEMORY_MIB, PROCESS_MEMORY_MIB } from './sandbox-limits.ts';

/** The engine's error in its JSON form. */
interface EngineError {
  readonly exception_type: string;
  readonly exception_message: string;
  readonly position?: string;
}

/** Errors after which the engine can't run another statement. */
const BROKEN = new Set(['FATAL', 'INTERNAL', 'IO', 'Fatal', 'Internal']);

/** Messages of a refused allocation. */
const REFUSED_MEMORY =
  /bad_alloc|Out of Memory|failed to allocate|could not allocate|Invalid string length|Array buffer allocation/i;

/**
 * Converts an engine error to an error for the author of the statement.
 * @param sql The statement as sent.
 * @param prefixBytes The length of the text before it, which engine positions include.
 */
export function explainError(error: unknown, sql: string, prefixBytes: number): AppError {
  if (error instanceof AppError) return error;
  const message = messageOf(error);
  if (REFUSED_MEMORY.test(message)) return memoryError();
  const engine = parseEngineError(message);
  if (!engine || BROKEN.has(engine.exception_type)) {
    return new AppError('internal', `The engine failed on this statement: ${engine?.exception_message ?? message}`, {
      hint: 'Write it another way. Nothing else is touched by it.',
    });
  }
  const position = engine.position === undefined ? '' : formatPosition(sql, Number(engine.position) - prefixBytes);
  // The first line is the error; any further lines are the engine's suggestion.
  const [first = '', ...others] = engine.exception_message.split('\n').filter((line) => line.trim() !== '');
  const hint = others.map((line) => line.trim()).join(' ') || `The engine calls it: ${engine.exception_type}.`;
  return new AppError('usage', `The SQL can't be run: ${first}${position}`, { hint });
}

export function memoryError(): AppError {
  return new AppError(
    'limit',
    `The statement takes more memory than its ${ENGINE_MEMORY_MIB} MiB of buffers, or ${PROCESS_MEMORY_MIB} MiB in all`,
    { hint: 'Read fewer rows, group or sort by less, or build no lists and texts of that size.' },
  );
}

function parseEngineError(message: string): EngineError | undefined {
  try {
    return JSON.parse(message.slice(message.indexOf('{'))) as EngineError;
  } catch {
    return undefined;
  }
}
